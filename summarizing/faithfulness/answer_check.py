"""Compares what a model wrote with the source that it read: what the source does not support is named or taken out.

Finds values that the source does not have, values that it gives to something else, links, addresses and commands, and answers that
only repeat one passage, as a model does when it obeys an instruction in the text. Pure, and without a model; refuses to rewrite: a
sentence stays as it is, or goes.

What holds where: values, links, commands, code and the words of an answer are compared with the source in every language, by their shape. Names
are recognized by capital letters: where a source capitalizes nouns (German), only names of two words or more are judged; in scripts
without capitals (Chinese, Japanese), only what is quoted or in katakana. Whether a value belongs to what it is given to is judged by
the words around it; in scripts without spaces, by pairs of letters.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

from summarizing.facts.answer_records import merge
from summarizing.facts.fact import Fact
from summarizing.facts.fact_finder import CHARS_PER_FACT, find_facts
from summarizing.facts.fact_index import SPELLED_NUMBER, FactIndex, readings_of
from summarizing.facts.names import marks_nouns
from summarizing.facts.reading import Reading
from summarizing.facts.value_keys import date_parts
from summarizing.facts.value_words import value_words
from summarizing.faithfulness.commands import commands
from summarizing.faithfulness.dictated_orders import Dictated, Dictation
from summarizing.faithfulness.image_removal import is_images_alone, without_images, without_lines_with_images
from summarizing.faithfulness.source_segments import SourceSegments, is_ending
from summarizing.sanitizing.hidden import drop_hidden
from summarizing.sanitizing.suspicious import find_suspicious, paragraphs, without
from summarizing.text.document import NONE
from summarizing.text.sentence_spans import SentenceFinder
from summarizing.text.stemming import stem_of, terms_of

# This share of a line's other words, weighted by rarity, must stand near its values in the source.
TOGETHER = 0.7
# A row is copied, not paraphrased.
ROW_TOGETHER = 0.95

# Each different value of a sentence is compared with each other one; a sentence with more of them is a run of numbers.
MAX_VALUES = 100

# Returning one of this many matches means that the model did not search.
MANY_ANSWERS = 5
# A segment answers the query if it has this share of what the best segment has of its words, weighted by rarity.
ANSWERING = 0.5

# An answer with a smaller share of words that the text has is not about the text.
LEAST_GROUNDED = 0.5

# Of an answer with less than this share left, since the text told its reader to say the rest, nothing stands.
LEAST_LEFT = 0.5

# At most this many characters stand between two groups of a number.
MAX_GROUP_GAP = 3

# `find_facts` leaves out facts beyond one for CHARS_PER_FACT characters. A source with at least 1 / CROWDED of that many may have lost some
# (names that turn out to be none leave gaps): a value is then looked for in the text itself, in so many places, with what stands so near.
CROWDED = 2.0
MAX_COMPARED = 20
AROUND_CHARS = 40

# An outcome names an invention in at most this many characters.
MAX_NAMED_CHARS = 60

# Sorts that are found among facts alone; others are words of the text, too.
_COUNTED = frozenset(("num", "date", "time"))
# It is not judged what these belong to: values belong to names, and an address stands for itself.
_NO_VALUES = frozenset(("name", "acronym", "url", "email"))
# A label of one of these kinds may name what was asked for.
_LABELS = frozenset(("name", "acronym", "quote", "code", "ident", "id", "path"))
# What a reader could follow, write to or type.
_FOLLOWABLE = frozenset(("url", "email", "flag"))
# One of these stands in each of them.
_SIGNS_OF_FOLLOWABLE = ("@", "/", "-", "www.")

# Signs around a sentence in a list, a heading or a quotation.
_MARKS_AROUND = " \t\n-*+\u2022#>_`\"'.!?:"

_LINE = re.compile(r"[^\n]+")
# The label of a line, as in "- **Max retries**: 3".
_LABEL = re.compile(
    r"[ \t>]*+(?:[-*+•][ \t]++|\d{1,3}[.)][ \t]++)?+[*_`\"']{0,3}+([^\W\d][^\n:.,;|]{0,50}):(?=\s)"
)
_RULE = re.compile(r"(?=[ \t|:]*+-)[ \t|:\-]++")
# "registry.example/web:1.4.2", "10.0.0.7:8080": each part may stand in the source without the whole.
_COMPOUND = re.compile(r"(?<![\w/:@.-])\w++(?:[/:@.-]++\w++){3,}+")
# A telephone number or an account's, in groups: each group may stand in other numbers.
_GROUPS = re.compile(r"(?<![\w.,])\+?\d{2,5}(?:[ ./-]\d{2,5}(?![\w,])){2,}+")
_GAP = re.compile(r"\D+")
_LONG_GAP = re.compile(rf"\D{{{MAX_GROUP_GAP + 1},}}+")
# What ends a sentence in scripts where no space follows.
_UNSPACED_ENDS = ("\u3002", "\uff01", "\uff1f", "\uff61")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]")
# Cells between bars or wide gaps, or what begins with a time stamp.
_ROW = re.compile(r"[\s*-]*+(?:\||\S+(?: \S+)*+ {2,}+\S+(?: \S+)*+ {2,}+\S|\[?\d{4}-\d\d-\d\d[T ]\d\d:)")
_FULL_NAME = re.compile(r"[^\W\d_a-zß-ÿ]\w{0,60}+ [^\W\d_a-zß-ÿ]")
_HOST_AND_PATH = re.compile(r"(?://)?[\w-]++(?:\.[\w-]++){0,40}?\.[a-z]{2,}+/")
# What is left of a list item when all of its sentences are taken out.
_EMPTY_ITEM = re.compile(r"[ \t]*+(?:[-*+\u2022]|\d{1,3}[.)])[ \t]*+")


class Checked(NamedTuple):
    """A model's text without what was taken out, how many sentences, lines and images that was, and what else the source does not have.

    `about`: whether it is about the source at all: enough of its words are the source's. `rest`: the source without what misled the
    model (a passage that it only repeats, orders to say something, suspicious passages, lines with images), for it to be asked again.
    """

    text: str
    dropped: int = 0
    unsupported: tuple[str, ...] = ()
    about: bool = True
    rest: str = ""


class _Invention(NamedTuple):
    """What a model wrote and its source does not have; `is_followable`: a link or a command, which somebody may follow.

    `is_name`: nothing but a name, as a heading has one.
    """

    text: str
    is_followable: bool
    is_name: bool = False


class Evidence:
    """The source that a model was given: what it wrote is compared with this."""

    def __init__(self, text: str, query: str = "", above: str = "", reading: Reading | None = None) -> None:
        """The words of the query, and of the headings above the text, may stand in an answer too; `reading`: the text's, where it is read.

        A suspicious passage supports nothing, and what an answer has from it is taken out.
        """
        suspicious = paragraphs(text, find_suspicious(text))
        self._suspicious = _plain("\n".join(text[part.start : part.end] for part in suspicious)).casefold()
        if suspicious or reading is None:
            reading = Reading.of(without(text, suspicious))
        text = reading.document.text
        self._facts = reading.facts
        self._stems = reading.stems
        self._index = FactIndex(text, self._facts, self._stems)
        self._query = frozenset(terms_of(query, self._stems))
        self._asked = self._query.union(terms_of(above, self._stems))
        self._text = text
        self._plain = _plain(text)
        self._word_for_word: dict[str, bool] = {}
        self._stated: dict[tuple[str, str, str], bool] = {}
        self._segments = SourceSegments(reading, self._asked)
        self._dictated = Dictated(reading.document, self._stems, self._segments)

    @cached_property
    def _marks_nouns(self) -> bool:
        return marks_nouns(self._text)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The segments in which each value stands."""
        places: dict[str, list[int]] = defaultdict(list)
        for fact in self._facts:
            if keys := _place_keys(fact, self._text):
                index = self._segments.at(fact.start)
                for key in keys:
                    places[key].append(index)
        return places

    def _share_of_words(self, answer: str) -> float:
        """Return the share of an answer's different words that the text or the query has; 1 where it has none."""
        words = set(terms_of(answer, self._stems))
        known = sum(word in self._segments.frequency or word in self._asked for word in words)
        return known / len(words) if words else 1.0

    def check(self, answer: str, wants_facts: bool) -> Checked:  # noqa: FBT001 -- runs as a worker's call, by position
        """Return a model's answer without what may not stand in it."""
        answer = drop_hidden(answer).text
        if wants_facts:
            answer = merge([answer])
        checked = self.facts_only(answer) if wants_facts else self.without_followables(answer)
        text, images = without_images(checked.text)
        checked = checked._replace(text=text, dropped=checked.dropped + images)
        about = self._share_of_words(answer) >= LEAST_GROUNDED
        orders_obeyed = self._orders_obeyed(answer)
        if orders_obeyed and len(text) < LEAST_LEFT * len(answer):
            return checked._replace(about=False, rest=self._dictated.without(orders_obeyed))
        if self._suspicious and not (about and text.strip()):
            return checked._replace(about=False, rest=self._text)
        if is_images_alone(answer):
            return checked._replace(about=False, rest=without_lines_with_images(self._text))
        # An answer that repeats one passage, of a source of 20 segments or more (source_segments.py): what an injected instruction tells a model to say stands in one passage.
        first, last = self._segments.only_passage_of(answer)
        if first == NONE or (self._query and self._answers(first)):
            return checked._replace(about=about)
        return checked._replace(about=False, rest=self._segments.without(first, last))

    def _orders_obeyed(self, answer: str) -> list[Dictation]:
        """Return the orders of the text to say something (dictated_orders.py) that sentences of an answer obey."""
        if not self._dictated.has_orders:
            return []
        return [*filter(None, (self._dictated.order_of(answer[a:b]) for a, b in _sentences(answer)))]

    def facts_only(self, answer: str) -> Checked:
        """Drop from an extraction each sentence that states what the source does not."""
        return self._without(answer, lambda sentence: not self._is_supported(sentence))

    def _is_from_suspicious(self, sentence: str, inventions: list[_Invention]) -> bool:
        """Whether a sentence, or a value in it, occurs only in suspicious passages of the source."""
        if not self._suspicious:
            return False
        said = [sentence.strip(_MARKS_AROUND), *(found.text for found in inventions)]
        return any(
            one and one.casefold() in self._suspicious and one not in self._plain for one in map(_plain, said)
        )

    def _is_supported(self, sentence: str) -> bool:
        if self._has_word_for_word(" ".join(sentence.split())):
            return True
        facts = find_facts(sentence)
        if self._inventions(sentence, facts) or self._is_from_suspicious(sentence, []):
            return False
        if not self._supports_label(sentence) or self._segments.is_altered(sentence):
            return False
        return self._is_together(sentence, facts)

    def _supports_label(self, sentence: str) -> bool:
        """Whether the label of a line ("Monthly rent: 900 EUR") has words of the text.

        Not judged where the text writes its nouns with capitals: there a label may be any noun.
        """
        found = _LABEL.match(sentence)
        return found is None or self._marks_nouns or self._knows_words(found[1])

    def _knows_words(self, label: str) -> bool:
        words = set(terms_of(label, self._stems))
        of_the_text = {word for word in words if word in self._segments.frequency}
        is_known = words <= of_the_text | self._asked | _generic_labels()
        return is_known or (len(words) > 1 and bool(of_the_text) and not _FULL_NAME.search(label))

    def _has_word_for_word(self, sentence: str) -> bool:
        """Whether the text has a sentence as it is: not "Fee: 5" of "Fee: 50", nor of "Fee: 5.50"."""
        known = self._word_for_word.get(sentence)
        if known is None:
            known = self._word_for_word[sentence] = self._find_word_for_word(sentence)
        return known

    def _find_word_for_word(self, sentence: str) -> bool:
        ends = sentence.endswith(_UNSPACED_ENDS)
        at = self._plain.find(sentence)
        while at >= 0:
            end = at + len(sentence)
            before, behind = self._plain[max(at - 1, 0) : at], self._plain[end : end + 2]
            if before.isalnum():
                # Inside a word: the next place that counts is after this word.
                gap = _NO_LETTER_OR_DIGIT.search(self._plain, at)
                at = self._plain.find(sentence, gap.end()) if gap else NONE
                continue
            goes_on = behind[:1].isalnum() or (behind[:1] in (".", ",", ":", "-") and behind[1:].isdigit())
            if ends or not goes_on:
                return True
            at = self._plain.find(sentence, at + 1)
        return False

    def without_followables(self, answer: str) -> Checked:
        """Drop sentences with links and commands that the text does not have; name what else it does not have."""
        checked = self._without(answer, self._is_followable_or_suspicious)
        inventions = self._inventions(checked.text, find_facts(checked.text))
        names = dict.fromkeys(invention.text for invention in inventions)
        return checked._replace(unsupported=tuple(names))

    def _is_followable_or_suspicious(self, sentence: str) -> bool:
        if self._invents_followable(sentence):
            return True
        if not self._suspicious:
            return False
        return self._is_from_suspicious(sentence, self._inventions(sentence, find_facts(sentence)))

    def _invents_followable(self, sentence: str) -> bool:
        """Whether a sentence has a link, an address, a flag or a command that the source does not have."""
        if self._invented_commands(sentence):
            return True
        # Most sentences need no closer look.
        if not any(map(sentence.__contains__, _SIGNS_OF_FOLLOWABLE)):
            return False
        return any(
            _is_followable(fact, sentence[fact.start : fact.end]) and not self._supports(fact, sentence)
            for fact in find_facts(sentence)
        )

    def _without(self, answer: str, is_out: Callable[[str], bool]) -> Checked:
        """Drop the sentences and lines that only say what the source tells its reader to say, or for which `is_out` holds; headings and head rows stay, unless they invent more than names."""
        kept: list[str] = []
        dropped, last = 0, 0
        for start, end in _sentences(answer):
            sentence = answer[start:end]
            if self._dictated.order_of(sentence) or (
                is_out(sentence) and not (_is_frame(answer, start, end) and self._names_only(sentence))
            ):
                kept.append(answer[last:start].rstrip(" \t"))
                dropped, last = dropped + 1, end
        text = "".join(kept) + answer[last:]
        return Checked(
            "\n".join(line for line in text.splitlines() if not _EMPTY_ITEM.fullmatch(line)).strip(), dropped
        )

    def _names_only(self, sentence: str) -> bool:
        """Whether a sentence invents nothing but names, as a heading or a head row may."""
        return all(found.is_name for found in self._inventions(sentence, find_facts(sentence)))

    def _inventions(self, text: str, facts: Sequence[Fact]) -> list[_Invention]:
        """Return the facts and commands in a model's text that the source does not have."""
        found = [
            _Invention(written, _is_followable(fact, written), _sort_of(fact) in _LABELS)
            for fact in facts
            if not self._supports(fact, text) and (written := text[fact.start : fact.end])
        ]
        dates = [(fact.start, fact.end) for fact in facts if _sort_of(fact) == "date"]
        wholes = [word for word in _compounds(text) if not self._has_word_for_word(word)]
        wholes += [
            match[0]
            for match in _GROUPS.finditer(text)
            if not any(start <= match.start() and match.end() <= end for start, end in dates)
            and not self._has_groups(match[0])
        ]
        found += [_Invention(word, is_followable=False) for word in wholes]
        return found + [_Invention(span, is_followable=True) for span in self._invented_commands(text)]

    def _invented_commands(self, text: str) -> list[str]:
        """Return the commands in a model's text that the source does not have."""
        plain = (_plain(text[start:end]) for start, end in commands(text))
        return [span for span in plain if span not in self._plain]

    def _has_groups(self, number: str) -> bool:
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

    def _supports(self, fact: Fact, text: str) -> bool:
        # An answer is read a sentence at a time, and as a whole.
        asked = fact.key, fact.signature, text[fact.start : fact.end]
        is_stated = self._stated.get(asked)
        if is_stated is None:
            is_stated = self._stated[asked] = self._states(fact, text)
        if is_stated:
            return True
        sort = _sort_of(fact)
        if sort == "name" and self._marks_nouns and not _FULL_NAME.search(text, fact.start, fact.end):
            return True
        # A label ("Chief Officer:") names what was asked for; it states nothing.
        return sort in _LABELS and _is_label(text, fact) and self._knows_words(text[fact.start : fact.end])

    def _states(self, fact: Fact, text: str) -> bool:
        """Whether the source has a fact of a text in some spelling."""
        if self._index.has(_without_label(fact, text)):
            return True
        return _sort_of(fact) in _COUNTED and self._is_left_out(fact, text[fact.start : fact.end])

    def _is_left_out(self, fact: Fact, written: str) -> bool:
        """Whether the text has a value that is not among its facts: where nearly all of it is values, some are left out."""
        if len(self._facts) * CHARS_PER_FACT * CROWDED < len(self._text):
            return False
        reach = len(written) + AROUND_CHARS
        return any(
            fact.key == other.key
            for at in islice(_places_apart(self._text, written), MAX_COMPARED)
            for other in find_facts(self._text, max(at - AROUND_CHARS, 0), min(at + reach, len(self._text)))
        )

    def _is_together(self, sentence: str, facts: Sequence[Fact]) -> bool:
        """Whether each part of a sentence (parts end at semicolons) gives its values to what the text gives them to."""
        if ";" not in sentence:
            return self._is_part_together(sentence, facts)
        return all(self._is_part_together(part, find_facts(part)) for part in sentence.split(";"))

    def _is_part_together(self, sentence: str, facts: Sequence[Fact]) -> bool:
        """Whether each value of a sentence stands in the text near what the sentence gives it to.

        That is, near most of the sentence's words, weighted by rarity, and near half of its other values.
        """
        known = {
            key: fact
            for fact in facts
            if _sort_of(fact) not in _NO_VALUES and (key := _value_of(fact)) in self._places
        }
        found = list(islice(known.items(), MAX_VALUES))
        values = [self._own_terms(sentence[fact.start : fact.end]) for _, fact in found]
        words = set(terms_of(sentence, self._stems)).difference(self._asked, *values)
        weights = {
            term: self._segments.rarity(term)
            for term in words
            if term in self._segments.frequency and not is_ending(term)
        }
        least = (ROW_TOGETHER if _ROW.match(sentence) else TOGETHER) * sum(weights.values())
        return all(
            self._stands_beside(key, weights, least, [other for other in values if not own & other])
            for (key, _), own in zip(found, values, strict=True)
        )

    def _own_terms(self, value: str) -> frozenset[str]:
        """Return the terms of a value; for one with digits only the digits, since its unit may have another name."""
        terms = frozenset(terms_of(value, self._stems))
        return terms & self._stems.numbers or terms

    def _stands_beside(
        self, key: str, weights: dict[str, float], least: float, others: list[frozenset[str]]
    ) -> bool:
        """Whether one of a value's places has enough of some words, by their weights, and half of the other values."""
        rarest = max(weights, key=lambda term: (weights[term], term), default="")
        for index in self._segments.likely(self._places[key], rarest):
            near = self._segments.around(index)
            beside = sum(other <= near for other in others)
            if sum(weights[term] for term in weights.keys() & near) >= least and 2 * beside >= len(others):
                return True
        return False

    def _answers(self, index: int) -> bool:
        """Whether one segment may be all that answers the query: it does and few others do, or none does."""
        met = self._segments.meet(self._query)
        least = ANSWERING * max(met, default=0.0)
        if not least:
            return True
        return met[index] >= least and sum(share >= least for share in met) < MANY_ANSWERS


@cache
def _generic_labels() -> frozenset[str]:
    return frozenset(map(stem_of, value_words().generic_labels))


def _places_apart(text: str, part: str) -> Iterator[int]:
    """Yield where a part of a text stands that no letter or digit is joined to."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if not (text[max(at - 1, 0) : at].isalnum() or text[end : end + 1].isalnum()):
            yield at
        at = text.find(part, end)


def _sort_of(fact: Fact) -> str:
    """Return the first word of a fact's signature, as `num` of `num day`."""
    return fact.signature.partition(" ")[0]


def _value_of(fact: Fact) -> str:
    """Return a fact's key; for a number, without what it counts, which may have another name."""
    return fact.key.partition(" ")[0] if _sort_of(fact) == "num" else fact.key


def _without_label(fact: Fact, text: str) -> Fact:
    """Return a number without the label before it ("Member count: 40"): a model may use its own word for that."""
    # The key is "40 count", and only the digits are its stretch: then "count" is a label before it.
    is_bare = _sort_of(fact) == "num" and SPELLED_NUMBER.fullmatch(text, fact.start, fact.end)
    return fact._replace(key=_value_of(fact)) if is_bare else fact


def _place_keys(fact: Fact, text: str) -> Collection[str]:
    """Return the keys under which a value's places are looked up: its other readings, and the parts of a date; none of a fact of no value."""
    sort = _sort_of(fact)
    if sort in _NO_VALUES:
        return ()
    if sort in ("date", "time"):
        return {*date_parts(fact.key)}
    if sort == "num":
        return readings_of(_value_of(fact), text[fact.start : fact.end])
    return (fact.key,)


def _compounds(text: str) -> Iterator[str]:
    """Yield words joined of four parts or more, with digits and letters; without a lookahead at each word, which would be slow."""
    for match in _COMPOUND.finditer(text):
        if any(map(str.isdecimal, match[0])) and any(map(str.isalpha, match[0])):
            yield match[0]


def _plain(text: str) -> str:
    """Return a command, or a text to find one in, without marks and with single spaces."""
    return " ".join(text.replace("`", " ").split()).removeprefix("$ ")


def _is_followable(fact: Fact, written: str) -> bool:
    """Whether a fact is a link, an address or a flag: something that a reader could follow, write to or type."""
    if _sort_of(fact) in _FOLLOWABLE or "@" in written:
        return True
    return "/" in written and _HOST_AND_PATH.match(written) is not None


def _is_label(text: str, fact: Fact) -> bool:
    return text[fact.end : fact.end + 4].lstrip("*_`\"'").startswith(":")


def _is_frame(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading, or a table's head row or the rule below it."""
    line = text[start:end].lstrip()
    following = text[end:].lstrip().partition("\n")[0]
    return line.startswith("#") or (line.startswith("|") and _RULE.fullmatch(following or line) is not None)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of each line; a number alone says nothing, and belongs to the one before ("tel. 07 31 90")."""
    finder = SentenceFinder(text)
    for line in _LINE.finditer(text):
        found: list[tuple[int, int]] = []
        for start, end in finder.spans(*line.span()):
            is_rest = found and not any(map(str.isalpha, text[start:end]))
            found.append((found.pop()[0] if is_rest else start, end))
        yield from found


def in_one_short_line(text: str) -> str:
    """Return a fact as an outcome names it: one line, not long."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_NAMED_CHARS else text[: MAX_NAMED_CHARS - 1] + "…"
