"""Merges the answers of an extraction: reads facts under category headings, as records, from whatever form a model gave them.

The form asked for is "## " headings with one fact a line. Weak models write JSON, bold titles, numbered lists or prose
instead: a line that fits no form is a fact as it stands, so nothing is lost. Pure; does not judge whether a fact is true.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from summarizing.facts.value_words import value_words
from summarizing.text.blocks.tables import is_delimiter
from summarizing.text.language.language_words import language_words
from summarizing.text.language.stemming import Stems, inverted_index, terms_of

# A longer line with a colon at its end introduces something; it is not the name of a category.
MAX_TITLE_TERMS = 6

# A heading that states a fact has at least this many words.
MIN_FACT_WORDS = 3

# A line whose rarest word is in more lines than this is not compared: the time would grow with their square.
MAX_ALIKE = 200

# Deeper nesting says nothing more about a fact.
MAX_JSON_DEPTH = 6

_HEADING = re.compile(r"\s*+(#{1,6})[ \t]++(\S.*+)\s*+")
_BOLD_TITLE = re.compile(r"\s*+(?:\*\*|__)([^*_|:]{1,80}+)(:?+)(?:\*\*|__)(:?+)\s*+")
_FENCE = re.compile(r"\s*+(?:```|~~~)\s*+[\w-]*+\s*+")
_AREA_END = re.compile(r"[,;:\n、。，；：]+")
_TITLE_MARKS = " \t:#*_"
_COLONS = (":", "：")


@cache
def _item() -> re.Pattern[str]:
    # "12. März" is a date, not a list item.
    months = "|".join(language_words().months_after_ordinals)
    return re.compile(rf"(\s*+)(?:[-*+•‣–]|\d{{1,3}}[.)])[ \t]++(?!(?:{months})\b)(?=\S)")


class _Line(NamedTuple):
    """A heading's title, or a fact as a line; `depth`: a deeper line hangs on the one before it."""

    title: str
    text: str = ""
    depth: int = 0


class _Section:
    """The facts under one heading in the order they first came, each with the lines that hang on it: details, rows."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.facts: dict[str, str] = {}
        self.details: dict[str, dict[str, str]] = defaultdict(dict)
        self._path: list[tuple[int, str]] = []

    def begin(self) -> None:
        """Start afresh: lines that follow are not details of lines before."""
        self._path.clear()

    def add(self, line: str, depth: int) -> None:
        """Add a fact, or a detail of the last one that is less deep; a repeat of either goes."""
        while self._path and self._path[-1][0] >= depth:
            self._path.pop()
        self._path.append((depth, _folded(line)))
        fact, *path = [key for _, key in self._path]
        if path:
            self.details[fact].setdefault("\n".join(path), line.rstrip())
        else:
            self.facts.setdefault(fact, line.strip())


def merge(answers: Iterable[str], hint: str = "") -> str:
    """Merge lists of facts: those of one category together, the same fact once and in its most specific form.

    A heading that names a category of the hint is written as the hint writes it.
    """
    categories = _Categories(hint)
    sections: dict[str, _Section] = {"": _Section("")}
    for answer in answers:
        section = sections[""]
        section.begin()
        for line in _lines(answer):
            if line.title:
                name = categories.name(line.title)
                section = sections.setdefault(_folded(name), _Section(name))
                section.begin()
            else:
                section.add(line.text, line.depth)
    return "\n\n".join(filter(None, map(_written, sections.values())))


_LIST_AND_QUOTE_MARKS = " \t\n-*_`.\"'#"
# How models say that nothing matches: as the prompt asks, or in JSON.
_NOTHING = ("", "none", "null", "[]", "{}")


def has_facts(answer: str) -> bool:
    """Whether an extraction's answer has a fact: more than headings, and not the word for "nothing matches"."""
    return any(
        line.text.strip(_LIST_AND_QUOTE_MARKS).casefold() not in _NOTHING and line.text.lstrip()[:1] != "#"
        for line in _lines(answer)
    )


def _written(section: _Section) -> str:
    alone = [line for key, line in section.facts.items() if key not in section.details]
    kept = set(_most_specific(alone))
    lines: list[str] = []
    for key, fact in section.facts.items():
        details = section.details.get(key, {})
        if details or fact in kept:
            lines += [fact, *details.values()]
    if not lines:
        return ""
    return (f"## {section.title}\n" if section.title else "") + "\n".join(lines)


def _folded(line: str) -> str:
    """Return a fact in a form that is equal for its spellings: no list marks, no capitals, single spaces."""
    item = _item().match(line)
    return " ".join(line[item.end() if item else 0 :].casefold().split())


# --- Reading what a model wrote ---------------------------------------------------------------------------------


def _lines(answer: str) -> Iterator[_Line]:
    """Yield an answer's headings and its facts."""
    lines = list(_unpacked(answer))
    in_table = False
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        is_head = _is_row(line) and is_delimiter(following.strip()) and not is_delimiter(line.strip())
        in_table = in_table and _is_row(line) and not is_head
        title = _title_of(line, following)
        if title and not (_is_fact(title) and (not following or _title_of(following, ""))):
            yield _Line(title)
        else:
            yield _Line("", f"- {title}" if title else _as_item(line), _depth(line) + in_table)
        in_table = in_table or is_head


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _is_fact(title: str) -> bool:
    """Whether a heading with nothing under it is itself a fact: some models write each fact as a heading."""
    return len(title.split()) >= MIN_FACT_WORDS and any(sign.isdigit() for sign in title)


def _as_item(line: str) -> str:
    """Return a line with the mark of a list's item written as a dash."""
    item = _item().match(line)
    if item:
        return f"{item[1]}- {line[item.end() :]}"
    # A last line with a colon must not become the title of what is appended later.
    announces = line.rstrip().endswith(_COLONS) and not _is_row(line)
    return f"{line[: _depth(line)]}- {line.lstrip()}" if announces else line


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _unpacked(answer: str) -> Iterator[str]:
    """Yield an answer's lines, none of them empty: JSON as records wherever it stands, fences without their marks."""
    block: list[str] = []
    for line in answer.splitlines():
        if not _FENCE.fullmatch(line):
            block.append(line)
            continue
        yield from _block(block)
        block = []
    yield from _block(block)


def _block(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines between two fences, JSON as records."""
    data = _json("\n".join(lines))
    if data is not None:
        yield from _flattened(data)
        return
    for line in filter(str.strip, lines):
        record = _json(line) if line.lstrip().startswith("{") else None
        yield from [line] if record is None else _flattened(record)


def _title_of(line: str, following: str) -> str:
    """Return the words of a heading, "" of any other line."""
    if heading := _HEADING.fullmatch(line):
        return heading[2].rstrip().strip(_TITLE_MARKS)
    if bold := _BOLD_TITLE.fullmatch(line):
        return bold[1].strip()
    bare = line.strip()
    announces = bare.endswith(_COLONS) and not (_item().match(line) or _is_row(line))
    if announces and _item().match(following):
        return bare.strip(_TITLE_MARKS + "：") if len(bare.split()) <= MAX_TITLE_TERMS else ""
    return ""


def _json(answer: str) -> Any:
    """Return the object or list that a text is; None where it is none."""
    text = answer.strip()
    if text[:1] not in ("{", "["):
        return None
    try:
        # Numbers as they are written: 1.10 is no 1.1.
        data = json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=_gathered)
    except (ValueError, RecursionError):
        return None
    return data or None


def _gathered(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with the values of a repeated key as a list: as weak models write records."""
    gathered: dict[str, Any] = {}
    for key, value in pairs:
        gathered[key] = [*_as_list(gathered[key]), value] if key in gathered else value
    return gathered


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _flattened(data: Any, title: str = "", depth: int = 0) -> Iterator[str]:
    """Yield a JSON value as lines: an object is a record, and a list of objects the records of a category."""
    if title.strip():
        yield f"## {' '.join(title.split())}"
    if isinstance(data, list) and depth < MAX_JSON_DEPTH:
        for item in data:
            yield from _flattened(item, "", depth + 1)
        return
    if not isinstance(data, dict) or depth >= MAX_JSON_DEPTH:
        yield f"- {_plain(data)}"
        return
    yield from _record(data, depth)
    for key, value in data.items():
        if _holds_records(value, depth):
            yield from _flattened(value, key, depth + 1)


def _record(data: dict[str, Any], depth: int) -> Iterator[str]:
    """Yield an object's plain members as one line; of the outermost object, each object as one of its own."""
    plain = {key: value for key, value in data.items() if not _holds_records(value, depth)}
    alone = {key: value for key, value in plain.items() if depth == 0 and isinstance(value, dict)}
    if len(plain) > len(alone):
        yield "- " + "; ".join(f"{key}: {_plain(value)}" for key, value in plain.items() if key not in alone)
    for key, value in alone.items():
        yield f"- {key}: {_plain(value)}"


def _holds_records(value: Any, depth: int) -> bool:
    """Whether a member of an object is a category of its own: of the outermost one, every list is."""
    if depth == 0 and isinstance(value, list):
        return True
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(member, (dict, list)) for member in members)


def _plain(value: Any) -> str:
    """Return a value of a record in one line, a small list or object without its brackets."""
    if isinstance(value, dict):
        text = ", ".join(f"{key} {_plain(member)}" for key, member in value.items())
    elif isinstance(value, list):
        text = ", ".join(map(_plain, value))
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())


class _Categories:
    """The categories that a hint names; a heading that means one of them takes its name."""

    def __init__(self, hint: str) -> None:
        areas = (area.strip() for area in _AREA_END.split(hint))
        self._areas = [(area, frozenset(terms_of(area, Stems()))) for area in areas if area]

    def name(self, title: str) -> str:
        """Return the hint's own words for a category where just one is meant, else the title."""
        terms = frozenset(terms_of(title, Stems()))
        meant = [area for area, words in self._areas if terms and (terms <= words or words <= terms)]
        return meant[0][0].upper() + meant[0][1:] if len(meant) == 1 else title


# --- The same fact once -----------------------------------------------------------------------------------------


def _most_specific(lines: list[str]) -> list[str]:
    """Drop items whose words all stand, in the same order, in a longer item."""
    stems = Stems()
    terms = [tuple(terms_of(line, stems)) if _item().match(line) else () for line in lines]
    having = inverted_index(map(set, terms))
    return [line for index, line in enumerate(lines) if not _is_said_by_another(index, terms, having)]


def _is_said_by_another(index: int, terms: Sequence[tuple[str, ...]], having: dict[str, list[int]]) -> bool:
    said = terms[index]
    if not said:
        return False
    rarest = min(said, key=lambda term: len(having[term]))
    if len(having[rarest]) > MAX_ALIKE:
        return False
    return any(len(terms[other]) > len(said) and _says_more(terms[other], said) for other in having[rarest])


@cache
def _negations() -> frozenset[str]:
    return frozenset(terms_of(" ".join(value_words().negations), Stems()))


def _says_more(more: tuple[str, ...], said: tuple[str, ...]) -> bool:
    rest = iter(more)
    in_order = all(term in rest for term in said)
    return in_order and _negations().isdisjoint(set(more) - set(said))
