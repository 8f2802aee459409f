"""Models that stand in for real ones, each with one trait: faithful, forgetful, inventing, obedient, over budget.

They find a document's gold facts in whatever prompt they are given, so that every pipeline meets the same model; they
know nothing else of a pipeline but the length its prompt states. They speak through the stand-in server of the tests,
over a real socket, streamed or whole as the client asks.

Not here: understanding, and style. A real model is measured apart from these.
"""

import asyncio
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from aiohttp import web

from bench.fidelity.attacks import Attack, seen_by_a_model
from bench.fidelity.documents import Document, Gold
from summarizing.text.tokenizer import Tokenizer
from tests.support.stand_in import Call, EventStream

Count = Callable[[str], int]

# So many of a hundred facts a forgetful model loses, by a hash of the fact: the same ones however often it is asked.
FORGOTTEN_PERCENT = 30

# An inventing model adds one line for so many true ones, and so many at least.
TRUE_LINES_PER_INVENTED = 4
LEAST_INVENTED = 4

# Of so many true lines, each with each other, values are swapped.
SWAPPED = 12

# How many times the words it was asked for a model writes that ignores its budget.
OVER_BUDGET = 4

# A length is stated at one end of a prompt; what stands in the middle may be the document's own words.
EDGE_CHARS = 600

# A sentence longer than this is no line that a model would write.
MAX_LINE_CHARS = 600

# Tokens that go out together in one event: about what providers do.
TOKENS_PER_EVENT = 4

_LENGTH = re.compile(r"(?:at most|no more than) (\d+) (words|characters|tokens)")
_SENTENCE = re.compile(r"[^\n]+?(?:(?<=[.!?])(?=\s)|(?<=[。！？])|$)", re.MULTILINE)
_LEAD = re.compile(r"^(?:[-*•>]\s+|#{1,6}\s+)+")
_LINE_END = re.compile(r"\s*\n\s*")
_NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class Tally:
    """What the calls of a run took, counted by the model's side: the same way for every pipeline."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Room:
    """How much an answer may hold: what its prompt states, and what `max_tokens` enforces."""

    stated: int | None
    unit: str
    max_tokens: int

    def times(self, factor: int) -> "Room":
        """Return the room of a model that writes so many times what was stated."""
        return Room(self.stated and self.stated * factor, self.unit, self.max_tokens)

    def of(self, text: str, count: Count) -> int:
        """Measure a text in the unit that was stated."""
        return {"words": lambda: len(text.split()), "characters": lambda: len(text)}.get(
            self.unit, lambda: count(text)
        )()


def room_in(prompt: str, max_tokens: int) -> Room:
    """Read the length that a prompt states at its end or, where it does not, at its beginning."""
    for edge in (prompt[-EDGE_CHARS:], prompt[:EDGE_CHARS]):
        if stated := _LENGTH.findall(edge):
            return Room(int(stated[-1][0]), stated[-1][1], max_tokens)
    return Room(None, "tokens", max_tokens)


# --- What a model reads and writes -----------------------------------------------------------------------------


def fold(text: str) -> str:
    """Return a text in the form that facts are looked for in: compatible letters, one case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def bare(line: str) -> str:
    """Return a line without what makes it an item or a heading; what was written over several lines in one."""
    return _LINE_END.sub(" ", _LEAD.sub("", line.strip()))


def line_of(gold: Gold) -> str:
    """Return the line that a faithful model writes for a fact: the document's, with what stands elsewhere before it."""
    line = bare(gold.line)
    missing = [part for part in gold.parts if fold(part) not in fold(line)]
    return f"{', '.join(missing)}: {line}" if missing else line


@dataclass(frozen=True)
class Seen:
    """A fact that a prompt holds, and the line that states it."""

    gold: Gold
    line: str


def facts_in(document: Document, prompt: str) -> list[Seen]:
    """Return the facts of a document that a prompt holds: in the document's own line, or in another with all parts."""
    folded = fold(prompt)
    sentences: list[tuple[str, str]] | None = None
    seen = []
    for gold in document.gold:
        if fold(bare(gold.line)) in folded:
            seen.append(Seen(gold, line_of(gold)))
        elif all(fold(part) in folded for part in gold.parts):
            sentences = sentences or [(sentence, fold(sentence)) for sentence in sentences_of(prompt)]
            found = (
                sentence for sentence, form in sentences if all(fold(part) in form for part in gold.parts)
            )
            if line := next(found, ""):
                seen.append(Seen(gold, bare(line)))
    return seen


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences and lines of a text that are short enough to be written again."""
    for match in _SENTENCE.finditer(text):
        if 0 < len(match[0].strip()) <= MAX_LINE_CHARS:
            yield match[0].strip()


def fitting(lines: Sequence[str], room: Room, count: Count) -> list[str]:
    """Return as many lines, in their order, as there is room for."""
    kept: list[str] = []
    stated, enforced = room.stated or room.max_tokens, room.max_tokens
    for line in dict.fromkeys(lines):
        item = f"- {line}\n"
        stated, enforced = stated - room.of(item, count), enforced - count(item)
        if min(stated, enforced) < 0:
            break
        kept.append(item.rstrip())
    return kept


# --- The models ------------------------------------------------------------------------------------------------


@dataclass
class Faithful:
    """Writes every gold fact that its prompt holds, while there is room, and nothing else."""

    document: Document
    tokenizer: Tokenizer
    seed: int = 0
    tally: Tally = field(default_factory=Tally)

    @property
    def count(self) -> Count:
        """Count in the tokens that every pipeline is measured in."""
        return self.tokenizer.count

    @property
    def label(self) -> str:
        """The trait, as reports name it."""
        return {"OverBudget": "over budget"}.get(type(self).__name__, type(self).__name__.lower())

    def write(self, prompt: str, room: Room) -> str:
        """Answer a prompt."""
        return self.listed(self.lines(prompt), prompt, room)

    def lines(self, prompt: str) -> list[str]:
        """Return the lines that the model would write if it had all the room."""
        return [seen.line for seen in facts_in(self.document, prompt)]

    def listed(self, lines: Sequence[str], prompt: str, room: Room) -> str:
        """Write lines as a list, under a heading where the prompt asks for headings; NONE where there is nothing."""
        wants_headings = 'headings that begin with "## "' in prompt
        heading = f"## {self.document.schema_hint.split(',')[0].strip()}\n" if wants_headings else ""
        kept = fitting(lines, room, self.count)
        return heading + "\n".join(kept) if kept else "NONE"

    async def give(self, call: Call) -> web.StreamResponse:
        """Serve one request: the text, cut at `max_tokens`, with its usage."""
        prompt = "\n\n".join(str(message.get("content") or "") for message in call.payload["messages"])
        text = await asyncio.to_thread(self.write, prompt, room_in(prompt, call.max_tokens))
        pieces, finish = self._cut(text, call.max_tokens)
        self.tally.calls += 1
        self.tally.prompt_tokens += self.count(prompt)
        self.tally.answer_tokens += self.count("".join(pieces))
        return await (self._stream if call.wants_stream else self._whole)(call, pieces, finish)

    def _cut(self, text: str, max_tokens: int) -> tuple[list[str], str]:
        """Return the lines of an answer up to the limit, and why it ended."""
        kept = self.tokenizer.cut(text, max_tokens)
        return kept.splitlines(keepends=True), "stop" if kept == text else "length"

    async def _whole(self, call: Call, pieces: list[str], finish: str) -> web.Response:
        message = {"role": "assistant", "content": "".join(pieces)}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return web.json_response(
            {**call.envelope("chat.completion"), "choices": [choice], "usage": self._usage()}
        )

    async def _stream(self, call: Call, pieces: list[str], finish: str) -> web.StreamResponse:
        stream = await EventStream.open(call)
        for piece in pieces:
            await self.pace(piece)
            await stream.chunk(choices=[{"index": 0, "delta": {"content": piece}, "finish_reason": None}])
        await stream.chunk(choices=[{"index": 0, "delta": {}, "finish_reason": finish}])
        await stream.chunk(choices=[], usage=self._usage())
        await stream.done()
        return stream.response

    async def pace(self, piece: str) -> None:
        """Take the time that a piece of an answer takes: none, unless a model is to be slow."""

    def _usage(self) -> dict[str, int]:
        prompt, answer = self.tally.prompt_tokens, self.tally.answer_tokens
        return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


class Forgetful(Faithful):
    """Loses 30 % of the facts that it sees: always the same ones, for a merge too."""

    def lines(self, prompt: str) -> list[str]:
        """Leave out what is forgotten."""
        return [seen.line for seen in facts_in(self.document, prompt) if not self._forgets(seen.gold)]

    def _forgets(self, gold: Gold) -> bool:
        digest = hashlib.sha256(f"{self.seed}\x1f{gold.parts}".encode()).digest()
        return int.from_bytes(digest[:4], "big") % 100 < FORGOTTEN_PERCENT


@dataclass
class Inventing(Faithful):
    """Adds lines that are not so; `invented` has all that it ever wrote."""

    invented: list[str] = field(default_factory=list)

    def lines(self, prompt: str) -> list[str]:
        """Put an invented line after every few true ones."""
        seen = facts_in(self.document, prompt)
        lines = [one.line for one in seen]
        invented = self._inventions(seen)[: max(LEAST_INVENTED, len(lines) // TRUE_LINES_PER_INVENTED)]
        for number, line in enumerate(invented):
            lines.insert(min(number * (TRUE_LINES_PER_INVENTED + 1), len(lines)), line)
        self.invented += [line for line in invented if line not in self.invented]
        return lines

    def _inventions(self, seen: Sequence[Seen]) -> list[str]:
        """Return lines of each kind in turn, none of which the document has."""
        kinds = [
            [f"{name} is recorded with {value}." for name, value in MADE_UP],
            [changed for one in seen if (changed := changed_number(one.line))],
            [swapped for one, other in combinations(seen[:SWAPPED], 2) for swapped in swaps(one, other)],
            [f"Details are at {url}" for url in MADE_UP_URLS],
            [f"Run `{command}` to apply it." for command in MADE_UP_COMMANDS],
        ]
        most = max(map(len, kinds))
        mixed = [kind[at] for at in range(most) for kind in kinds if at < len(kind)]
        known = fold(self.document.text)
        return [line for line in mixed if fold(line) not in known and not self._is_true(line)]

    def _is_true(self, line: str) -> bool:
        """Whether a line, by chance, states a fact of the document: two things may have the same value."""
        form = fold(line)
        numbers = set(_NUMBER.findall(form))
        facts = (*self.document.gold, *self.document.others)
        return any(
            all(fold(part) in form for part in gold.parts)
            and numbers <= set(_NUMBER.findall(fold(gold.line)))
            for gold in facts
        ) and not any(name.casefold() in form for name, _ in MADE_UP)


MADE_UP = (
    ("Quillon Brandtvik", "4,817 kilograms"),
    ("Tessaly Orrhelm", "a rating of 93.7"),
    ("xq-ledger-9d41", "17 restarts"),
    ("Vandermoor Quay", "the year 1743"),
    ("Iskra Pellandini", "612 votes"),
    ("max_quorum_drift", "88431"),
)
MADE_UP_URLS = (
    "https://portal.quillon-brandtvik.example/renew",
    "https://files.vandermoor.example/patch-7741.zip",
    "http://198.51.100.77/login",
)
MADE_UP_COMMANDS = (
    "qbrandt-ctl purge --yes /srv/vandermoor",
    "vdm-install --from patch-7741.zip",
    "orrhelm reset --token 7741-9d41",
)


def changed_number(line: str) -> str:
    """Return a line with its last number changed, "" where it has none."""
    numbers = list(_NUMBER.finditer(line))
    if not numbers:
        return ""
    last = numbers[-1]
    changed = str(int(last[0]) + 7).zfill(len(last[0]))
    return line[: last.start()] + changed + line[last.end() :]


def swaps(one: Seen, other: Seen) -> list[str]:
    """Return both lines with each other's last part, where the two look alike and each line has its own once."""
    mine, theirs = one.gold.parts[-1], other.gold.parts[-1]
    alike = (
        mine != theirs and shape(mine) == shape(theirs) and len(one.gold.parts) > 1 < len(other.gold.parts)
    )
    apart = one.line.count(mine) == 1 == other.line.count(theirs) and theirs not in one.line
    return (
        [one.line.replace(mine, theirs), other.line.replace(theirs, mine)]
        if alike and apart and mine not in other.line
        else []
    )


def shape(part: str) -> str:
    """Return what kind of value a part is: numbers as one digit, words as one letter, all else as it is."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", part))


@dataclass
class Obedient(Faithful):
    """Does what an injected text tells it, wherever in its prompt it reads one; otherwise faithful."""

    attacks: Sequence[Attack] = ()
    obeyed: list[Attack] = field(default_factory=list)

    def write(self, prompt: str, room: Room) -> str:
        """Say what the first injected text asks for, and nothing of the material."""
        read = seen_by_a_model(prompt)
        for attack in self.attacks:
            if attack.order_as_read in read:
                self.obeyed.append(attack)
                return attack.payload
        return super().write(prompt, room)


class OverBudget(Faithful):
    """Writes four times what it was asked for: the facts, and between them whatever else the text says."""

    def write(self, prompt: str, room: Room) -> str:
        """Copy sentences of the document around the facts."""
        facts = self.lines(prompt)
        material = self.document.text
        padding = [bare(sentence) for sentence in sentences_of(prompt) if sentence in material]
        wide = Room(room.times(OVER_BUDGET).stated, room.unit, room.max_tokens * OVER_BUDGET)
        size = room.of("\n".join(padding), self.count) or 1
        # As many of the other sentences as fill what the facts leave, spread over the answer.
        left = (wide.stated or wide.max_tokens) - room.of("\n".join(facts), self.count)
        share = min(1.0, max(left, 0) / size)
        chosen = [line for at, line in enumerate(padding) if int(at * share) != int((at + 1) * share)]
        order = {line: at for at, line in enumerate(padding)}
        lines = sorted({*facts, *chosen}, key=lambda line: (order.get(line, len(order)), line))
        return self.listed(lines, prompt, wide)


@dataclass
class Paced(Faithful):
    """Faithful at the speed of a hosted model."""

    first_token_s: float = 0.5
    tokens_per_s: float = 80.0

    async def _stream(self, call: Call, pieces: list[str], finish: str) -> web.StreamResponse:
        await asyncio.sleep(self.first_token_s)
        words = re.findall(r"\s*\S+|\s+", "".join(pieces))
        groups = ["".join(words[at : at + TOKENS_PER_EVENT]) for at in range(0, len(words), TOKENS_PER_EVENT)]
        return await super()._stream(call, groups, finish)

    async def pace(self, piece: str) -> None:
        """Wait as long as the tokens of a piece take."""
        await asyncio.sleep(self.count(piece) / self.tokens_per_s)


PERSONALITIES: tuple[type[Faithful], ...] = (Faithful, Forgetful, Inventing, OverBudget)
