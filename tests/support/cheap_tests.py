"""Finds the cheap tests that stand before patterns, in the code itself: `":" in text and _SPEAKER.match(text)`.

A cheap test looks for signs in a text, at its beginning or its end; what it refuses the pattern does not see. None is listed here, so that a new one
is held to the law as well. Conditions that do not look at the same text, or look for no signs, are none.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
METHODS = frozenset({"match", "fullmatch", "search", "sub", "finditer", "findall"})
# What a cheap test may ask of a text.
QUESTIONS = frozenset({"startswith", "endswith", "isascii", "isdecimal", "isdigit", "__contains__"})


class CheapTest(NamedTuple):
    """A test of a text, and the pattern behind it."""

    place: str
    condition: str
    """What must be true of every `text` that the pattern finds something in."""
    names: Mapping[str, Any]
    """What else is named there."""
    pattern: re.Pattern[str]
    method: str


def cheap_tests(folder: str) -> Iterator[CheapTest]:
    """Yield the cheap tests in a folder's modules."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        names = vars(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for cheap, dear in _steps(node):
                for pattern, method, text in _searches(dear, names):
                    if condition := _condition(cheap, text, names):
                        place = f"{path.relative_to(ROOT).as_posix()}:{cheap.lineno}"
                        yield CheapTest(place, condition, names, pattern, method)


def _steps(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each condition with what is computed only where it holds; one that must not hold is negated."""
    if isinstance(node, ast.IfExp):
        yield from ((part, node.body) for part in _parts(node.test, ast.And))
        yield from ((_negated(part), node.orelse) for part in _parts(node.test, ast.Or))
    elif isinstance(node, ast.BoolOp):
        is_all = isinstance(node.op, ast.And)
        for number, value in enumerate(node.values):
            # Behind "or" a pattern is a further way to be true, unless it must not match.
            if is_all or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
                yield from ((one if is_all else _negated(one), value) for one in node.values[:number])


def _parts(test: ast.expr, operator: type[ast.boolop]) -> Sequence[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, operator) else [test]


def _negated(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _searches(node: ast.AST, names: Mapping[str, Any]) -> Iterator[tuple[re.Pattern[str], str, str]]:
    """Yield the patterns that are looked for in an expression, each with the method and the text's expression."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
            pattern = _value(call.func.value, names)
            if isinstance(pattern, re.Pattern):
                yield pattern, call.func.attr, ast.unparse(call.args[call.func.attr == "sub"])


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Return the value of a name of a module, or of a function there that is called without arguments."""
    if isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Name):
        function = names.get(node.func.id)
        return function() if callable(function) else None
    return names.get(node.id) if isinstance(node, ast.Name) else None


def _condition(cheap: ast.expr, text: str, names: Mapping[str, Any]) -> str:
    """Return a condition on signs of a text, which is named `text` in it; "" for any other condition."""
    written = ast.unparse(cheap).replace(text, "text")
    test = ast.parse(written, mode="eval").body
    named = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    asked = {node.attr for node in ast.walk(test) if isinstance(node, ast.Attribute)}
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    is_known = named <= {"text", "any", "map", *names}
    is_helper = isinstance(test, ast.Call) and "may_" in ast.unparse(test.func)
    is_sign = isinstance(test, ast.Compare) and not any(isinstance(node, ast.Call) for node in ast.walk(test))
    looks = is_helper or (asked <= QUESTIONS and (asked or is_sign))
    return written if "text" in named and is_known and looks else ""
