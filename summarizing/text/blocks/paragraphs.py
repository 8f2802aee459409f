"""What stands between blank lines: paragraphs, lists, terms with their descriptions, speakers, lines that each say something.

Lines are joined in wrapped_lines.py before they are cut into sentences. What is indented further hangs on the item, the term or the
introductory line above it. Pure; does not read titles, tables or code.
"""

from collections.abc import Mapping, Sequence

from summarizing.text.blocks.comment_lines import is_comment_line
from summarizing.text.blocks.dialogues import put_speech
from summarizing.text.blocks.list_items import MAX_LEAD_IN_CHARS, is_lead_in, put_item
from summarizing.text.blocks.wrapped_lines import Paragraph, is_wrapped, joined_lines, paragraphs_of
from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.document_builder import Builder
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.language.sentence_ties import announces
from summarizing.text.lines import COLONS, COLUMN_GAP, Line, looks_like_prose, width_of

MAX_TERM_CHARS = 120
# So few sentences on lines of their own, with blank lines around them, say something of one thing, which the first one names.
MAX_ENTRY_LINES = 3
# So much of a segment's end tells whether it ends as a sentence does.
TAIL_CHARS = 20

# A longer text has so much to say that its author need not come with each sentence.
MAX_QUOTED_SENTENCES = 4

_FENCES = ("```", "~~~")
# What stands before the name of whoever is quoted.
_DASHES = ("-- ", "\u2014 ", "\u2015 ")

_NOBODY: Mapping[int, bool] = {}

_EXAMPLES = (SegmentKind.CODE, SegmentKind.LINE)
_INTRODUCING = (SegmentKind.SENTENCE, SegmentKind.LINE)

# Fewer lines do not show where the writer's margin is: that of the whole text is used.
_MIN_LINES_OF_WIDTH = 4


def put_paragraphs(builder: Builder, lines: Sequence[Line], spoken_at: Mapping[int, bool] = _NOBODY) -> None:
    """Add the paragraphs, items and terms of lines between which no line is blank. `spoken_at`: where speeches begin, and which are questions."""
    builder.begin_block()
    first = len(builder.segments)
    width = width_of(lines) if len(lines) > 1 else 0
    if len(lines) < _MIN_LINES_OF_WIDTH or lines[0].word:
        width = max(width, builder.width)
    found = list(paragraphs_of(lines, width, spoken_at, builder.tagged))
    coming = builder.next_line, builder.next_indent
    for number, paragraph in enumerate(found):
        line = paragraph.lines[0]
        following = found[number + 1].lines[0] if number + 1 < len(found) else None
        builder.look_ahead(*((following, following.indent) if following else coming))
        if line.start in spoken_at:
            put_speech(builder, paragraph.lines, is_question=spoken_at[line.start])
        elif paragraph.mark:
            put_item(builder, paragraph.lines, paragraph.mark)
        elif line.start in builder.tagged:
            _put_hanging(builder, paragraph, builder.parent_at(line.indent - 0.5))
        elif is_wrapped(paragraph.lines, width):
            is_over_list = number + 1 < len(found) and found[number + 1].mark > 0
            _put_prose(builder, paragraph, is_over_list=is_over_list)
        else:
            put_lines(builder, list(joined_lines(paragraph.lines, width)))
    if _is_attribution(found):
        _attribute(builder, first)


def _is_attribution(paragraphs: Sequence[Paragraph]) -> bool:
    """Whether the last of some paragraphs says whose words the one before it are: "-- Averroes"."""
    if len(paragraphs) != 2 or paragraphs[0].mark:
        return False
    line = paragraphs[1].lines[0]
    return line.text.startswith(_DASHES) and line.indent > paragraphs[0].lines[-1].indent


def _attribute(builder: Builder, first: int) -> None:
    """Let the sentences of a short quotation come only with the name behind it: without that, it would be the next one's."""
    last = len(builder.segments) - 1
    builder.anchor(last, last - 1)
    if last - first <= MAX_QUOTED_SENTENCES:
        for index in range(first, last):
            builder.anchor(index, last)


def _put_prose(builder: Builder, paragraph: Paragraph, *, is_over_list: bool) -> None:
    """Add a paragraph: a term, a term with its description, or sentences."""
    first, *others = paragraph.lines
    indent = min(line.indent for line in paragraph.lines)
    if not (others or is_over_list) and _is_term(first, is_over_deeper=builder.next_indent > indent):
        _put_term(builder, first)
    elif others and all(line.indent > indent for line in others):
        _put_hanging(builder, paragraph, builder.parent_at(indent - 0.5))
    else:
        _put_sentences(builder, paragraph, indent, is_over_list=is_over_list)


def _put_term(builder: Builder, line: Line) -> None:
    """Add a short line that is not a sentence: what follows hangs on it."""
    parent = builder.parent_of_block(line.indent)
    resumes = _resumes(builder, parent, line.start, goes_on="://" in line.text)
    follows = builder.next_indent <= line.indent and resumes
    index = builder.put(line.span, SegmentKind.LINE, parent, follows=follows)
    # A fence that is not indented further hangs on it, too.
    builder.hang_below(line.indent - 0.5 * _is_over_fence(builder), index)


def _put_sentences(builder: Builder, paragraph: Paragraph, indent: int, *, is_over_list: bool) -> None:
    """Add a paragraph's sentences; what follows hangs on the last one where that introduces it."""
    parent = builder.parent_at(indent - 0.5)
    first = paragraph.lines[0]
    resumes = _resumes(builder, parent, first.start, goes_on=looks_like_prose(first.text))
    continues = _continues(builder, parent)
    found = builder.put_sentences(paragraph.span, parent, continues=continues, resumes=resumes)
    last = builder.segments[found[-1]]
    is_over_deeper = builder.next_indent > indent
    is_over = is_over_list or is_over_deeper or _is_over_fence(builder)
    is_open = is_over and not _ends_as_a_sentence(builder, last)
    if is_open or is_lead_in(builder.text, last.start, last.end):
        # The first line of a paragraph may be indented further than the items in it.
        below = min(indent, builder.next_indent) if is_over_list else indent
        builder.hang_below(below - 0.5, found[-1])
    elif is_over_deeper and not (builder.next_line and looks_like_prose(builder.next_line.text)):
        # An indented example belongs to the sentence before it.
        builder.hang_below(indent, found[-1])


def _is_over_fence(builder: Builder) -> bool:
    return builder.next_line is not None and builder.next_line.text.startswith(_FENCES)


def _put_hanging(builder: Builder, paragraph: Paragraph, parent: int) -> None:
    """Add a paragraph with a hanging indent: the first line begins with a term, which the rest of it and the others describe."""
    line, last_line = paragraph.lines[0], paragraph.lines[-1]
    is_option = line.text[0] == "-" and line.start in builder.tagged
    is_row = is_option or COLUMN_GAP.search(line.text)
    kind = SegmentKind.LINE if is_row else SegmentKind.SENTENCE
    first = builder.put_item(paragraph.span, kind, parent)
    builder.hang_below(line.indent, first)
    last = len(builder.segments) - 1
    is_lead = last > first and is_lead_in(builder.text, builder.segments[last].start, last_line.end)
    if is_lead and last_line.indent > line.indent:
        builder.hang_below(last_line.indent - 0.5, last)


def _is_term(line: Line, *, is_over_deeper: bool) -> bool:
    """Whether a line is a term that a description may follow: a word, an option, a signature, but no sentence.

    Over a description, three dots say that a value may be repeated: "unset [name ...]".
    """
    if line.tail[-1] in COLONS or (is_over_deeper and looks_like_prose(line.text)):
        return False
    if is_over_deeper and line.text.isascii() and " " not in line.text:
        return True
    most = MAX_LEAD_IN_CHARS if line.tail[-1] == ")" else MAX_TERM_CHARS
    is_repeated = is_over_deeper and line.tail.rstrip("])>").endswith("...")
    return line.length <= most and (is_repeated or not ends_sentence(line.tail))


def _continues(builder: Builder, parent: int) -> bool:
    """Whether the segment before the next one is a sentence under the same heading, an example, or ends a list that one introduces.

    Below an example "this" is what that does. Below a list without an introduction, it is mostly what the heading names.
    """
    if not builder.segments:
        return False
    last = builder.segments[-1]
    if last.kind in _EXAMPLES:
        return True
    if last.kind in (SegmentKind.ITEM, SegmentKind.CONTINUATION):
        introductions = (one for one in builder.above(last) if one.kind in _INTRODUCING)
        return next((one.parent == parent for one in introductions), False)
    return last.kind is SegmentKind.SENTENCE and last.parent == parent


def _resumes(builder: Builder, parent: int, start: int, *, goes_on: bool) -> bool:
    """Whether a sentence, or the line that begins it, goes on below the example in the midst of it.

    `goes_on`: whether it may go on below its own beginning, too, as an address that stands apart, and the words behind that do.
    """
    if not builder.segments or not builder.text[start : start + 2].lstrip("(")[:1].islower():
        return False
    last = builder.segments[-1]
    if last.kind is SegmentKind.CODE and last.parent == parent:
        return True
    if goes_on and last.parent == parent and last.kind in _INTRODUCING:
        # "Dear Ada," begins no sentence.
        return builder.text[last.end - 1] != "," and not _ends_as_a_sentence(builder, last)
    if last.parent == NO_SEGMENT:
        return False
    above = builder.segments[last.parent]
    is_example = above.kind in (SegmentKind.SENTENCE, SegmentKind.LINE) and above.parent == parent
    return is_example and not _ends_as_a_sentence(builder, above)


def _ends_as_a_sentence(builder: Builder, segment: Segment) -> bool:
    tail = builder.text[max(0, segment.end - TAIL_CHARS) : segment.end]
    return ends_sentence(tail)


def put_lines(builder: Builder, lines: Sequence[Line]) -> None:
    """Add lines that each say something; the lines after one that ends with a colon hang on it, what a line announces, and deeper ones."""
    least = min(line.indent for line in lines)
    parent = builder.parent_of_block(least)
    above, announcing = parent, NO_SEGMENT
    is_entry = len(lines) <= MAX_ENTRY_LINES and all(looks_like_prose(line.text) for line in lines)
    for line in lines:
        span = line.span
        if line.indent > least and builder.parent_at(line.indent) > parent:
            builder.put_item(span, SegmentKind.LINE, builder.parent_at(line.indent))
            continue
        if line.tail[-1] in COLONS and line.length <= MAX_LEAD_IN_CHARS and line is not lines[-1]:
            above, announcing = builder.put(span, SegmentKind.LINE, parent), NO_SEGMENT
        else:
            follows = line is not lines[0] and (is_entry or builder.ties(span))
            parent_of_line = above if announcing == NO_SEGMENT else announcing
            # The sentences of a comment would have no sign of their own.
            put = builder.put if is_comment_line(line) else builder.put_item
            index = put(span, SegmentKind.LINE, parent_of_line, follows=follows)
            builder.hang_below(line.indent, index)
            announcing = index if announces(builder.text[line.start : line.end]) else NO_SEGMENT
