"""Every shape of text by its name, in any size. The same text on every run."""

import random
from collections.abc import Callable

from bench.cost_texts import adversarial, from_people, from_programs
from bench.cost_texts.adversarial import assignments, random_words
from bench.cost_texts.from_people import chat, cjk, prose
from bench.cost_texts.from_programs import base64, csv_narrow, json_one_line, minified
from bench.cost_texts.installed import installed_texts
from bench.cost_texts.vocabulary import Lines, of_size

IN_ONE_LINE: tuple[Lines, ...] = (
    json_one_line,
    minified,
    prose,
    random_words,
    csv_narrow,
    chat,
    cjk,
    base64,
    assignments,
)
REPEATED = {
    "one word": "word ",
    "one letter": "a",
    "one sentence": "The guard of the bridge waits for the captain. ",
    "one line": "The guard of the bridge waits for the captain.\n",
    "one digit": "7",
    "digits": "1234567890",
    "line ends": "\n",
    "spaces": " ",
    "full stops": ".",
    "list numbers": "1. ",
    "brackets": "([{",
    "commas": "a,",
    "open arrays": "[1,",
    "small objects": '{"a":1}\n',
    "headers of quotations": "On Tue, 14 Jul 2026 at 10:12, Ann wrote:\n",
    "a ligature of 18 letters": "\ufdfa",
}
# Items of JSON that hold one another.
NESTED = {
    "two arrays": "[[1]]",
    "20 arrays": "[" * 20 + "1" + "]" * 20,
    "300 arrays": "[" * 300 + "1" + "]" * 300,
    "24,000 arrays": "[" * 24_000 + "]" * 24_000,
    "two objects": '{"":{"":1}}',
    "20 arrays and objects": '[{"":' * 10 + "1" + "}]" * 10,
    "empty strings": '""',
}
# Items of JSON with a slip in each; and the brackets that they stand in.
SLIPS = {
    "a missing comma": '{"a":1 "b":2}',
    "a missing comma and no space": '{"a":"b""c":[1][2]}',
    "a comment": '{"a":1,/*x*/"b":2}',
    "a spare comma": '{"a":1,}',
    "two commas": "[1,,2]",
    "single quotes": "{'a':1}",
    "a tab": '["a\tb"]',
}
SLIP_DEPTHS = (0, 60)
# Pages of tiny elements that are never closed: what stands around them, and what is repeated.
PAGES = {
    "spanning cells": ("<table>", "<tr><td colspan=50 rowspan=50>x<td>y"),
    "tiny cells": ("<table><tr>", "<td>a"),
    "tiny paragraphs": ("", "<p>a"),
    "tiny items": ("<ul><li>" * 6, "<li>a"),
    "tiny terms": ("<dl><dd>" * 6, "<dt>a<dd>b"),
}


def text_makers() -> dict[str, Callable[[int], str]]:
    """Return every shape by its name: a function from a size in bytes to a text."""
    made: dict[str, Callable[[int], str]] = {}
    for lines in (*from_people.SHAPES, *from_programs.SHAPES, *adversarial.SHAPES):
        made[lines.__name__.replace("_", " ")] = _maker(lines, "\n")
    for lines in IN_ONE_LINE:
        made[f"{lines.__name__.replace('_', ' ')}, one line"] = _maker(
            lines, " " if lines is not base64 else ""
        )
    for name, unit in REPEATED.items():
        made[f"{name}, repeated"] = _repeater(unit)
    made |= {f"JSON, items of {name}": _items(item) for name, item in NESTED.items()}
    for name, slip in SLIPS.items():
        made |= {
            f"JSON, items of {name} {depth} deep": _items("[" * depth + slip + "]" * depth)
            for depth in SLIP_DEPTHS
        }
        made[f"JSON Lines of {name}"] = _repeater(f'{{"id":1,"x":{slip}}}\n')
    for name, (begin, unit) in PAGES.items():
        made[f"a page of {name}"] = _page(begin, unit)
    return made | {"answers at the end": _answers_at_the_end} | installed_texts()


def _maker(lines: Lines, separator: str) -> Callable[[int], str]:
    # Each line's own line ends go where the text is one line.
    def make(size: int) -> str:
        made = lines(random.Random(0))  # noqa: S311, the same text on every run
        return of_size(
            made if separator == "\n" else (" ".join(line.split()) for line in made), size, separator
        )

    return make


def _repeater(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


def _page(begin: str, unit: str) -> Callable[[int], str]:
    return lambda size: f"<html><body>{begin}{unit * (size // len(unit))}"


def _items(item: str) -> Callable[[int], str]:
    return lambda size: f"[{','.join([item] * (size // (len(item) + 1)))}]"


def _answers_at_the_end(size: int) -> str:
    """Return prose that has one word of cost.py's short focus, and the others at its end."""
    end = "\nErrors have codes, people live in places, and everything has its price.\n"
    return _maker(prose, "\n")(size - len(end)).replace("rice", "int") + end  # no "price" before
