"""Titles, and paragraphs that begin alike, below a rule that recurs, in texts that are several in one: the licences that a package bundles, the notes of a digest.

Pure; time linear in the lines.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from summarizing.text.headings.candidates import (
    ABOVE_ALL,
    MAX_PLAIN_HEADING_CHARS,
    MAX_PLAIN_HEADING_WORDS,
    Candidate,
    end_of_paragraph,
    is_rule,
)
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import Line, item_mark

# A rule parts a text where it stands alone so often, and this share of the times over a title.
_MIN_PARTS = 3
_MIN_TITLES = 0.8
# So many kinds of rules are looked at, each of which may be within the parts of the one before.
_MAX_RULES = 8
# Up to its first number.
_BEGINNING = re.compile(r"[^\W\d]\D{9,150}(?=\d)")


def parted_titles(lines: Sequence[Line], opaque: bytearray) -> list[Candidate]:
    """Return the titles that stand alone below the same rule, which stands alone, too: what stood above ends there."""
    rules: dict[str, list[int]] = defaultdict(list)
    for number in range(len(lines) - 1):
        line = lines[number]
        if (
            line.gap
            and lines[number + 1].gap
            and line.indent == 0
            and not opaque[number]
            and is_rule(line.text)
        ):
            rules[line.text].append(number)
    found: list[Candidate] = []
    # A rule that is first met below the titles of another one parts their texts.
    for rule, numbers in islice(rules.items(), _MAX_RULES):
        titles = [number + 1 for number in numbers if not opaque[number + 1] and _is_title(lines, number + 1)]
        if len(titles) >= max(_MIN_PARTS, _MIN_TITLES * len(numbers)):
            level = ABOVE_ALL + len({one.level for one in found})
            found += [Candidate(number, number, number, level, ("parted", rule)) for number in titles]
    return sorted([*found, *_openings(lines, opaque)])


def _openings(lines: Sequence[Line], opaque: bytearray) -> Iterator[Candidate]:
    """Yield the paragraphs directly below rules, and at the text's beginning, that begin alike but for a number: "What is new in 3.2 since"."""
    alike: dict[str, list[int]] = defaultdict(list)
    others = 0
    for number, line in enumerate(lines):
        begins = number == 0 or (lines[number - 1].gap and is_rule(lines[number - 1].text))
        if begins and not (line.indent or opaque[number]) and (beginning := _BEGINNING.match(line.text)):
            alike[beginning[0]].append(number)
        elif begins and number and not opaque[number]:
            others += 1
    for words, numbers in alike.items():
        if len(numbers) >= max(_MIN_PARTS, _MIN_TITLES * (len(numbers) + others)):
            for number in numbers:
                last = end_of_paragraph(lines, number)
                yield Candidate(number, last, number, ABOVE_ALL, ("parted", words), is_statement=True)


def _is_title(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is short, of words, and stands alone over something."""
    text = lines[number].text
    is_alone = number + 1 < len(lines) and lines[number + 1].gap
    is_short = (
        lines[number].length <= MAX_PLAIN_HEADING_CHARS and len(text.split()) <= MAX_PLAIN_HEADING_WORDS
    )
    is_of_words = any(map(str.isalpha, text)) and not item_mark(text)
    return is_alone and is_short and is_of_words and not ends_sentence(text)
