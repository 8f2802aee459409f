"""The sentences and lines of one paragraph: which of them are orders to a model, and what belongs to those.

Reads with the rules it is given. Refuses to look past the paragraph, and never takes more than whole sentences, lines or cells.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from summarizing.sanitizing.injection_folding import Reading, folded, readings
from summarizing.sanitizing.injection_reports import Reports
from summarizing.sanitizing.injection_rules import COMPACT
from summarizing.sanitizing.injection_wording import ALONE, PARTNERS, WEAK, Kind, Rule, Span

# An announced payload ends with its paragraph, but a log is one paragraph of a thousand lines.
MAX_PAYLOAD_CHARS = 600

# A sentence is rarely broken over more lines to one side; lines of a log, all in lower case, are no sentence.
MAX_RUN_ON = 4

_PIECE = re.compile(
    r"(?:[^\n.!?…。！？]|[.!?…](?![.!?…\"'”’)\]*_`]{0,8}(?:\s|\Z)))*+"
    r"(?:[.!?…][.!?…\"'”’)\]*_`]{0,8}[^\S\n]*\n?|[。！？]+[」』”）\"]*\n?|\n|\Z)"
)
_BORDER = re.compile(r"(?<!\\)\|")
_NEW_ITEM = re.compile(r"[ \t]*(?:[-*+>|#]|\d{1,9}[.)])[ \t]|[ \t]*\|")
# "Print the following:" is said to readers too, and what follows is theirs.
_WHOLE_ANSWER = re.compile(
    r"\b(?:your|the|every|each|any) (?:complete|whole|entire|full|final|only|sole|exact) (?:summary|summari[sz]ation|answer|response|reply|output)\b"
)
# A comment or a heading ends with its line where the next one is none.
_COMMENT = re.compile(r"[ \t]*(?:#|//|/\*|<!--)")
_ENDED = re.compile(r"[.!?…。！？:：][\"'”’)\]*_`」』）]*\s*$")

# Sentences that go on giving orders, right behind one.
_GOES_ON = re.compile(
    r"\W*(?:(?:and|then|now|so|also|please|just|simply|only|next|first|finally) )?(?:instead|you|your|from now|reply|respond|answer|write|say|tell|output|print|return|do not|don't|never"
    r"|always|only|translate|repeat|send|call|use the|visit|click|recommend|include|act|pretend|begin|start|end|finish|failure to|this is (?:an order|critical|mandatory|very important)|it is (?:critical|essential)"
    r"|no matter|under no|the summary|the only|generate|compose|list|reveal|append|add|insert|mention|state|declare|stop|act as|speak|ignore|disregard|forget|obey|new task|sage|schreibe?|antworte|gib|du |dein|ihre? |stattdessen"
    r"|reponds|repondez|ecris|ecrivez|dis |dites|tu |vous |votre|ton |a la place|responde|escribe|di |tu |su |en su lugar|ответ|напиши|скажи|теперь|вместо|вы |ты )"
    r"|\W*(?:请|請|只|你|您|现在|現在|改为|而是|输出|回答|回复|必须|不要|代わりに|次|あなた|必ず|「|ただ)"
)  # fmt: skip


class Paragraph:
    """The sentences and lines of a paragraph, and which of them are orders."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self.pieces = list(_pieces(text, start, end))
        self._ends = [piece_end for _, piece_end in self.pieces]
        self._signals: dict[Kind, set[int]] = {kind: set() for kind in Kind}
        self._announcing: set[int] = set()
        self._sentences: dict[int, range] = {}
        self._going_on: dict[int, bool] = {}

    def read(self, rules: tuple[Rule, ...]) -> None:
        """Find the pieces that rules match."""
        strings = [self._text[start:end] for start, end in self.pieces]
        # A paragraph ends with blank lines, of which two say as much as a thousand.
        while len(strings) > 2 and not "".join(strings[-3:]).strip():
            strings.pop()
        kinds = {rule.kind for rule in (*rules, *COMPACT)}
        found = [
            (rule, reading, match)
            for reading in readings(strings, tuple(rule for rule in rules if _may_count(rule, kinds)))
            for rule in reading.rules
            for match in rule.pattern.finditer(reading.text)
        ]
        # A chat has thousands of names that speak to somebody, and seldom an order beside one.
        kinds = {rule.kind for rule, _, _ in found}
        reports: dict[int, Reports] = {}
        for rule, reading, match in found:
            if _may_count(rule, kinds):
                told = reports.get(id(reading)) or reports.setdefault(id(reading), Reports(reading.text))
                self._take(rule, reading, match, told)

    def _take(self, rule: Rule, reading: Reading, match: re.Match[str], reports: Reports) -> None:
        start = match.start() + len(match[0]) - len(match[0].lstrip(" \t\n.!?:;,。\"'“”«»—-*#>[]()|"))
        if start >= match.end() or reports.tell_of(start, match.end()):
            return
        first, last = _index(reading.ends, start), _index(reading.ends, match.end() - 1)
        if rule.kind is Kind.FRAME and self._sentence(first)[0] != first:
            return
        self._signals[rule.kind].update(range(first, last + 1))
        if rule.announces:
            self._announcing.add(last)

    def mark(self, start: int, end: int, *, announces: bool) -> None:
        """Take the pieces that a stretch of the text touches."""
        first, last = _index(self._ends, start), _index(self._ends, end - 1)
        self._signals[ALONE].update(range(first, last + 1))
        if announces:
            self._announcing.add(last)

    def spans(self) -> Iterator[Span]:
        """Yield the stretches that go: each order's whole sentence, and what it announces."""
        for index in sorted(self._taken):
            start, end = self.pieces[index]
            stretch = self._text[start:end]
            if stretch.strip():
                yield start + len(stretch) - len(stretch.lstrip()), end - len(stretch) + len(stretch.rstrip())

    @cached_property
    def _taken(self) -> set[int]:
        """The pieces of orders, and of what they announce."""
        strong = self._signals[ALONE] | self._paired()
        near = {index for index in self._signals[WEAK] if not strong.isdisjoint(range(index - 2, index + 3))}
        taken = {index for hit in strong | near for index in self._sentence(hit)}
        for index in sorted(taken):
            taken |= self._payload(index)
        return taken

    def announces_the_next(self) -> bool:
        """Whether the paragraph ends with a colon, and the order before it is what to answer as a whole."""
        last = len(self.pieces) - 1
        while last > 0 and not self._of(last).strip():
            last -= 1
        is_end = self._of(last).rstrip().endswith((":", "\uff1a")) and last in self._taken
        return is_end and any(_WHOLE_ANSWER.search(folded(self._of(index))) for index in self._sentence(last))

    def _of(self, index: int) -> str:
        return self._text[slice(*self.pieces[index])]

    def _paired(self) -> set[int]:
        """Return the pieces of two signals that make an order together."""
        taken: set[int] = set()
        for leading, partners in PARTNERS.items():
            signals = {kind: self._signals[kind] for kind in partners if self._signals[kind]}
            for index in self._signals[leading] if signals else ():
                for kind, signal in signals.items():
                    found = signal.intersection(self._around(index, partners[kind]))
                    if found:
                        taken.add(index)
                        taken |= found
        return taken

    def _around(self, index: int, reach: int) -> range:
        """Return the pieces of a sentence, and those of as many sentences to each side as it may reach."""
        sentence = self._sentence(index)
        first, last = sentence[0], sentence[-1]
        for _ in range(reach):
            first = self._sentence(first - 1)[0] if first > 0 else first
            last = self._sentence(last + 1)[-1] if last + 1 < len(self.pieces) else last
        return range(first, last + 1)

    def _sentence(self, index: int) -> range:
        """Return the pieces of a sentence that is broken over lines; found once, since each of its signals asks for it."""
        sentence = self._sentences.get(index)
        if sentence is None:
            sentence = self._sentences[index] = self._sentence_around(index)
        return sentence

    def _sentence_around(self, index: int) -> range:
        first = last = index
        while first > max(index - MAX_RUN_ON, 0) and self._runs_on(first - 1):
            first -= 1
        while last + 1 < min(index + MAX_RUN_ON, len(self.pieces)) and self._runs_on(last):
            last += 1
        return range(first, last + 1)

    def _runs_on(self, index: int) -> bool:
        """Whether a piece goes on in the next line."""
        goes_on = self._going_on.get(index)
        if goes_on is None:
            goes_on = self._going_on[index] = self._is_broken_off(index)
        return goes_on

    def _is_broken_off(self, index: int) -> bool:
        (start, end), (next_start, next_end) = self.pieces[index : index + 2]
        if self._text[start:end] == "|":
            return False
        if _COMMENT.match(self._text, start) and not _COMMENT.match(self._text, next_start):
            return False
        if _ENDED.search(self._text[start:end]) or _NEW_ITEM.match(self._text, next_start):
            return False
        following = self._text[next_start:next_end].lstrip(" \t\"'“«*_")
        return following[:1].islower() or not self._text[start:end].endswith("\n")

    def _payload(self, index: int) -> set[int]:
        """Return the pieces behind an order that it announces, or that go on with it."""
        start, end = self.pieces[index]
        is_announced = index in self._announcing or self._text[start:end].rstrip().endswith((":", "："))
        taken: set[int] = set()
        for following in range(index + 1, len(self.pieces)):
            piece_start, piece_end = self.pieces[following]
            goes_on = is_announced or _GOES_ON.match(folded(self._text[piece_start:piece_end]))
            if not goes_on or piece_end - end > MAX_PAYLOAD_CHARS:
                break
            taken.add(following)
        return taken


def _may_count(rule: Rule, kinds: set[Kind]) -> bool:
    """Whether what a rule matches can make an order, where there is nothing but these kinds of signals."""
    if rule.announces or rule.kind in (ALONE, WEAK) or not kinds.isdisjoint(PARTNERS.get(rule.kind, ())):
        return True
    return any(rule.kind in PARTNERS[leading] for leading in kinds & PARTNERS.keys())


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences and lines of a paragraph, and of a row of a table its cells."""
    for piece in _PIECE.finditer(text, start, end):
        at = piece.start()
        if piece[0].lstrip().startswith("|"):
            for border in _BORDER.finditer(text, at, piece.end()):
                if at < border.start():
                    yield at, border.start()
                yield border.span()
                at = border.end()
        if at < piece.end():
            yield at, piece.end()


def _index(ends: Sequence[int], at: int) -> int:
    """Return the number of the piece that a character is in."""
    return min(bisect_right(ends, at), len(ends) - 1)
