"""What nobody writes, but an attacker would send: one kind of value, signs, tiny paragraphs."""

import string
from collections.abc import Callable, Iterator
from itertools import count
from random import Random

from bench.cost_texts.vocabulary import CJK, NAMES, PLACES, WORDS, Lines, hex_digits, sentence

_MONTHS = ("January", "March", "May", "July", "August", "October")
_UNITS = ("kg", "km", "%", "days", "MB", "€")

BEGINS = (
    "", "", "- ", "> ", "## ", "1. ", "    ", "| ", "$ ", ">>> ", "// ", "[INFO] ", "user: ", "<li>",
    "“",
)  # fmt: skip
ENDS = ("", "", ".", ";", ":", " |", "</li>", "”", "\n", "\n\n", "\n---", "\r")
SEPARATORS = (" ", ", ", "\t", " | ", ": ", "=", ";", "-", "_", "/")

ANY_SPACE_AFTER = 60


def identifiers(chance: Random) -> Iterator[str]:
    """Numbers of 36 characters, one a line."""
    while True:
        yield "-".join(hex_digits(chance, digits) for digits in (8, 4, 4, 4, 12))


def random_words(chance: Random) -> Iterator[str]:
    """Words that never come again, in lines of twelve."""
    while True:
        yield " ".join(
            "".join(chance.choices(string.ascii_lowercase, k=chance.randint(3, 9))) for _ in range(12)
        )


def capitals(chance: Random) -> Iterator[str]:
    """Words that never come again, each with a capital."""
    return (line.title() for line in random_words(chance))


def camels(chance: Random) -> Iterator[str]:
    """Names in camel case that never come again."""
    while True:
        yield " ".join(
            "".join(chance.choices(WORDS, k=3)) + "".join(word.title() for word in chance.choices(WORDS, k=4))
            for _ in range(4)
        )


def random_unicode(chance: Random) -> Iterator[str]:
    """Characters of any script, spaces between some of them."""
    while True:
        codes = (
            chance.choice((chance.randrange(0x20, 0x2FF), chance.randrange(0x20, 0xD7FF))) for _ in range(60)
        )
        yield "".join(" " if code % ANY_SPACE_AFTER < 9 else chr(code) for code in codes)


def signs(chance: Random) -> Iterator[str]:
    """Punctuation, in lines."""
    while True:
        yield "".join(chance.choices(string.punctuation + " ", k=60))


def short_lines(chance: Random) -> Iterator[str]:
    """A letter a line."""
    return (chance.choice(string.ascii_letters) for _ in count())


def one_word_lines(chance: Random) -> Iterator[str]:
    """A word a line, each a paragraph."""
    return (chance.choice(WORDS) + "\n" for _ in count())


def phrase(chance: Random, least: int, most: int) -> str:
    words = chance.choice(WORDS)
    while len(words) < least:
        words += f" {chance.choice(WORDS)}"
    return words[:most].strip()


def _paragraphs(line: Callable[[], str], chance: Random, least: int, most: int) -> Iterator[str]:
    while True:
        yield "\n".join(line() for _ in range(chance.randint(least, most))) + "\n"


def fragments(chance: Random) -> Iterator[str]:
    """Some lines of one shape, then some of another: nothing that was learnt of the lines before helps with the next."""
    words = [
        *WORDS,
        *NAMES,
        "key=value",
        "12:30",
        "v1.2.3",
        "$5",
        "C:\\x",
        "#12",
        "naïve",
        "价格",
        "https://x.example/a?b=c",
    ]
    while True:
        begin, end = chance.choice(BEGINS), chance.choice(ENDS)
        separator, fields = chance.choice(SEPARATORS), chance.randint(1, 6)
        for _ in range(chance.randint(4, 12)):
            values = (
                chance.choice(words)
                if chance.random() < 0.6
                else str(chance.randrange(10 ** chance.randint(1, 7)))
                for _ in range(fields)
            )
            yield f"{begin}{separator.join(values)}{end}"


def split_fields(chance: Random) -> Iterator[str]:
    """Paragraphs of one line with a quotation, names and numbers, between rules."""
    while True:
        words = " ".join(chance.choices([*WORDS, *NAMES], k=3))
        yield f'"{chance.choice(WORDS)}" := {words} {chance.randrange(10 ** chance.randint(1, 6))}\n---'


def tiny_paragraphs(chance: Random) -> Iterator[str]:
    """Paragraphs of one to three lines of a word or three."""
    return _paragraphs(lambda: phrase(chance, 10, 16), chance, 1, 3)


def tiny_capitals(chance: Random) -> Iterator[str]:
    """Two words in capitals, each pair a paragraph: any of them may be a name."""
    return _paragraphs(lambda: phrase(chance, 11, 13).upper(), chance, 1, 1)


def tiny_fields(chance: Random) -> Iterator[str]:
    """Paragraphs of a few keys with numbers."""
    return _paragraphs(lambda: f"{chance.choice(WORDS)}: {chance.randrange(9_999)}", chance, 1, 3)


def tiny_counts(chance: Random) -> Iterator[str]:
    """Paragraphs of six lines, each a number and a word: too long for tiny ones."""
    return _paragraphs(lambda: f"{chance.randrange(99_999)} {phrase(chance, 7, 10)}", chance, 6, 6)


def tiny_indented(chance: Random) -> Iterator[str]:
    """Paragraphs of six short lines, of which every second is indented."""
    while True:
        yield "\n".join(f"{phrase(chance, 10, 15)}\n  {phrase(chance, 10, 15)}" for _ in range(3)) + "\n"


def tiny_notes(chance: Random) -> Iterator[str]:
    """Tiny paragraphs, short lists, keys with values and single letters by turns."""
    kinds: tuple[Callable[[], str], ...] = (
        lambda: phrase(chance, 10, 16),
        lambda: f"- {phrase(chance, 6, 12)}\n- {phrase(chance, 6, 12)}",
        lambda: f"{chance.choice(WORDS)}: {chance.choice(WORDS)}",
        lambda: f"({phrase(chance, 8, 12)})",
        lambda: f"This {chance.choice(WORDS)}.",
        lambda: f"{phrase(chance, 8, 12)}:\n{phrase(chance, 8, 12)}",
        lambda: chance.choice(string.ascii_letters),
    )
    while True:
        yield "\n".join(kind() for kind in chance.choices(kinds, k=chance.randint(1, 3))) + "\n"


def dates(chance: Random) -> Iterator[str]:
    """Dates, one a line."""
    return (f"{chance.randint(1, 28)} {chance.choice(_MONTHS)} {chance.randint(1900, 2099)}" for _ in count())


def amounts(chance: Random) -> Iterator[str]:
    """Numbers with units, one a line."""
    return (f"{chance.randrange(9_999)}.{chance.randrange(99)} {chance.choice(_UNITS)}" for _ in count())


def addresses(chance: Random) -> Iterator[str]:
    """Addresses of machines with ports, one a line."""
    return (
        ".".join(str(chance.randrange(256)) for _ in range(4)) + f":{chance.randrange(9_999)}"
        for _ in count()
    )


def assignments(chance: Random) -> Iterator[str]:
    """A letter that gets another one's value."""
    return (f"{chance.choice(string.ascii_letters)}={chance.choice(string.ascii_letters)};" for _ in count())


def bracket_soup(chance: Random) -> Iterator[str]:
    """Brackets that nest and never close."""
    return ("".join(chance.choices("([{<>}])", k=60)) for _ in count())


def emoji(chance: Random) -> Iterator[str]:
    """Signs above the Basic Multilingual Plane, in lines."""
    while True:
        yield "".join(chr(chance.randrange(0x1F300, 0x1F64F)) for _ in range(chance.randint(1, 30)))


def cjk_list(chance: Random) -> Iterator[str]:
    """Words of a script without spaces, one a line."""
    while True:
        yield "- " + "".join(chance.choices(CJK, k=chance.randint(2, 5)))


def labels(chance: Random) -> Iterator[str]:
    """Lines that end with a colon: each announces the next."""
    return (f"{chance.choice(WORDS)} {chance.choice(WORDS)}:" for _ in count())


def answers(chance: Random) -> Iterator[str]:
    """Lines with as many kinds of values as fit: every line answers the query."""
    while True:
        yield (
            f"{chance.choice(NAMES)} {chance.choice(PLACES)}son, leader of the Guild of {chance.choice(PLACES)}, "
            f"paid $ {chance.randrange(900)} on 2026-07-{chance.randint(10, 28)} for version "
            f"{chance.randrange(9)}.{chance.randrange(9)} (error E-{chance.randrange(999)}, 20 %)."
        )


def counted_words(chance: Random) -> Iterator[str]:
    """A word that never comes again and a number, over a line of prose: each heading looks like no other."""
    while True:
        word = "".join(chance.choices(string.ascii_lowercase, k=9)).title()
        yield f"{word} 1\n\n{sentence(chance)}\n"


def quotes(chance: Random) -> Iterator[str]:
    """Words in quotation marks and code spans."""
    return (f'"{chance.choice(WORDS)}" `{chance.choice(WORDS)}` ' * 4 for _ in count())


SHAPES: tuple[Lines, ...] = (
    identifiers, random_words, capitals, camels, random_unicode, signs, short_lines,
    one_word_lines, labels, answers, counted_words, quotes, fragments, split_fields, tiny_paragraphs,
    tiny_capitals, tiny_fields, tiny_counts, tiny_indented, tiny_notes, dates, amounts,
    addresses, assignments, bracket_soup, emoji, cjk_list,
)  # fmt: skip
