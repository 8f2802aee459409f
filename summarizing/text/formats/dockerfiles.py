"""Dockerfiles: instructions that build images, each of which hangs on the `FROM` of its stage.

Pure; linear in the lines. Which words begin an instruction is data: format_words.toml.
"""

from collections.abc import Iterator, Sequence

from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.format_words import format_words
from summarizing.text.formats.comments import outside_of_comments
from summarizing.text.formats.here_documents import end_of_here_document, outside_of_here_documents
from summarizing.text.formats.source_code import MAX_WHOLE_CODE_CHARS, put_code
from summarizing.text.lines import SAMPLE_LINES, Line, share

_STAGE = "FROM"
# At least this share of the lines at the margin begins with an instruction: others are what scripts within them have there.
_MIN_INSTRUCTIONS = 0.5
# An instruction goes on behind it.
_GOES_ON = "\\"


def is_dockerfile(lines: Sequence[Line]) -> bool:
    """Whether lines are instructions that build an image: the first one, and most at the margin, begin with such a word."""
    outside = outside_of_here_documents(outside_of_comments(lines[:SAMPLE_LINES]))
    firsts = [line for line in outside if not line.indent]
    is_begun = bool(firsts) and _word_of(firsts[0]).upper() in (_STAGE, "ARG")
    return is_begun and share([_is_instruction(line) for line in firsts]) >= _MIN_INSTRUCTIONS


def put_dockerfile(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the instructions, each with the comments above it; those of a stage hang on what begins it."""
    builder.begin_block()
    stage = parent
    for notes, instruction in _instructions(lines):
        is_stage = bool(instruction) and _word_of(instruction[0]).upper() == _STAGE
        above = parent if is_stage else stage
        if instruction and instruction[-1].end - (notes + instruction)[0].start <= MAX_WHOLE_CODE_CHARS:
            index = builder.put(span_of(notes + instruction), SegmentKind.CODE, above)
        else:
            if notes:
                put_code(builder, notes, above)
            index = len(builder.segments)
            if instruction:
                put_code(builder, instruction, above)
        stage = index if is_stage else stage


def _instructions(lines: Sequence[Line]) -> Iterator[tuple[list[Line], list[Line]]]:
    """Yield the comments above each instruction, and its lines: those that it goes on with, and scripts within it."""
    notes: list[Line] = []
    found: list[Line] = []
    end = -1
    goes_on = False
    for number, line in enumerate(lines):
        is_inside = bool(found) and (number <= end or goes_on)
        end = max(end, end_of_here_document(lines, number))
        if found and not is_inside and (_is_note(line) or _is_instruction(line)):
            yield notes, found
            notes, found = [], []
        (notes if not found and _is_note(line) else found).append(line)
        # A comment does not end what it stands in.
        goes_on = line.tail[-1] == _GOES_ON or (goes_on and _is_note(line))
    yield notes, found


def _is_note(line: Line) -> bool:
    return line.text[0] == "#"


def _is_instruction(line: Line) -> bool:
    # Either case will do, but no sentence that begins with such a word.
    word = _word_of(line)
    return word.upper() in format_words().image_instructions and (word.isupper() or word.islower())


def _word_of(line: Line) -> str:
    return line.text.split(None, 1)[0]
