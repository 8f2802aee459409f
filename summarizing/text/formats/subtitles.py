"""Subtitles: cues, each of which has a time and what is said then (WebVTT, https://www.w3.org/TR/webvtt1/; SubRip).

Cues that share a sentence are one line of the document, with their numbers and times. Refuses to join many of them: captions that a
program writes down have no sentences. Pure; linear in the lines.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from summarizing.text.blocks.logs_and_field_lists import put_each
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import Line, sample_of, share

_CLOCK = r"(?:\d{1,3}:)?\d\d:\d\d[.,]\d{3}"
_TIMES = re.compile(rf"{_CLOCK}\s{{1,9}}-->\s{{1,9}}{_CLOCK}(?=\s|\Z)")
# So large a share of the lines are times: a cue has its number, its time and a few lines.
_MIN_TIMES = 0.15
# A sentence has no more cues.
_MAX_CUES = 8
# Tags say how something is shown, and stand behind the end of a sentence.
_MARKUP = re.compile(r"(?<![\s>])(?:</?\w[^<>]{0,99}>|\s)++\Z")


def is_subtitles(lines: Sequence[Line]) -> bool:
    """Whether so many lines as in subtitles say from when to when something is shown."""
    return share([_TIMES.match(line.text) for line in sample_of(lines)]) >= _MIN_TIMES


def put_subtitles(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the cues, those of a sentence as one; and before them the lines of the head."""
    builder.begin_block()
    begins = [_first_of_cue(lines, number) for number, line in enumerate(lines) if _TIMES.match(line.text)]
    put_each(builder, lines[: begins[0]], parent)
    cues = [lines[first:end] for first, end in pairwise([*begins, len(lines)])]
    for passage in _passages(cues):
        builder.put((passage[0][0].start, passage[-1][-1].end), SegmentKind.LINE, parent)


def _first_of_cue(lines: Sequence[Line], number: int) -> int:
    """Return where the cue with this time begins: with its number or name, which a blank line parts from the cue before."""
    has_name = number > 0 and not lines[number].gap and lines[number - 1].gap
    return number - (has_name and not _TIMES.match(lines[number - 1].text))


def _passages(cues: Sequence[Sequence[Line]]) -> Iterator[Sequence[Sequence[Line]]]:
    """Yield the cues up to the next that ends with a sentence."""
    first = 0
    for number, cue in enumerate(cues, 1):
        is_end = ends_sentence(_MARKUP.sub("", cue[-1].tail))
        if is_end or number - first == _MAX_CUES or number == len(cues):
            yield cues[first:number]
            first = number
