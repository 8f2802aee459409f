"""A parser for `.env` in Docker Compose's syntax: text in, names and values out; no shell runs it.

Rules are quoted from docs.docker.com, "Set, use, and manage variables in a Compose file with interpolation" (the syntax of
the file) and "Interpolation" (the forms of `${...}`). Stricter than Compose in three things: no name begins with a digit, only a
comment may follow a closing quote, and `$` expressions nest at most MAX_NESTING deep. No message quotes a value: it may be a secret.
"""

import re
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# A hundred times .env.example; a larger file is a log or a device that was named by mistake.
MAX_FILE_BYTES = 1024 * 1024

# Real files nest defaults two or three deep.
MAX_NESTING = 10


class EnvFileError(Exception):
    """A line that cannot be parsed: the message names the file, the line, and what was expected."""


class _StatementError(Exception):
    """A statement that cannot be parsed: the message says what was expected."""


@dataclass(frozen=True)
class EnvFile:
    """The settings of a file, and the names that its values use but nothing sets."""

    values: Mapping[str, str]
    unset: tuple[str, ...] = ()


def read(path: Path, environment: Mapping[str, str]) -> EnvFile:
    """Read a file. Raises EnvFileError, and FileNotFoundError."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except OSError as problem:
        raise EnvFileError(
            f"{path}: expected a file that can be read: {problem.strerror or problem}"
        ) from None
    except UnicodeDecodeError:
        raise EnvFileError(f"{path}: expected UTF-8, got other bytes") from None
    if len(data) > MAX_FILE_BYTES:
        raise EnvFileError(f"{path}: expected at most {MAX_FILE_BYTES} bytes, got more")
    return parse(text, environment, str(path))


def parse(text: str, environment: Mapping[str, str], name: str = ".env") -> EnvFile:
    """Return the settings of a text. Its values may use variables of the environment, and of earlier lines.

    The environment's take precedence. Raises EnvFileError with `name` and the line.
    """
    text = text.replace("\r\n", "\n")
    values: dict[str, str] = {}
    known = _Variables(ChainMap(dict(environment), values))
    at = 0
    while (start := _BLANK_LINES.match(text, at).end()) < len(text):  # type: ignore[union-attr]
        try:
            at = _read_statement(text, start, values, known)
        except _StatementError as expected:
            raise EnvFileError(f"{name}:{text.count(chr(10), 0, start) + 1}: {expected}") from None
    return EnvFile(values, tuple(known.unset))


# --- Statements ----------------------------------------------------------------------------------------------------

# "Lines beginning with # are processed as comments and ignored. Blank lines are ignored."
_BLANK_LINES = re.compile(r"(?:[^\S\n]*+(?:#[^\n]*+)?\n)*+[^\S\n]*+(?:#[^\n]*+\Z)?+")

# The delimiter "can be either = or :", and "spaces before and after value are ignored".
# As in Compose, `export` may precede a name, and a name alone stands for the environment's own value.
_NAME = re.compile(r"(?:export[^\S\n]++)?(?P<name>[\w.\-\[\]]++)[^\S\n]*+(?P<sign>[=:]|(?=\n|\Z))[^\S\n]*+")

# "Quotes can be escaped with \": a backslash belongs to the next character.
_QUOTED = {quote: re.compile(rf"{quote}((?:[^{quote}\\]++|\\.)*+){quote}", re.DOTALL) for quote in "'\""}
_AFTER_QUOTE = re.compile(r"[^\S\n]*+(?:#[^\n]*+)?(?:\n|\Z)")
_UNQUOTED = re.compile(r"[^\n]*+")


def _read_statement(text: str, start: int, values: dict[str, str], known: "_Variables") -> int:
    """Parse one statement into `values`; return where the next may begin."""
    head = _NAME.match(text, start)
    if head is None:
        raise _StatementError("expected NAME=value, a comment that begins with #, or nothing")
    # Compose takes it, but neither a setting nor a variable of `${...}` can have such a name. It may be the rest of a secret.
    if head["name"][0].isdigit():
        raise _StatementError(
            "expected a name that begins with a letter or _, got one that begins with a digit"
        )
    if not head["sign"]:
        return head.end()
    if text[head.end() : head.end() + 1] in _QUOTED:
        value, end = _read_quoted(text, head, known)
    else:
        line = _UNQUOTED.match(text, head.end())
        assert line is not None  # noqa: S101 - the pattern takes any text
        # "Inline comments for unquoted values must be preceded with a space."
        written = text[head.end() - 1 : line.end()].partition(" #")[0]
        value, end = known.interpolated(written[1:].rstrip()), line.end()
    values[head["name"]] = value
    return end


def _read_quoted(text: str, head: re.Match[str], known: "_Variables") -> tuple[str, int]:
    quote = text[head.end()]
    quoted = _QUOTED[quote].match(text, head.end())
    if quoted is None:
        raise _StatementError(
            f"{head['name']}: expected a closing {quote}, got none up to the end of the file"
        )
    rest = _AFTER_QUOTE.match(text, quoted.end())
    if rest is None:
        raise _StatementError(f"{head['name']}: expected nothing but a comment behind the closing {quote}")
    if quote == "'":  # "Single-quoted values are used literally."
        return quoted[1].replace("\\'", "'"), rest.end()
    return known.interpolated(_ESCAPE.sub(_unescaped, quoted[1])), rest.end()


# "Common shell escape sequences including \n, \r, \t, and \\ are supported in double-quoted values."
_ESCAPE = re.compile(r"\\(?:([abfnrtv\"\\$])|0([0-7]{0,3}))")
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", '"': '"', "\\": "\\"}


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1] == "$":
        return "$$"  # a literal dollar sign in the interpolation that follows
    return _ESCAPED[escape[1]] if escape[1] else chr(int(escape[2] or "0", 8))


# --- Interpolation -------------------------------------------------------------------------------------------------

# "Both $VARIABLE and ${VARIABLE} syntax is supported. [...] You can use a $$ when your configuration needs a literal dollar
# sign." Of the rest: "In other circumstances, it will be preserved without attempting to interpolate a value."
_EXPRESSION = re.compile(r"\$(?:(?P<dollar>\$)|(?P<name>[A-Za-z_][A-Za-z0-9_]*+)|(?P<braced>\{))")
_BRACED = re.compile(
    r"(?P<name>[A-Za-z_][A-Za-z0-9_]*+)(?:(?P<colon>:?)(?P<sign>[-?+])(?P<rest>.*))?", re.DOTALL
)
_BRACE = re.compile(r"[{}]")

_FORMS = "${NAME}, ${NAME:-default}, ${NAME-default}, ${NAME:?error}, ${NAME?error}, ${NAME:+replacement} or ${NAME+replacement}"


class _Variables:
    """The variables for interpolation, and the unset ones that were used."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self.unset: dict[str, None] = {}

    def interpolated(self, text: str, depth: int = 0) -> str:
        """Return a text with its variables replaced by their values."""
        if depth > MAX_NESTING:
            raise _StatementError(f"expected at most {MAX_NESTING} expressions within each other")
        parts: list[str] = []
        at = 0
        while expression := _EXPRESSION.search(text, at):
            parts.append(text[at : expression.start()])
            at = expression.end()
            if expression["dollar"]:
                parts.append("$")
            elif expression["name"]:
                parts.append(self._value(expression["name"]))
            else:
                end = _closing_brace(text, at)
                parts.append(self._braced(text[at:end], depth))
                at = end + 1
        return "".join([*parts, text[at:]])

    def _value(self, name: str) -> str:
        if name not in self._variables:
            self.unset[name] = None
        return self._variables.get(name, "")

    def _braced(self, inside: str, depth: int) -> str:
        form = _BRACED.fullmatch(inside)
        if form is None:
            raise _StatementError(f"expected {_FORMS}, or $$ for a dollar sign")
        name, sign = form["name"], form["sign"]
        if sign is None:
            return self._value(name)
        # With a colon, a variable that is set and empty counts as not set.
        is_set = bool(self._variables.get(name)) if form["colon"] else name in self._variables
        if sign == "+":
            return self.interpolated(form["rest"], depth + 1) if is_set else ""
        if is_set:
            return self._variables[name]
        rest = self.interpolated(form["rest"], depth + 1)
        if sign == "?":
            raise _StatementError(f"required variable {name} is missing a value{': ' if rest else ''}{rest}")
        return rest


def _closing_brace(text: str, at: int) -> int:
    """Return the position of the brace that closes the one before `at`; pairs within are skipped."""
    depth = 1
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    raise _StatementError("expected a } for each ${, or $$ for a dollar sign")
