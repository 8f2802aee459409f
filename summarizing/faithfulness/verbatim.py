"""What a source has word for word: sentences, commands, and telephone and account numbers.

Pure. Does not judge what it means where a source does not have them: summarizing/faithfulness/unsupported_facts.py and
answer_check.py do.
"""

import re
from functools import cached_property

from summarizing.faithfulness.commands import commands
from summarizing.text.document import NO_SEGMENT
from summarizing.text.language.stemming import SIGNS, blanked, blanks_for, parts_of

# At most this many characters stand between two groups of a number.
MAX_GROUP_GAP = 3

# A repeated sentence is looked for by its last characters first.
TAIL_CHARS = 40

_GAP = re.compile(r"\D+")
_LONG_GAP = re.compile(rf"\D{{{MAX_GROUP_GAP + 1},}}+")
# What ends a sentence in scripts where no space follows.
_UNSPACED_ENDS = ("\u3002", "\uff01", "\uff1f", "\uff61")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]")
_WORD = re.compile(r"[^\W_]+")
_WORD_ENDS = blanks_for(SIGNS)


class VerbatimSource:
    """A source's text, to look for the very words of an answer."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.unmarked_text = without_code_marks(text)
        """The text without code marks, with single spaces."""
        self._known: dict[str, bool] = {}

    def has(self, sentence: str) -> bool:
        """Whether the text has a sentence as it is: not "Fee: 5" of "Fee: 50", nor of "Fee: 5.50", nor "5" of ".5"."""
        known = self._known.get(sentence)
        if known is None:
            known = self._known[sentence] = self._find(sentence)
        return known

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_words_of(self.unmarked_text))

    def _find(self, sentence: str) -> bool:
        # The quick test first: a search through all of the text takes ten times as long.
        if not self._words.issuperset(_words_of(sentence)):
            return False
        ends = sentence.endswith(_UNSPACED_ENDS)
        at = self.unmarked_text.find(sentence)
        while at >= 0:
            end = at + len(sentence)
            before, behind = self.unmarked_text[max(at - 1, 0) : at], self.unmarked_text[end : end + 2]
            if before.isalnum() or (before == "." and sentence[:1].isdigit()):
                # Inside a word or a number: the next place that counts is after it.
                gap = _NO_LETTER_OR_DIGIT.search(self.unmarked_text, at)
                at = self._next(sentence, gap.end()) if gap else NO_SEGMENT
                continue
            goes_on = behind[:1].isalnum() or (behind[:1] in (".", ",", ":", "-") and behind[1:].isdigit())
            if ends or not goes_on:
                return True
            at = self._next(sentence, at + 1)
        return False

    def _next(self, sentence: str, at: int) -> int:
        """Return the next place of a sentence that has one already; NO_SEGMENT where there is no other.

        Where a text repeats itself, a long sentence stands at many places: to search for all of it each time would take long.
        """
        tail = sentence[-TAIL_CHARS:]
        lead = len(sentence) - len(tail)
        end = self.unmarked_text.find(tail, at + lead)
        while end >= 0 and not self.unmarked_text.startswith(sentence, end - lead):
            end = self.unmarked_text.find(tail, end + 1)
        return end - lead if end >= 0 else NO_SEGMENT

    def has_groups(self, number: str) -> bool:
        """Whether the text has a telephone or account number, however its groups are separated."""
        groups = re.findall(r"\d+", number)
        # The cheap test first: nearly always it fails, and compiling a pattern for each number takes long.
        if "".join(groups) not in self._digits:
            return False
        return (
            re.search(r"(?<!\d)" + rf"\D{{0,{MAX_GROUP_GAP}}}".join(groups) + r"(?!\d)", self._text)
            is not None
        )

    @cached_property
    def _digits(self) -> str:
        """The text's digits; gaps as short as those between groups of a number are closed, longer ones are a space."""
        return " ".join(_GAP.sub("", part) for part in _LONG_GAP.split(self._text))

    def commands_it_lacks(self, text: str) -> list[str]:
        """Return the commands in an answer that the source does not have."""
        found = (without_code_marks(text[start:end]) for start, end in commands(text))
        return [command for command in found if command not in self.unmarked_text]


def _words_of(text: str) -> list[str]:
    """Return the runs of letters and digits of a text: where a sentence stands in it, none goes on before or behind the sentence."""
    return parts_of(blanked(text, _WORD_ENDS), _WORD)


def without_code_marks(text: str) -> str:
    """Return a command, or a text to find one in, without marks and with single spaces."""
    return " ".join(text.replace("`", " ").split()).removeprefix("$ ")
