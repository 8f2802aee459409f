"""Documents made by hand, for the tests of what is done with them: a heading, lines under it, rows under a head row."""

from collections.abc import Sequence

from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind

KINDS = {
    "#": SegmentKind.HEADING,
    "-": SegmentKind.ITEM,
    "|": SegmentKind.ROW,
    "=": SegmentKind.FRAME,
    "$": SegmentKind.LINE,
    "{": SegmentKind.CODE,
}


def document(*lines: str) -> Document:
    """Return a document of lines: `# heading` stands over what follows, `= head row` over the rows after it, a blank line parts blocks.

    A line that begins with one of `KINDS` is of that kind, any other one a sentence; the sentences of a block stand in one line.
    """
    segments: list[Segment] = []
    parts: list[str] = []
    at = block = 0
    heading = frame = NO_SEGMENT
    for line in lines:
        if not line:
            block += 1
            frame = NO_SEGMENT
            parts.append("\n\n")
            at += 2
            continue
        kind = KINDS.get(line[0], SegmentKind.SENTENCE)
        gap = _gap(parts, kind)
        start = at + len(gap)
        parts += [gap, line]
        at = start + len(line)
        parent = frame if kind is SegmentKind.ROW and frame != NO_SEGMENT else heading
        if kind is SegmentKind.HEADING:
            parent, heading, frame = NO_SEGMENT, len(segments), NO_SEGMENT
        elif kind is SegmentKind.FRAME:
            frame = len(segments)
        segments.append(Segment(start, at, kind, parent, block, level=int(kind is SegmentKind.HEADING)))
    return Document("".join(parts), segments)


def _gap(parts: Sequence[str], kind: SegmentKind) -> str:
    if not parts or parts[-1].endswith("\n"):
        return ""
    return " " if kind is SegmentKind.SENTENCE else "\n"
