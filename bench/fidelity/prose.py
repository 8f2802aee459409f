"""Documents of sections, paragraphs, lists and tables: pages, minutes, mails, references. Sizes are as grammar.size has them.

The facts are written first; the rest is then added until they are the share of the document that was asked for, and
they are put into it anywhere. What a document is about is in its file of words, none of it is here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from bench.fidelity.gold import Document, Gold
from bench.fidelity.grammar import Pen, Rules, size

# The lines of the facts have this share of a document: a summary of a tenth can hold them all, one of a fortieth some.
LEAST_SHARE, MOST_SHARE = 0.05, 0.062

SENTENCES = (3, 8)
SENTENCES_OF_A_LONG_PARAGRAPH = (16, 30)
ITEMS = (3, 7)
ROWS = (3, 6)

# A table of facts has so many of them.
FACTS_IN_A_TABLE = (3, 6)


@dataclass(frozen=True, slots=True)
class Plan:
    """What kind of a document is to be written, of which words, and with how many facts."""

    name: str
    kind: str
    facts: int
    language: str = "en"
    topics: int = 2
    ends_with_a_fact: bool = False


@dataclass(slots=True)
class Block:
    """A paragraph, a list, a table, or something that is no place for a fact."""

    shape: str
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (" " if self.shape == "paragraph" else "\n").join(self.lines)


@dataclass(slots=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    blocks: list[Block]

    def __str__(self) -> str:
        return "\n\n".join([self.heading, *map(str, self.blocks)])


def compose(plan: Plan, rules: Rules, random: Random) -> Document:
    """Write a document."""
    pen = Pen(rules, random)
    topics = random.sample(pen.names("fact."), len(pen.names("fact.")))
    asked, rest = topics[: plan.topics], topics[plan.topics :]
    gold = _facts(pen, asked, plan.facts)
    others = _facts(pen, rest, plan.facts)
    share = random.uniform(LEAST_SHARE, MOST_SHARE)
    length = round(sum(size(fact.line) for _, fact in gold) / share)
    title = pen.write("top")
    bottom = "" if plan.ends_with_a_fact else pen.write("bottom")
    spent = size(title) + size(bottom) + sum(size(fact.line) for _, fact in others)
    sections = list(_sections(pen, length - spent))
    last = _last_sentence(gold) if plan.ends_with_a_fact else None
    for topic, fact in [*gold, *others]:
        if fact is not last:
            _place(pen, sections, topic, fact)
    end = last.line if last else bottom
    text = "\n\n".join([title, *map(str, sections), end]) + "\n"
    hint = _hint(pen, asked)
    return Document(
        plan.name,
        plan.kind,
        plan.language,
        text,
        hint,
        tuple(fact for _, fact in gold),
        tuple(fact for _, fact in others),
    )


def _hint(pen: Pen, topics: list[str]) -> str:
    return pen.random.choice(["; ", ", ", "\n"]).join(pen.write(f"hint.{topic}") for topic in topics)


def _facts(pen: Pen, topics: list[str], count: int) -> list[tuple[str, Gold]]:
    """Write facts on each of the topics: most as sentences, others as items of lists and rows of tables."""
    facts: list[tuple[str, Gold]] = []
    known: set[frozenset[str]] = set()
    while len(facts) < count:
        topic = topics[len(facts) % len(topics)]
        forms = [form for form in ("fact", "fact", "item", "row") if pen.has(f"{form}.{topic}")]
        form = pen.random.choice(forms)
        fact = pen.fact(f"{form}.{topic}")
        # Where a pool of words is used up the same fact may come again.
        if frozenset(fact.parts) not in known:
            known.add(frozenset(fact.parts))
            facts.append((f"{form}.{topic}", fact))
    return facts


def _last_sentence(facts: list[tuple[str, Gold]]) -> Gold | None:
    return next((fact for topic, fact in reversed(facts) if topic.startswith("fact.")), None)


def _sections(pen: Pen, length: int) -> Iterator[Section]:
    """Write sections without facts until they have the length."""
    while length > 0:
        blocks = [_block(pen, shape) for shape in pen.write("shape").split()]
        section = Section(pen.write("heading"), blocks)
        length -= size(str(section))
        yield section


def _block(pen: Pen, shape: str) -> Block:
    between = pen.random.randint
    match shape:
        case "list":
            return Block("list", [pen.write("item") for _ in range(between(*ITEMS))])
        case "table":
            rows = [pen.write("row") for _ in range(between(*ROWS))]
            return Block("rows", [*_head(pen, "head"), *rows])
        case "aside":
            return Block("aside", [pen.write("aside")])
        case _:
            sentences = SENTENCES_OF_A_LONG_PARAGRAPH if shape == "long" else SENTENCES
            return Block("paragraph", [pen.write("filler") for _ in range(between(*sentences))])


def _head(pen: Pen, rule: str) -> list[str]:
    head = pen.write(rule)
    return [head, "|" + " --- |" * (head.count("|") - 1)]


def _place(pen: Pen, sections: list[Section], topic: str, fact: Gold) -> None:
    """Put a fact where one of its form can stand: any paragraph, any list, a table of its topic."""
    form = topic.partition(".")[0]
    if form == "row":
        _place_in_table(pen, sections, topic, fact)
        return
    wanted = "list" if form == "item" else "paragraph"
    blocks = [block for section in sections for block in section.blocks if block.shape == wanted]
    if not blocks:
        blocks = [Block("list")]
        pen.random.choice(sections).blocks.append(blocks[0])
    block = pen.random.choice(blocks)
    block.lines.insert(pen.random.randint(0, len(block.lines)), fact.line)


def _place_in_table(pen: Pen, sections: list[Section], topic: str, fact: Gold) -> None:
    full = 2 + pen.random.randint(*FACTS_IN_A_TABLE)
    tables = [block for section in sections for block in section.blocks if block.shape == topic]
    table = next((table for table in tables if len(table.lines) < full), None)
    if table is None:
        table = Block(topic, _head(pen, f"head.{topic.removeprefix('row.')}"))
        pen.random.choice(sections).blocks.append(table)
    table.lines.append(fact.line)
