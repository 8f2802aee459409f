"""The words, names and sentences that the texts are made of."""

from collections.abc import Callable, Iterable
from random import Random

Lines = Callable[[Random], Iterable[str]]
"""The lines of a text without end."""

WORDS = [
    "the", "of", "a", "to", "and", "is", "in", "that", "service", "request", "error", "client",
    "server", "token", "key", "value", "order", "price", "date", "river", "bridge", "guard", "market",
    "captain", "letter", "council", "vote", "budget", "delay", "report", "release", "module", "parser",
    "thread", "memory", "cache", "index", "query", "table", "column", "winter", "summer", "harbour",
    "ship", "grain", "tower", "road", "north", "south", "east", "west", "old", "new", "small", "large",
    "first", "last", "never", "often",
]  # fmt: skip
NAMES = [
    "Ann", "Ben", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaito", "Lena",
    "Marek", "Nora", "Omar", "Petra", "Quinn", "Rosa",
]  # fmt: skip
PLACES = ["Emberwick", "Oslo", "Kyoto", "Lisbon", "Granada", "Turin", "Harrow", "Bergen", "Utrecht", "Dover"]

# Common characters of Japanese, Chinese and Korean texts.
CJK = [chr(code) for code in (*range(0x3042, 0x3094), *range(0x4E00, 0x5200), *range(0xAC00, 0xAD00))]


def of_size(lines: Iterable[str], size: int, separator: str = "\n") -> str:
    """Join lines until they have `size` bytes, and cut what is over."""
    parts: list[str] = []
    length = 0
    for line in lines:
        parts.append(line)
        length += len(line.encode("utf-8", "replace")) + len(separator)
        if length >= size:
            break
    return separator.join(parts).encode("utf-8", "replace")[:size].decode("utf-8", "ignore")


def sentence(chance: Random) -> str:
    words = chance.choices(WORDS, k=chance.randint(6, 18))
    words[chance.randrange(len(words))] = chance.choice(NAMES)
    if chance.random() < 0.3:
        words[-1] = str(chance.randrange(10_000))
    return " ".join(words).capitalize() + "."


def paragraph(chance: Random) -> str:
    return " ".join(sentence(chance) for _ in range(chance.randint(2, 7)))


def hex_digits(chance: Random, digits: int) -> str:
    return f"{chance.getrandbits(4 * digits):0{digits}x}"


def timestamp(chance: Random) -> str:
    return (
        f"2026-0{chance.randint(1, 9)}-1{chance.randrange(10)}T{chance.randint(10, 23)}:{chance.randint(10, 59)}"
        f":{chance.randint(10, 59)}"
    )
