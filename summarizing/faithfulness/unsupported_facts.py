"""Facts and commands of an answer that the source does not have, in any usual spelling.

Pure. Does not judge whether a value belongs to what an answer gives it to: summarizing/faithfulness/misattributed_values.py does.
What goes and what is only named, answer_check.py decides. Values, links and commands are compared in every language, by their shape.
Names are recognized by capital letters: where a source capitalizes nouns (German), only names of two words or more are judged; in
scripts without capitals (Chinese, Japanese), only what is quoted or in katakana.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from summarizing.facts.fact import Fact
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.fact_index import SPELLED_NUMBER
from summarizing.facts.names import marks_nouns
from summarizing.facts.value_words import value_words
from summarizing.faithfulness.source_segments import SourceSegments
from summarizing.faithfulness.verbatim import VerbatimSource
from summarizing.text.language.stemming import stem_of, terms_of

# Sorts that are found among facts alone; others are words of the text, too.
_COUNTED = frozenset(("num", "date", "time"))
# Nothing but names, as a heading has them.
_NAMES = frozenset(("name", "acronym", "quote", "code", "ident", "id", "path"))
# What a reader could follow, write to or type.
_FOLLOWABLE = frozenset(("url", "email", "flag"))
# Each of them, and each host with a path, has one of these.
_SIGN_OF_FOLLOWABLE = re.compile(r"@|://|www\.|\.[a-z]{2,}+/|(?<![\w/-])--?[A-Za-z0-9]")

# The label of a line, as in "- **Max retries**: 3".
_LABEL = re.compile(
    r"[ \t>]*+(?:[-*+•][ \t]++|\d{1,3}[.)][ \t]++)?+[*_`\"']{0,3}+([^\W\d][^\n:.,;|]{0,50}):(?=\s)"
)
# "registry.example/web:1.4.2", "10.0.0.7:8080": each part may stand in the source without the whole.
_COMPOUND = re.compile(r"(?<![\w/:@.-])\w++(?:[/:@.-]++\w++){3,}+")
# A telephone number or an account's, in groups: each group may stand in other numbers.
_GROUPS = re.compile(r"(?<![\w.,])\+?\d{2,5}(?:[ ./-]\d{2,5}(?![\w,])){2,}+")
_FULL_NAME = re.compile(r"[^\W\d_a-zß-ÿ]\w{0,60}+ [^\W\d_a-zß-ÿ]")
_HOST_AND_PATH = re.compile(r"(?://)?[\w-]++(?:\.[\w-]++){0,40}?\.[a-z]{2,}+/")


class UnsupportedFact(NamedTuple):
    """A fact or command that a model wrote and its source does not have; `is_name`: nothing but a name, as a heading has one."""

    text: str
    is_name: bool = False


class SourceFacts:
    """The facts of a source, to find those of an answer that it does not have."""

    def __init__(self, segments: SourceSegments, verbatim: VerbatimSource) -> None:
        self._segments, self._stems = segments, segments.stems
        self._context_terms = segments.context_terms
        self._verbatim = verbatim
        self._stated: dict[tuple[str, str, str], bool] = {}

    def unsupported(self, text: str, facts: Sequence[Fact]) -> Iterator[UnsupportedFact]:
        """Yield the facts and commands in a model's text that the source does not have."""
        # What is found already need not be looked for again as a whole.
        known = set[str]()
        for fact in facts:
            if not self._supports(fact, text) and (written := text[fact.start : fact.end]):
                is_name = fact.kind in _NAMES
                if not is_name:
                    known.add(written)
                yield UnsupportedFact(written, is_name)
        wholes = (word for word in _compounds(text) if word not in known and not self._verbatim.has(word))
        groups = (
            match[0]
            for match in _GROUPS.finditer(text)
            if match[0] not in known
            and not _is_in_date(match, facts)
            and not self._verbatim.has_groups(match[0])
        )
        yield from map(UnsupportedFact, chain(wholes, groups, self._verbatim.commands_it_lacks(text)))

    def lacks_link_or_command_of(self, sentence: str) -> bool:
        """Whether a sentence has a link, an address, a flag or a command that the source does not have."""
        if self._verbatim.commands_it_lacks(sentence):
            return True
        # Most sentences need no closer look.
        if not _SIGN_OF_FOLLOWABLE.search(sentence):
            return False
        return any(
            _is_followable(fact, sentence[fact.start : fact.end]) and not self._supports(fact, sentence)
            for fact in find_facts(sentence)
        )

    def supports_label(self, sentence: str) -> bool:
        """Whether the label of a line ("Monthly rent: 900 EUR") has words of the text.

        Not judged where the text writes its nouns with capitals: there a label may be any noun.
        """
        found = _LABEL.match(sentence)
        return found is None or self._marks_nouns or self._knows_words(found[1])

    def _knows_words(self, label: str) -> bool:
        words = set(terms_of(label, self._stems))
        of_the_text = {word for word in words if word in self._segments.frequency}
        is_known = words <= of_the_text | self._context_terms | _generic_labels()
        return is_known or (len(words) > 1 and bool(of_the_text) and not _FULL_NAME.search(label))

    def _supports(self, fact: Fact, text: str) -> bool:
        # An answer is read a sentence at a time, and as a whole.
        lookup = fact.key, fact.signature, text[fact.start : fact.end]
        is_stated = self._stated.get(lookup)
        if is_stated is None:
            is_stated = self._stated[lookup] = self._states(fact, text)
        if is_stated:
            return True
        kind = fact.kind
        if kind == "name" and self._marks_nouns and not _FULL_NAME.search(text, fact.start, fact.end):
            return True
        # A label ("Chief Officer:") names what was asked for; it states nothing.
        return kind in _NAMES and _is_label(text, fact) and self._was_asked_for(text[fact.start : fact.end])

    def _was_asked_for(self, name: str) -> bool:
        """Whether the query or the headings above have all words of a name."""
        words = terms_of(name, self._stems)
        return bool(words) and self._context_terms.issuperset(words)

    def _states(self, fact: Fact, text: str) -> bool:
        """Whether the source has a fact of a text in some spelling."""
        if self._segments.index.has(_without_label(fact, text)):
            return True
        # `find_facts` leaves facts out where nearly all of a text is values: its own spelling stands there all the same.
        return fact.kind in _COUNTED and self._verbatim.has(" ".join(text[fact.start : fact.end].split()))

    @cached_property
    def _marks_nouns(self) -> bool:
        return marks_nouns(self._segments.document.text)


def still_unsupported(unsupported: Iterable[str], summary: str, content: str, most: int) -> list[str]:
    """Return the first `most` unsupported facts that are in a summary, and in no part of the whole content."""
    found = (fact for fact in dict.fromkeys(unsupported) if fact in summary and fact not in content)
    return list(islice(found, most))


@cache
def _generic_labels() -> frozenset[str]:
    return frozenset(map(stem_of, value_words().generic_labels))


def _without_label(fact: Fact, text: str) -> Fact:
    """Return a number without the label before it ("Member count: 40"): a model may use its own word for that."""
    if " " not in fact.key:
        return fact
    # The key is "40 count", and only the digits are its stretch: then "count" is a label before it.
    is_bare = fact.kind == "num" and SPELLED_NUMBER.fullmatch(text, fact.start, fact.end)
    return fact._replace(key=fact.value) if is_bare else fact


def _compounds(text: str) -> Iterator[str]:
    """Yield words joined of four parts or more, with digits and letters; without a lookahead at each word, which would be slow."""
    for match in _COMPOUND.finditer(text):
        if any(map(str.isdecimal, match[0])) and any(map(str.isalpha, match[0])):
            yield match[0]


def _is_in_date(match: re.Match[str], facts: Sequence[Fact]) -> bool:
    after = bisect_right(facts, match.start(), key=attrgetter("start"))
    return after > 0 and facts[after - 1].kind == "date" and match.end() <= facts[after - 1].end


def _is_followable(fact: Fact, written: str) -> bool:
    """Whether a fact is a link, an address or a flag: something that a reader could follow, write to or type."""
    if fact.kind in _FOLLOWABLE or "@" in written:
        return True
    return "/" in written and _HOST_AND_PATH.match(written) is not None


def _is_label(text: str, fact: Fact) -> bool:
    return text[fact.end : fact.end + 4].lstrip("*_`\"'").startswith(":")
