"""Finds sentences that copy one of the source with a word changed.

Pure. A copy has most words of a sentence of the source, in the same order: a changed word is seen in any language. What such a sentence
means for an answer is answer_check.py's to say.
"""

import re
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from summarizing.faithfulness.source_segments import MAX_PLACES, SourceSegments, grammar, is_ending
from summarizing.text.language.stemming import has_digit, is_unspaced, terms_of

# Two sentences with this share of words in common, in the same order, are an original and its copy. A word in at most this share of the
# segments is significant.
COPIED = 0.6
RARE_SHARE = 0.1

# The original of a sentence is looked up by this many of its rarest words.
PROBES = 6

# At most this many segments with all significant words of a sentence are compared with it: where all lines are alike, each has them.
MAX_COMPARED = 100

# Where equal words of two sentences make more pairs than this, they are runs of a few words, and no copy is looked for: the time
# would grow with their product.
MAX_PAIRS = 20_000

_Labelled = tuple[frozenset[str], frozenset[str]]
# A label and its value, with a colon or a dash between them.
_LABELLED = re.compile(r"\W*([^\W][^:\n\u2013\u2014]{0,60}+)(?::|(?<=[ \t])[\u2013\u2014])[ \t]++(\S[^\n]*)")

# A sentence that begins with code in lower case may stand in one segment with the sentence before.
_CODE_BEGINS = re.compile(r"(?<=[.!?])\s++(?=`)")


class AlteredCopies:
    """Tells whether a sentence is a copy of one of the source, but for a word."""

    def __init__(self, segments: SourceSegments) -> None:
        self._document, self._stems, self._context_terms = (
            segments.document,
            segments.stems,
            segments.context_terms,
        )
        self._grammar = grammar()
        self._in_order = segments.reading.terms_of
        self._terms = segments.reading.term_sets
        self._with_term, self._frequency = segments.with_term, segments.frequency
        self._with_above = segments.with_above
        # Filled on demand: few of the segments are compared with answers.
        self._sentences_of: dict[int, list[_Sentence]] = {}
        self._labels: dict[int, _Labelled] = {}
        self._numbers_of: dict[frozenset[str], list[frozenset[str]]] = {}

    def is_altered(self, sentence: str) -> bool:
        """Whether a sentence of the text is copied with one significant word swapped for another of the text's."""
        words = [term for term in terms_of(sentence, self._stems) if term not in self._context_terms]
        significant = [term for term in words if self._is_significant(term)]
        if self._gives_another_value(sentence):
            return True
        copied, needed = _Copied(words), frozenset(significant)
        # How often each is given, where any is given more than once.
        times = Counter(significant) if len(needed) < len(significant) else Counter[str]()
        altered = False
        for own in self._sentences_with(needed):
            # The cheap tests first: nearly always a term is missing altogether, and the two are not alike.
            has_all = needed <= own.stated and self._has_as_often(times, own)
            if not has_all and (altered or not copied.has_most_words_of(own)):
                continue
            changes = copied.changes(own)
            if not (changes or has_all):
                continue
            is_off = self._is_off(changes)
            if has_all and not is_off:
                return False
            altered = altered or is_off or _is_replaced(changes, self._is_significant)
        return altered

    def _has_as_often(self, times: Counter[str], own: "_Sentence") -> bool:
        """Whether a sentence, with what its segment hangs on, has each term as often as it is given."""
        above = self._document.requirements(own.segment) if times else ()
        return times <= Counter(own.words) + Counter(term for part in above for term in self._terms_of(part))

    def _gives_another_value(self, sentence: str) -> bool:
        """Whether a sentence gives a label of the text ("mayor: ...") a value of which that label has no word anywhere."""
        label, value = self._parts_of(sentence)
        if len(label) == 1:
            return self._gives_another_number(label, value)
        found = False
        # Where many lines have this label, the sentence may be about any of them.
        rarest = min(label, key=lambda term: (self._frequency.get(term, 0), term), default="")
        segments = self._with_term(rarest)
        for index in segments if len(segments) <= MAX_PLACES else ():
            if value <= self._terms[index]:
                return False
            own_label, own_value = self._labelled(index)
            if own_label == label:
                if not value.isdisjoint(own_value):
                    return False
                found = True
        return found

    def _gives_another_number(self, label: frozenset[str], value: frozenset[str]) -> bool:
        """Whether a label of one word has another number here than the text gives it, where that gives it only one."""
        own = self._numbers_given(label)
        numbers = list(filter(has_digit, value))
        if len(own) != 1 or not numbers or value & own[0]:
            return False
        said = label | value
        return not any(said <= self._with_above(index) for term in numbers for index in self._with_term(term))

    def _numbers_given(self, label: frozenset[str]) -> list[frozenset[str]]:
        """Return the numbers that each line gives a label of one word, where it gives it any."""
        known = self._numbers_of.get(label)
        if known is None:
            lines = (self._labelled(index) for term in label for index in self._with_term(term))
            given = (frozenset(filter(has_digit, value)) for own, value in lines if own == label)
            known = self._numbers_of[label] = list(filter(None, given))
        return known

    def _labelled(self, index: int) -> _Labelled:
        """Return the terms of a segment's label and of its value, both empty where it has no label."""
        known = self._labels.get(index)
        if known is None:
            known = self._labels[index] = self._parts_of(self._document.of(index))
        return known

    def _parts_of(self, text: str) -> _Labelled:
        """Return the terms of a line's label and of its value, both empty where it has no label."""
        parts = _LABELLED.match(text)
        if parts is None:
            return frozenset(), frozenset()
        label, value = (frozenset(terms_of(part, self._stems)) - self._grammar for part in parts.groups())
        return (label, value) if label and value else (frozenset(), frozenset())

    def _is_off(self, changes: list[tuple[list[str], list[str]]]) -> bool:
        """Whether one word of an otherwise equal sentence is replaced, or a number of a similar one.

        Significant words alone do not show it: a common word may have replaced one of them, or a heading's number the
        line's own.
        """
        is_one_word = len(changes) == 1 and len(changes[0][0]) == len(changes[0][1]) == 1
        return _is_replaced(changes, self._is_word if is_one_word else self._is_number)

    def _is_number(self, term: str) -> bool:
        return term in self._frequency and has_digit(term)

    def _is_word(self, term: str) -> bool:
        return term not in self._grammar and term in self._frequency

    def _is_significant(self, term: str) -> bool:
        count = self._frequency.get(term, 0)
        is_rare = count <= max(1, RARE_SHARE * len(self._document.segments)) or has_digit(term)
        return count > 0 and is_rare and term not in self._grammar

    def _terms_of(self, index: int) -> list[str]:
        """Return a segment's terms in their order, without those that were asked for."""
        if self._context_terms.isdisjoint(self._terms[index]):
            return self._in_order[index]
        return [term for term in self._in_order[index] if term not in self._context_terms]

    def _sentences(self, index: int) -> list["_Sentence"]:
        """Return the sentences of a segment: nearly always one."""
        if index not in self._sentences_of:
            hung_on = frozenset[str]().union(
                *map(self._terms.__getitem__, self._document.requirements(index))
            )
            self._sentences_of[index] = [
                _Sentence(index, words, different := frozenset(words), different | hung_on)
                for words in self._words_of_sentences(index)
            ]
        return self._sentences_of[index]

    def _words_of_sentences(self, index: int) -> list[list[str]]:
        """Return the terms of each sentence of a segment."""
        text = self._document.of(index)
        if "`" not in text or not _CODE_BEGINS.search(text):
            return [self._terms_of(index)]
        return [
            [term for term in terms_of(sentence, self._stems) if term not in self._context_terms]
            for sentence in _CODE_BEGINS.split(text)
        ]

    def _sentences_with(self, terms: frozenset[str]) -> list["_Sentence"]:
        """Return the sentences of segments that have all of some terms, or one of the rarest of them."""
        rarest = sorted(terms, key=lambda term: (self._frequency[term], term))[:PROBES]
        indices = {index for term in rarest for index in self._with_term(term)[:MAX_PLACES]}
        having_all = (
            index for term in rarest[:1] for index in self._with_term(term) if terms <= self._terms[index]
        )
        indices.update(islice(having_all, MAX_COMPARED))
        known = self._sentences_of
        return [one for index in indices for one in known.get(index) or self._sentences(index)]


def _is_replaced(changes: list[tuple[list[str], list[str]]], counts: Callable[[str], bool]) -> bool:
    """Whether a significant word was replaced by another one."""
    return any(
        all(any(counts(term) and not is_ending(term) for term in terms) for terms in (before, after))
        and not _only_left_out(before, after)
        for before, after in changes
    )


def _only_left_out(before: list[str], after: list[str]) -> bool:
    """Whether letters of a script without spaces were only left out or added: then one pair is new, where the rest meets."""
    shorter, longer = sorted((before, after), key=len)
    return len(shorter) == 1 < len(longer) and is_unspaced(shorter[0][0])


class _Sentence(NamedTuple):
    """A sentence of the source."""

    segment: int
    words: list[str]
    """Its terms in their order, without those that were asked for."""
    different: frozenset[str]
    """Each of them once."""
    stated: frozenset[str]
    """These, and the terms of the segments that its own hangs on."""


class _Copied:
    """The words of a sentence, to compare with texts that it may be a copy of."""

    def __init__(self, words: list[str]) -> None:
        self._words, self._different = words, frozenset(words)

    @cached_property
    def _matcher(self) -> SequenceMatcher[str]:
        # A matcher indexes its second sequence: the sentence, once for all comparisons.
        return SequenceMatcher(None, (), self._words, autojunk=False)

    @cached_property
    def _count_of(self) -> Counter[str]:
        return Counter(self._words)

    def _pairs(self, text: list[str]) -> int:
        """Return how many pairs of equal words there are."""
        return sum(self._count_of[word] * count for word, count in Counter(text).items())

    def has_most_words_of(self, sentence: _Sentence) -> bool:
        """Whether enough of the different words of the two are the same for one to be a copy of the other."""
        different = sentence.different
        common = len(different & self._different)
        return 2 * common >= COPIED * (len(different) + len(self._different))

    def changes(self, sentence: _Sentence) -> list[tuple[list[str], list[str]]]:
        """Return what differs, as pairs of the words in a sentence of the source and in this one, if the two are similar; else nothing."""
        text = sentence.words
        if not self.has_most_words_of(sentence):
            return []
        if len(text) * len(self._words) > MAX_PAIRS and self._pairs(text) > MAX_PAIRS:
            return []
        matcher = self._matcher
        matcher.set_seq1(text)
        # Upper bounds of the ratio, quick to compute, come first.
        ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
        if any(ratio() < COPIED for ratio in ratios):
            return []
        return [
            (text[start:end], self._words[there:stop])
            for tag, start, end, there, stop in matcher.get_opcodes()
            if tag != "equal"
        ]
