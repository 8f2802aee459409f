"""Random mixtures of short lines, to find what costs more than any text of cost_texts/: see cost.py. The same for a seed on every run."""

from collections.abc import Callable, Iterator
from random import Random

from bench.cost_texts import adversarial
from bench.cost_texts.adversarial import BEGINS, ENDS, SEPARATORS, phrase
from bench.cost_texts.vocabulary import WORDS, Lines, of_size

MB = 1_000_000
# The smallest mixture; a smaller one tells little, since it has a part of a slice alone.
LEAST_SHARE_OF_SIZE = 0.2

# Kinds of texts that some lines of a mixture are of.
KINDS: tuple[Lines, ...] = (
    adversarial.fragments,
    adversarial.split_fields,
    adversarial.tiny_paragraphs,
    adversarial.tiny_fields,
    adversarial.tiny_counts,
    adversarial.tiny_indented,
    adversarial.tiny_notes,
)

Line = Callable[[Random], str]


def mixture(chance: Random, size: float) -> str:
    """Return paragraphs of a few kinds of lines, up to `size` MB of them: 15 to 50 characters a line."""
    return of_size(_paragraphs(chance), int(chance.uniform(LEAST_SHARE_OF_SIZE, 1.0) * size * MB))


def _paragraphs(chance: Random) -> Iterator[str]:
    makers = [_line(chance) for _ in range(chance.randint(1, 6))]
    kinds = [iter(kind(chance)) for kind in chance.sample(KINDS, chance.randint(0, 2))]
    least = chance.randint(1, 3)
    most = least + chance.choice((0, 0, 1, 2, 5))
    are_alike, are_indented, have_rules = (chance.random() < share for share in (0.6, 0.25, 0.2))
    while True:
        if kinds and chance.random() < 0.3:
            kind = chance.choice(kinds)
            yield from (next(kind) for _ in range(chance.randint(1, 12)))
            continue
        maker = chance.choice(makers)
        lines = (
            ("  " if are_indented and number % 2 else "")
            + (maker if are_alike else chance.choice(makers))(chance)
            for number in range(chance.randint(least, most))
        )
        yield "\n".join(lines) + "\n"
        if have_rules and chance.random() < 0.3:
            yield "---"


def _line(chance: Random) -> Line:
    """Return a kind of line: a function that makes another one of them each time."""
    least = chance.randint(6, 24)
    most = least + chance.randint(0, 14)
    numbers, fields = 10 ** chance.randint(1, 7), chance.randint(1, 5)
    begin, end, separator = chance.choice(BEGINS), chance.choice(ENDS).strip(), chance.choice(SEPARATORS)

    def words(chance: Random) -> str:
        return phrase(chance, least, most)

    def values(chance: Random) -> str:
        row = (
            chance.choice(WORDS) if chance.random() < 0.6 else str(chance.randrange(numbers))
            for _ in range(fields)
        )
        return f"{begin}{separator.join(row)}{end}"

    kinds: tuple[Line, ...] = (
        words,
        values,
        lambda chance: f"{words(chance).capitalize()}.",
        lambda chance: words(chance).title(),
        lambda chance: f"{begin}{words(chance)}{end}",
        lambda chance: f"{chance.choice(WORDS)}: {words(chance)}",
        lambda chance: f"{chance.choice(WORDS)}: {chance.randrange(numbers)}",
        lambda chance: f"{chance.randrange(numbers)} {words(chance)}",
        lambda chance: f'"{chance.choice(WORDS)}" := {words(chance)} {chance.randrange(numbers)}',
    )
    return chance.choice(kinds)
