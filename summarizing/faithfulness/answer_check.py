"""Compares what a model wrote with the source that it read: what the source does not support is named or taken out.

Decides for each sentence of an answer whether it stays, and for an answer whether it is about the source at all, or only repeats one
passage, as a model does when it obeys an instruction in the text. An order, here, is an instruction to say something, as
output_instructions.py finds it. Pure, and without a model; does not rewrite: a sentence stays as it is, or goes. The comparisons stand
beside this: unsupported_facts.py (facts, links and commands that the source does not have), misattributed_values.py (values given to
something else), altered_copies.py (copies with one word swapped), single_passage.py, output_instructions.py.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from summarizing.facts.answer_records import merge
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.text_reading import Reading
from summarizing.faithfulness.altered_copies import AlteredCopies
from summarizing.faithfulness.answer_sentences import is_frame, sentences, without_spans
from summarizing.faithfulness.misattributed_values import ValuePlaces
from summarizing.faithfulness.output_instructions import OutputInstruction, OutputInstructions
from summarizing.faithfulness.single_passage import Passages
from summarizing.faithfulness.source_segments import SourceSegments
from summarizing.faithfulness.unsupported_facts import SourceFacts, UnsupportedFact
from summarizing.faithfulness.verbatim import VerbatimSource, without_code_marks
from summarizing.sanitizing.hidden import drop_hidden
from summarizing.sanitizing.suspicious import find_suspicious, paragraphs, without
from summarizing.text.blocks.images import is_images_alone, without_images, without_lines_with_images
from summarizing.text.document import NO_SEGMENT
from summarizing.text.language.stemming import terms_of

# If this many segments answer the query, an answer made of only one of them is suspect.
MANY_ANSWERS = 5
# A segment answers the query if it has this share of what the best segment has of its words, weighted by rarity.
ANSWERING = 0.5

# An answer with a smaller share of words that the text has is not about the text.
LEAST_GROUNDED = 0.5

# Of an answer with less than this share left, since the rest only obeys orders, nothing stands.
LEAST_LEFT = 0.5

# Signs around a sentence in a list, a heading or a quotation.
_MARKS_AROUND = " \t\n-*+\u2022#>_`\"'.!?:"


class Checked(NamedTuple):
    """A model's text without what was taken out, how many sentences, lines and images that was, and what else the source does not have.

    `may_stand`: enough of its words are the source's, and nothing in the source misled the model. `retry_text`: the source without what
    misled it (a passage that it only repeats, orders, suspicious passages, lines with images), to ask it again; "" where nothing did.
    """

    text: str
    dropped: int = 0
    unsupported: tuple[str, ...] = ()
    may_stand: bool = True
    retry_text: str = ""


class Evidence:
    """The source that a model was given: what it wrote is compared with this."""

    def __init__(
        self, text: str, query: str = "", headings: str = "", reading: Reading | None = None
    ) -> None:
        """The words of the query, and of the headings above the text, may stand in an answer too; `reading`: the text's, if there is one.

        A suspicious passage supports nothing, and what an answer has from it is taken out: the trusted text is the rest.
        """
        suspicious = paragraphs(text, find_suspicious(text))
        self._suspicious_text = without_code_marks(
            "\n".join(text[part.start : part.end] for part in suspicious)
        ).casefold()
        if suspicious or reading is None:
            reading = Reading.of(without(text, suspicious))
        self._trusted_text = reading.document.text
        self._stems = reading.stems
        self._query_terms = frozenset(terms_of(query, self._stems))
        self._context_terms = self._query_terms.union(terms_of(headings, self._stems))
        self._segments = segments = SourceSegments(reading, self._context_terms)
        self._verbatim = VerbatimSource(self._trusted_text)
        self._facts = SourceFacts(segments, self._verbatim)
        self._places = ValuePlaces(segments)
        self._copies = AlteredCopies(segments)
        self._passages = Passages(segments)
        self._instructions = OutputInstructions(segments)

    @classmethod
    def of_part(
        cls, text: str, query: str, headings: str, around: tuple[Reading, int] | None, size: int
    ) -> "Evidence":
        """Return a source as evidence; `around`: the reading of which its last `size` characters are a part, and where they begin there.

        What stands before these is repeated from before them.
        """
        if around is None:
            return cls(text, query, headings)
        reading, start = around
        lead = text[: len(text) - size]
        return cls(text, query, headings, reading.part(start, start + size, lead))

    def check(self, answer: str, wants_facts: bool) -> Checked:  # noqa: FBT001 -- runs as a worker's call, by position
        """Return a model's answer without what may not stand in it."""
        answer = drop_hidden(answer).text
        if wants_facts:
            answer = merge([answer])
        checked = self._checked_extraction(answer) if wants_facts else self._checked_summary(answer)
        text, images = without_images(checked.text)
        checked = checked._replace(text=text, dropped=checked.dropped + images)
        words = frozenset(terms_of(answer, self._stems))
        is_about_source = self._share_of_known(words) >= LEAST_GROUNDED
        obeyed = self._instructions_obeyed(answer)
        # Most of the answer only obeys orders.
        if obeyed and len(text) < LEAST_LEFT * len(answer):
            return checked._replace(may_stand=False, retry_text=self._instructions.without(obeyed))
        # Nothing is left, or nothing about the rest of the source: the suspicious passage has taken the answer over.
        if self._suspicious_text and not (is_about_source and text.strip()):
            return checked._replace(may_stand=False, retry_text=self._trusted_text)
        if is_images_alone(answer):
            return checked._replace(may_stand=False, retry_text=without_lines_with_images(self._trusted_text))
        # An answer that repeats one passage, of a source of 20 segments or more (single_passage.py): what an injected
        # instruction tells a model to say stands in one passage.
        first, last = self._passages.only_passage_with(words)
        if first == NO_SEGMENT or (self._query_terms and self._may_be_whole_answer(first)):
            return checked._replace(may_stand=is_about_source)
        return checked._replace(may_stand=False, retry_text=self._passages.without(first, last))

    def _instructions_obeyed(self, answer: str) -> list[OutputInstruction]:
        """Return the source's orders that sentences of an answer obey."""
        if not self._instructions.has_any:
            return []
        return [*filter(None, (self._instructions.obeyed_by(answer[a:b]) for a, b in sentences(answer)))]

    def _checked_extraction(self, answer: str) -> Checked:
        """Return an extraction without each sentence that states what the source does not."""
        return self._without(answer, lambda sentence: not self._is_supported(sentence))

    def _is_supported(self, sentence: str) -> bool:
        if self._verbatim.has(" ".join(sentence.split())):
            return True
        facts = find_facts(sentence)
        if any(self._facts.unsupported(sentence, facts)) or self._is_from_suspicious(sentence, ()):
            return False
        if not (self._facts.supports_label(sentence) and self._places.has_together(sentence, facts)):
            return False
        return not self._copies.is_altered(sentence)

    def _checked_summary(self, answer: str) -> Checked:
        """Return a summary without the sentences with links and commands that the source lacks; name what else it does not support."""
        checked = self._without(answer, self._has_unsupported_link_or_is_suspicious)
        unsupported = self._facts.unsupported(checked.text, find_facts(checked.text))
        names = dict.fromkeys(fact.text for fact in unsupported)
        return checked._replace(unsupported=tuple(names))

    def _has_unsupported_link_or_is_suspicious(self, sentence: str) -> bool:
        if self._facts.lacks_link_or_command_of(sentence):
            return True
        if not self._suspicious_text:
            return False
        return self._is_from_suspicious(sentence, self._facts.unsupported(sentence, find_facts(sentence)))

    def _is_from_suspicious(self, sentence: str, unsupported: Iterable[UnsupportedFact]) -> bool:
        """Whether a sentence, or a value in it, occurs only in suspicious passages of the source."""
        if not self._suspicious_text:
            return False
        said = [sentence.strip(_MARKS_AROUND), *(found.text for found in unsupported)]
        return any(
            one and one.casefold() in self._suspicious_text and one not in self._verbatim.unmarked_text
            for one in map(without_code_marks, said)
        )

    def _without(self, answer: str, is_unsupported: Callable[[str], bool]) -> Checked:
        """Return an answer without the sentences that only obey an order of the source, or for which `is_unsupported` holds.

        Headings and head rows stay if nothing in them is unsupported but names.
        """
        out = [
            (start, end)
            for start, end in sentences(answer)
            if self._instructions.obeyed_by(answer[start:end])
            or (is_unsupported(answer[start:end]) and not self._is_frame_that_may_stay(answer, start, end))
        ]
        return Checked(without_spans(answer, out), len(out))

    def _is_frame_that_may_stay(self, answer: str, start: int, end: int) -> bool:
        """Whether a line is a heading or head row, and all that the source lacks of it is names."""
        line = answer[start:end]
        return is_frame(answer, start, end) and all(
            found.is_name for found in self._facts.unsupported(line, find_facts(line))
        )

    def _share_of_known(self, words: frozenset[str]) -> float:
        """Return the share of an answer's different words that the source, its headings or the query have; 1 for an answer without words."""
        known = sum(word in self._segments.frequency or word in self._context_terms for word in words)
        return known / len(words) if words else 1.0

    def _may_be_whole_answer(self, index: int) -> bool:
        """Whether one segment may be all that answers the query: it does and few others do, or none does."""
        met = self._segments.meet(self._query_terms)
        least = ANSWERING * max(met, default=0.0)
        if not least:
            return True
        return met[index] >= least and sum(share >= least for share in met) < MANY_ANSWERS
