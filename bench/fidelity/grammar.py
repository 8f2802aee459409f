r"""Writing by a small grammar: a rule has alternatives, an alternative has gaps, a gap is another rule.

A file of words has rules, `== name` and one alternative a line. In an alternative `{name}` is another rule, `{3-28}` a
number, `{one|other|}` a choice, `\n` a line end, `\t` a tab, `⟦` and `⟧` are braces. `{name!}` is part of a fact: its value is
remembered, and is not given to another fact of the document. `{@name}` has one value in all of what is written at once,
`{^name}` in all of the document. Of a value `pump~kg~9` only `pump` is written; `{@kin1}` is then `kg`, `{@kin2}` is `9`. No file
is read but when asked for; nothing is random but by the generator that was handed in.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

from bench.fidelity.gold import Gold

WORDS = Path(__file__).parent / "words"

# A part of a fact is drawn again as often as this where another fact has it; then the pool is taken to be empty.
DRAWS = 200

# Pieces of a text, about as many as it has tokens: documents are sized by them, so that no tokenizer is needed here.
_PIECE = re.compile(r"[^\W\d_]{1,7}|\d{1,3}|[^\w\s]+|_|\n")

# French joins what a template puts side by side.
_DE_LE = re.compile(r"\bde le (?=[^\W\d_])")
_DE_VOWEL = re.compile(r"\bde (?=[AEÉIO]\w+[^\W\d_])")

Rules = dict[str, tuple[str, ...]]

# A line of these rules is one alternative; a line of any other is a list of them, parted by bars.
_WHOLE_LINES = frozenset(
    {
        "title",
        "hint",
        "fact",
        "item",
        "row",
        "head",
        "filler",
        "aside",
        "top",
        "bottom",
        "shape",
        "hit",
        "noise",
        "pattern",
    }
)
_GAP = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d+)-(\d+)(!?)")
_BAR_OUTSIDE_A_GAP = re.compile(r"\|(?![^{]*\})")


def read_rules(*names: str) -> Rules:
    """Read files of words; a rule of a later one replaces that of an earlier one."""
    rules: Rules = {}
    for name in names:
        for rule in (WORDS / f"{name}.txt").read_text("utf-8").removeprefix("== ").split("\n== "):
            title, *lines = rule.rstrip("\n").split("\n")
            rules[title] = tuple(_alternatives(title, lines)) or ("",)
    return rules


def _alternatives(title: str, lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        if title.partition(".")[0] in _WHOLE_LINES:
            yield line
        else:
            yield from _BAR_OUTSIDE_A_GAP.split(line)


class Pen:
    """Writes one document: no alternative comes again before all others of its rule came, no fact shares a part."""

    def __init__(self, rules: Rules, random: Random) -> None:
        self.random = random
        self._rules = rules
        self._bags: dict[str, list[str]] = {}
        self._taken: set[tuple[str, str]] = set()
        self._once_here: dict[str, str] = {}
        self._once_ever: dict[str, str] = {}

    def has(self, rule: str) -> bool:
        """Whether there is such a rule."""
        return rule in self._rules

    def names(self, prefix: str) -> list[str]:
        """Return what follows a prefix in the names of rules: the kinds of facts there are."""
        return [name.removeprefix(prefix) for name in self._rules if name.startswith(prefix)]

    def write(self, rule: str) -> str:
        """Write an alternative of a rule."""
        return self.fact(rule).line

    def fact(self, rule: str) -> Gold:
        """Write an alternative of a rule, and say what its parts are."""
        parts: list[str] = []
        self._once_here.clear()
        line = _finished(self._fill(self._draw(rule), parts))
        if rule.startswith("fact."):
            line = line[:1].upper() + line[1:]
        return Gold(tuple(map(_finished, parts)), line)

    def _draw(self, rule: str) -> str:
        bag = self._bags.setdefault(rule, [])
        if not bag:
            bag += self.random.sample(self._rules[rule], len(self._rules[rule]))
        return bag.pop()

    def _fill(self, template: str, parts: list[str]) -> str:
        while gap := _GAP.search(template):
            template = template[: gap.start()] + self._value(gap[1], parts) + template[gap.end() :]
        return template

    def _value(self, gap: str, parts: list[str]) -> str:
        if "|" in gap:
            return self.random.choice(gap.split("|"))
        if gap[:1] in ("@", "^"):
            return self._bound(self._once_here if gap[0] == "@" else self._once_ever, gap[1:])
        if not gap.endswith("!"):
            return self._kin(self._once(gap))
        value = self._once(gap[:-1])
        for _ in range(DRAWS):
            if (gap, value) not in self._taken:
                break
            value = self._once(gap[:-1])
        self._taken.add((gap, value))
        value = self._kin(value)
        parts.append(value)
        return value

    def _bound(self, values: dict[str, str], name: str) -> str:
        if name not in values:
            values[name] = self._kin(self._once(name))
        return values[name]

    def _kin(self, value: str) -> str:
        value, *kin = value.split("~")
        self._once_here |= {f"kin{number}": word for number, word in enumerate(kin, 1)}
        return value

    def _once(self, name: str) -> str:
        if number := _RANGE.fullmatch(name):
            return str(self.random.randint(int(number[1]), int(number[2])))
        return self._fill(self._draw(name), [])


def _finished(text: str) -> str:
    text = _DE_LE.sub("du ", _DE_VOWEL.sub("d'", text))
    return text.replace("⟦", "{").replace("⟧", "}").replace("\\n", "\n").replace("\\t", "\t")


def size(text: str) -> int:
    """Return about how many tokens a text has."""
    return sum(1 for _ in _PIECE.finditer(text))
