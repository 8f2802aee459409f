"""Rendering: kept segments in their order, as they stand, and marks for what was left out."""

from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.rendering import render
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.excerpt import excerpt, joined
from summarizing.text.indentation import leads_of
from summarizing.text.parsing import parse
from tests.support.handmade_documents import document
from tests.support.parts import the_tokenizer


def test_rows_stand_under_their_head_row_and_those_that_are_missing_are_counted() -> None:
    table = document("= name port", "| web 80", "| db 5432", "| cache 6379")
    assert render(table, {0, 2}) == "= name port\n| db 5432\n[2 rows left out]"
    assert render(table, {0, 1, 2, 3}) == table.text


def test_a_gap_in_a_paragraph_is_marked() -> None:
    paragraph = document("One is.", "Two is.", "Three is.")
    assert render(paragraph, {0, 2}) == "One is. [...] Three is."
    assert render(paragraph, range(3)) == "One is. Two is. Three is."


def test_an_end_or_a_start_of_a_paragraph_that_is_left_out_is_marked() -> None:
    source = document("One is.", "Two is.", "", "Three is.", "Four is.")
    assert render(source, {0, 3}) == "One is. [...]\n\n[...] Four is."
    assert render(source, {0, 1, 2}) == "One is. Two is.\n\nThree is. [...]"
    part = excerpt(source, {0, 3}, leads_of(source))
    assert render(part, {0, 1}) == "One is. [...]\n\n[...] Four is."
    assert render(joined([part, source]), {0, 1, 2}) == "One is. [...]\n\n[...] Four is.\n\nOne is. [...]"


TERMS = """Timeout
        Similar to Delay.  However, it starts nothing.

Delay

        Wait so many seconds.  The default is 3.
"""


def test_a_term_without_all_that_is_said_of_it_is_marked() -> None:
    source = parse(TERMS)
    timeout, similar, however, delay, *_ = range(len(source.segments))
    assert source.of(delay) == "Delay"
    assert render(source, {timeout, delay}) == "Timeout [...]\n\nDelay [...]"
    assert render(source, {timeout, similar}) == "Timeout\n        Similar to Delay. [...]"
    assert render(source, {timeout, however}) == "Timeout\n        [...] However, it starts nothing."
    assert render(source, range(len(source.segments))) == TERMS.replace(".  ", ". ").rstrip()


@pytest.mark.parametrize("gap", ["", " ", "      ", "\t"])
def test_neighbours_of_one_line_have_the_gap_of_the_document_between_them(gap: str) -> None:
    text = f"First。{gap}Second。{gap}Third。"
    starts = [text.index(word) for word in ("First", "Second", "Third")]
    ends = [text.index("。", start) + 1 for start in starts]
    for kind in (SegmentKind.SENTENCE, SegmentKind.ITEM):
        source = Document(text, [Segment(start, end, kind) for start, end in zip(starts, ends, strict=True)])
        assert render(source, {0, 1, 2}) == text
        kept = render(source, {0, 2})
        assert kept.startswith("First。 [...] Third。")
        part = excerpt(source, {1, 2}, leads_of(source))
        cut = "[...] " if kind is SegmentKind.SENTENCE else ""
        assert render(part, {0, 1}).startswith(cut + text[starts[1] :])


def test_sentences_of_spread_lines_have_one_blank_between_them() -> None:
    source = parse("It  is  said.   It is done.  It is\nover.\n")
    assert render(source, range(3)) == "It  is  said. It is done. It is over."


def test_a_sentence_over_several_indented_lines_is_written_in_one() -> None:
    text = "    It runs over\n    two lines."
    source = Document(text, [Segment(4, len(text), SegmentKind.SENTENCE)])
    assert render(source, {0}) == "It runs over two lines."


def test_lines_keep_their_indentation() -> None:
    text = "spec:\n  replicas: 3\n  paused: true"
    lines = [
        Segment(0, 5, SegmentKind.LINE),
        Segment(8, 19, SegmentKind.LINE, 0),
        Segment(22, 34, SegmentKind.LINE, 0),
    ]
    assert render(Document(text, lines), {0, 2}) == "spec:\n  paused: true\n[1 line left out]"


def test_a_line_is_not_indented_under_one_that_it_does_not_hang_on() -> None:
    text = "A sentence.\n\n    AcceptEnv\n        Which variables are taken over.\n\n    Banner\n        What is shown before."
    spans = [(text.index(word), word) for word in ("A sent", "Accept", "Which", "Banner", "What")]
    ends = [text.find("\n", start) if "\n" in text[start:] else len(text) for start, _ in spans]
    sentence, line = SegmentKind.SENTENCE, SegmentKind.LINE
    parents = [NO_SEGMENT, NO_SEGMENT, 1, NO_SEGMENT, 3]
    segments = [
        Segment(start, end, kind, parent, block)
        for block, ((start, _), end, kind, parent) in enumerate(
            zip(spans, ends, [sentence, line, sentence, line, sentence], parents, strict=True)
        )
    ]
    assert render(Document(text, segments), {0, 3, 4}) == ("A sentence.\n\nBanner\n    What is shown before.")


def test_the_lines_of_a_segment_keep_their_indentation_to_one_another() -> None:
    text = "Words.\n\n    if on:\n        switch()"
    source = Document(
        text, [Segment(0, 6, SegmentKind.SENTENCE), Segment(12, len(text), SegmentKind.CODE, block=1)]
    )
    assert render(source, {0, 1}) == "Words.\n\nif on:\n    switch()"


def test_the_signs_of_a_quotation_stand_before_a_sentence_and_not_in_it() -> None:
    text = "> It runs over\n> two lines."
    source = Document(text, [Segment(2, len(text), SegmentKind.SENTENCE)])
    assert render(source, {0}) == "> It runs over two lines."


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "> ", ">> ", "> > "]), st.integers(1, 3)), min_size=2, max_size=8
    ).filter(lambda parts: any(sign for sign, _ in parts)),
    st.data(),
)
def test_who_speaks_is_seen_of_every_line_of_a_mail(
    parts: list[tuple[str, int]], data: st.DataObject
) -> None:
    said = [
        (sign, f"Speaker{number} wrote that the release of last week{' was kept back once more' * length}.")
        for number, (sign, length) in enumerate(parts)
    ]
    text = "\n".join("\n".join(sign + line for line in wrap(words, 60)) for sign, words in said)
    source = parse(text)
    kept = data.draw(st.sets(st.sampled_from(range(len(source.segments))), min_size=1))
    summary = render(source, {part for one in kept for part in (one, *source.requirements(one))})
    for sign, words in said:
        at = summary.find(words)
        if at >= 0:
            line = summary[summary.rfind("\n", 0, at) + 1 : at]
            assert line.count(">") == sign.count(">")


def test_a_quotation_is_indented_as_what_it_stands_below() -> None:
    text = "Strange boats\n    Here I quote what Ada says of it:\n\n    >> Boat: ash\n    >> Oar: oak\n    I add this to it.\n"
    source = parse(text)
    assert render(source, range(len(source.segments))) == text.strip()


def test_chinese_that_is_wrapped_is_joined_without_a_blank() -> None:
    text = "以编译源码\n包，然后执行\ndpkg。"
    source = Document(text, [Segment(0, len(text), SegmentKind.SENTENCE)])
    assert render(source, {0}) == "以编译源码包，然后执行 dpkg。"


LOOSE = """To install it:

- Fetch the archive of the release.

  It is signed. The key is on the page.

- Unpack the archive:

  ```sh
  tar xf release.tar
  cd release
  ```

- Build it with the tool of your choice.

- Install what was built.

Then start it.
"""


@pytest.mark.parametrize("sign", "\u2010\u00ad")
def test_a_word_that_is_divided_at_a_line_end_is_written_in_one(sign: str) -> None:
    text = (
        f"The text says how this allows a client to con{sign}\n"
        f"    nect to a host that Jean{sign}\n    Paul named in 2010{sign}\n    2011 or later on."
    )
    written = render(Document(text, [Segment(0, len(text), SegmentKind.SENTENCE)]), {0})
    assert "connect" in written
    assert f"Jean{sign}" in written
    assert f"2010{sign}" in written


def test_a_compound_keeps_its_hyphen_at_a_line_end_in_a_text_that_writes_it_within_lines() -> None:
    text = "More host\u2010specific entries come first, and what is host\u2010\n    based comes last."
    assert "host\u2010based" in render(Document(text, [Segment(0, len(text), SegmentKind.SENTENCE)]), {0})


def test_items_with_blank_lines_between_them_are_counted_as_others_are() -> None:
    source = parse(LOOSE)
    numbers = {source.of(number).strip(): number for number in range(len(source.segments))}

    def rendered(*beginnings: str) -> str:
        chosen = [number for text, number in numbers.items() if text.startswith(beginnings)]
        return render(source, {part for one in chosen for part in (one, *source.requirements(one))})

    assert rendered("- Install") == "To install it:\n\n- Install what was built.\n[3 items left out]"
    assert rendered("- Fetch", "It is") == (
        "To install it:\n\n- Fetch the archive of the release.\n\n  It is signed. [...]\n[3 items left out]"
    )
    assert rendered("- Fetch", "Then").endswith(
        "release.\n\n- Install what was built.\n[2 items left out]\n\nThen start it."
    )
    assert rendered("```sh").endswith("cd release\n  ```\n[3 items left out]")
    assert "left out" not in rendered("")


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_lists_have_their_marks_within_any_target(blank: str) -> None:
    tokenizer = the_tokenizer()
    text = "# List\n\n" + blank.join(f"- a short item, number {number}" for number in range(20))
    for target in range(20, 100, 7):
        found = extract(text, target, "", tokenizer).text
        kept = found.count("- a short")
        assert tokenizer.count(found) <= target
        assert found.endswith(f"[{20 - kept} items left out]")


def test_two_lists_with_a_paragraph_between_them_have_a_mark_each() -> None:
    source = parse("One:\n\n- a first\n\n- a second\n\nAnother one:\n\n- b first\n\n- b second\n")
    chosen = [1, 4]
    kept = {part for one in chosen for part in (one, *source.requirements(one))}
    assert render(source, kept).count("[1 item left out]") == 2


_LINES = st.lists(
    st.sampled_from(["# head", "$ a line", "= k v", "| 1 2", "- item", "A sentence.", ""]), max_size=20
)


def test_an_excerpt_marks_no_sentence_below_a_heading_for_what_it_left_out_between_them() -> None:
    source = document("# head", "# head", "$ a line", "A sentence.")
    kept = {1, 3, *source.requirements(1), *source.requirements(3)}
    part = excerpt(source, kept, leads_of(source))
    assert render(part, range(len(part.segments))) == render(source, kept)


@given(_LINES, st.data())
def test_an_excerpt_is_rendered_as_what_it_was_made_from(lines: list[str], data: st.DataObject) -> None:
    source = document(*lines)
    chosen = (
        data.draw(st.sets(st.integers(0, max(0, len(source.segments) - 1)))) if source.segments else set()
    )
    kept = {part for index in chosen for part in (index, *source.requirements(index))}
    part = excerpt(source, kept, leads_of(source))
    assert render(part, range(len(part.segments))) == render(source, kept)
    assert [part.of(index) for index in range(len(part.segments))] == [
        source.of(index) for index in sorted(kept)
    ]


@given(st.lists(_LINES, max_size=4))
def test_joined_documents_are_rendered_one_after_the_other(several: list[list[str]]) -> None:
    documents = [document(*lines) for lines in several]
    together = joined(documents)
    rendered = [render(one, range(len(one.segments))) for one in documents]
    assert render(together, range(len(together.segments))) == "\n\n".join(filter(None, rendered))


_LOOSE_LINES = [
    *LOOSE.splitlines(keepends=True),
    "A title\n=======\n",
    "\n  A part of it\n--------------\n\n",
]


@given(st.lists(st.sampled_from(_LOOSE_LINES), max_size=25).map("".join), st.data())
def test_an_excerpt_of_lists_is_rendered_as_what_it_was_made_from(text: str, data: st.DataObject) -> None:
    source = parse(text)
    chosen = data.draw(st.sets(st.sampled_from(range(len(source.segments))))) if source.segments else set()
    kept = {part for index in chosen for part in (index, *source.requirements(index))}
    part = excerpt(source, kept, leads_of(source))
    assert render(part, range(len(part.segments))) == render(source, kept)


def test_titles_keep_their_underlines_where_a_text_is_read_in_slices() -> None:
    titles = ["One\n===", "Two\n---"]
    slices = [parse(f"{title}\n\nIt is said here.\n\n{title}\n") for title in titles]
    parts = [excerpt(one, range(len(one.segments)), leads_of(one)) for one in slices]
    together = joined([parts[0], Document("", ()), parts[1]])
    rendered = render(together, range(len(together.segments)))
    assert [rendered.count(title) for title in titles] == [2, 2]
    assert rendered == "\n\n".join(render(one, range(len(one.segments))) for one in slices)


def test_a_title_of_any_level_keeps_its_underline() -> None:
    titles = [
        f"{name}\n{sign * len(name)}" for name, sign in (("Boats", "="), ("Their oars", "~"), ("Of ash", '"'))
    ]
    source = parse("\n\n".join(f"{title}\n\nIt is told here what they are." for title in titles * 2))
    rendered = render(source, range(len(source.segments)))
    assert [rendered.count(title) for title in titles] == [2, 2, 2]


def test_an_underline_that_is_a_segment_of_its_own_comes_once() -> None:
    rule = "=" * 67
    text = f"Index: a.c\n{rule}\n--- a.c (revision 1)\n+++ a.c (revision 2)\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
    source = parse(text)
    assert rule in map(source.of, range(len(source.segments)))
    rendered = render(source, range(len(source.segments)))
    assert rendered.count(rule) == 1


def test_a_fence_of_which_a_part_is_kept_is_closed() -> None:
    lines = [
        f"step_{number}: run the command of number {number} with all of its arguments" for number in range(36)
    ]
    text = "# Steps\n\n```yaml\n" + "\n".join(lines) + "\n```\n\nNothing else is left to do.\n"
    source = parse(text)
    line = next(index for index in range(len(source.segments)) if source.of(index) == lines[4])
    end = next(index for index in range(len(source.segments)) if source.of(index).startswith("Nothing else"))
    kept = {part for index in (line, end) for part in (index, *source.requirements(index))}
    assert render(source, kept).endswith(
        f"```yaml\n{lines[4]}\n[35 parts left out]\n```\n\nNothing else is left to do."
    )


@pytest.mark.parametrize(
    "block",
    [
        "```sh\nmake\n```",
        "~~~\nmake\n~~~",
        "- a:\n\n  ```\n  make\n  ```",
        "- ```\n  make\n  ```",
        "````md\n```sh\nmake\n```\n````",
        "- a\n- b\n\n  ```\n  x = 1\n\n  y = 2\n  ```",
    ],
)
def test_a_short_fence_is_closed_once(block: str) -> None:
    text = f"Do this now.\n\n{block}\n\nThat is all.\n"
    source = parse(text)
    assert render(source, range(len(source.segments))) == text.rstrip("\n")


@pytest.mark.parametrize("fence", ["```", "~~~", "- ```", "#+begin_src sh"])
def test_a_line_of_a_diff_opens_no_fence(fence: str) -> None:
    text = (
        f"Index: a.md\n--- a.md\n+++ a.md\n@@ -1,3 +1,3 @@\n{fence}\n make\n-make it\n+make all\n {fence}\n"
    )
    source = parse(text)
    whole = range(len(source.segments))
    for kept in (whole, [at for at in whole if source.of(at) != "make"]):
        rendered = render(source, kept).replace("\n[...]", "").replace("\n[1 part left out]", "")
        assert rendered.split() == " ".join(map(source.of, kept)).split()


def test_a_rule_of_tildes_opens_no_fence() -> None:
    rule = "~" * 67
    text = f"NOTES\n\nIt is said here.\n\n{rule}\n\nThis is no part of it. It is the end.\n"
    source = parse(text)
    assert rule in map(source.of, range(len(source.segments)))
    assert render(source, range(len(source.segments))) == text.rstrip()


@pytest.mark.parametrize(
    "opening, closing",
    [
        ("```sh", "```"),
        ("~~~~", "~~~~"),
        ("#+begin_src sh", "#+end_src"),
        ("#+BEGIN_EXAMPLE", "#+END_EXAMPLE"),
    ],
)
@pytest.mark.parametrize("number", [3, 60])
def test_blocks_of_every_form_are_closed(opening: str, closing: str, number: int) -> None:
    steps = "\n".join(f"step_{at}: run the command of number {at} with its arguments" for at in range(number))
    text = f"Do this now.\n\n{opening}\n{steps}\n{closing}\n\nThat is all.\n"
    source = parse(text)
    assert render(source, range(len(source.segments))) == text.rstrip()


LEFT_OUT = """Features:

- rcs -kb acts like rcs -ko.

- The following is for future use
  by another package:

    - rcs -M sends no mail.
      It is for scripts.

  An example:
        rcs -M file
"""


@pytest.mark.parametrize("wanted", [("- rcs -kb", "- rcs -M"), ("- rcs -kb", "rcs -M file")])
def test_no_line_stands_below_one_that_it_does_not_stand_below_in_the_document(
    wanted: tuple[str, str],
) -> None:
    # Parsed as if nothing hung on anything else: what is left out shows in the indentation alone.
    source = parse(LEFT_OUT)
    flat = Document(source.text, [one._replace(parent=NO_SEGMENT) for one in source.segments])
    under_features = [one._replace(parent=0) if at else one for at, one in enumerate(source.segments)]
    for read in (flat, Document(source.text, under_features)):
        kept = {0, *(at for at in range(len(read.segments)) if read.of(at).startswith(wanted))}
        lines = render(read, kept).splitlines()
        columns = [len(line) - len(line.lstrip()) for line in lines if line.lstrip().startswith(wanted)]
        assert columns[0] == columns[1], lines


@pytest.mark.parametrize("blanks", ["  ", "        "])
def test_a_line_behind_one_with_a_tab_is_indented_as_in_the_document(blanks: str) -> None:
    text = f"* The colours of a boat may be set, for\n{blanks}example:\n\n\tset colour bright,red\n\n{blanks}From Ada Ash, thanks!"
    source = parse(text)
    assert render(source, range(len(source.segments))) == text


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12))
def test_what_a_line_is_indented_under_stands_above_it_in_the_document(
    lines: list[tuple[int, bool]],
) -> None:
    texts = [f"word{number}" for number in range(len(lines))]
    text = "\n".join("  " * indent + word for word, (indent, _) in zip(texts, lines, strict=True))
    # Each hangs on the line before it, be that so or not.
    segments = [
        Segment(text.index(word), text.index(word) + len(word), SegmentKind.LINE, number - 1, number)
        for number, word in enumerate(texts)
    ]
    kept = {number for number, (_, is_kept) in enumerate(lines) if is_kept} | {0}
    shown = [line for line in render(Document(text, segments), kept).splitlines() if "word" in line]
    for at, line in enumerate(shown):
        column = len(line) - len(line.lstrip())
        above = next((one for one in reversed(shown[:at]) if len(one) - len(one.lstrip()) < column), None)
        if above is None:
            continue
        number, parent = texts.index(line.strip()), texts.index(above.strip())
        between = [lines[other][0] for other in range(parent + 1, number + 1)]
        assert lines[parent][0] < min(between), shown


def test_an_example_in_a_text_is_kept_whole() -> None:
    code = "".join(f'  "name{number}": {{ "port": {number} }},\n' for number in range(50))
    source = parse(f"# Use\n\nWrite this:\n\n```json\n{{\n{code}}}\n```\n\n> ```sh\n> run it\n> ```\n")
    examples = [one for one in source.segments if one.kind is SegmentKind.CODE]
    assert [source.text[one.start : one.end].count("\n") for one in examples] == [53, 2]
    assert render(source, {len(source.segments) - 1}) == "> ```sh\n> run it\n> ```"


def test_statements_that_are_left_out_of_code_are_marked_where_they_stood() -> None:
    source = document("{ type token =", "{ | Text", "{ | Size", "{ | Break")
    assert render(source, {0, 1, 3}) == "{ type token =\n{ | Text\n[...]\n{ | Break\n[1 part left out]"
    assert render(source, {0, 1}) == "{ type token =\n{ | Text\n[2 parts left out]"


ABOUT = "It says much about pumps and valves. " * 12


def test_marks_count_items_and_not_the_sentences_of_long_ones() -> None:
    items = [f"- Item {name} is first.\n  {ABOUT.strip()}" for name in ("one", "two", "three")]
    source = parse("The list:\n\n" + "\n".join(items) + "\n")
    firsts = [index for index, one in enumerate(source.segments) if one.kind is SegmentKind.ITEM]
    assert len(firsts) == len(items)
    kept = {0, firsts[0], firsts[1], firsts[1] + 3}
    assert render(source, kept) == (
        "The list:\n\n- Item one is first. [...]\n- Item two is first. [...]\n  It says much about pumps and valves. [...]\n[1 item left out]"
    )
    part = excerpt(source, kept, leads_of(source))
    assert render(part, range(len(part.segments))) == render(source, kept)
    assert "left out" not in render(source, {0, *firsts})


LONG_ENTRY = """VARS(1)                  Manual                  VARS(1)

Variables
       FS         The separator of what comes in. By default it is
                  a single blank.

       OFS        The separator of what comes out. By default it is
                  a single blank.

       IGNORECASE Whether case counts in all of the expressions. If it
                  is zero, then nothing is ignored in any of them, be
                  they given or read, and whoever reads them sees that.
                  The rest of the program goes on as it did before, for
                  all of the records that it has read by that time, and
                  then for all of the records that it reads after that.
                  Whatever else was set to be ignored is so from now on.

       NF         How many fields there are.
"""


def test_a_line_stands_below_the_first_one_of_its_entry_without_the_second_sentence_of_that() -> None:
    source = parse(LONG_ENTRY)
    first = next(at for at in range(len(source.segments)) if source.of(at).startswith("IGNORECASE"))
    assert [source.of(first + more).split()[0] for more in (1, 2)] == ["If", "The"]
    lines = render(source, {first, first + 2}).split("\n")
    assert [line for line in lines if line.lstrip().startswith(("The rest", "all of"))] == [
        "           The rest of the program goes on as it did before, for",
        "           all of the records that it has read by that time, and",
    ]


@pytest.mark.parametrize("line", ["- p{}", "pump {}", "{},4,5,6,7,8,9", "- a longer item {}\n\n"])
def test_lines_that_share_a_segment_are_counted_each(line: str) -> None:
    text = "\n".join(map(line.format, range(9_000)))
    parsed = parse(text)
    chosen = excerpt(parsed, {0, 2, 5}, leads_of(parsed))
    assert len(parsed.segments) < len(text.split("\n"))
    for found in (render(parsed, {0, 5}), render(chosen, {0, 2})):
        *shown, mark = filter(None, found.splitlines())
        assert mark == f"[{9_000 - len(shown)} lines left out]"


def test_lines_of_a_log_that_share_a_segment_are_not_counted_by_their_kinds() -> None:
    log = "".join(f"10:00:{number % 60:02} ok {number}\n" for number in range(3_000))
    *shown, mark = extract(log, 60, "", the_tokenizer()).text.splitlines()
    assert mark == f"[{3_000 - len(shown)} lines left out]"


def test_an_item_that_goes_on_ends_with_a_mark_in_a_list_with_blank_lines_too() -> None:
    first = "\n   ".join(
        wrap(
            "* A port is in use for a while after its server has stopped, "
            + "as all of them are, " * 8
            + "here.",
            60,
        )
    )
    rest = "\n   ".join(
        wrap("One can wait for it, or let it be used again, " + "as anybody may, " * 10 + "at once.", 60)
    )
    source = parse(f"Notes on ports\n\n * It is new.\n\n {first}\n   {rest}\n\n * A socket is none.\n")
    going_on = next(at for at in range(len(source.segments)) if source.of(at).startswith("One can"))
    others = {at for at in range(len(source.segments)) if at != going_on}
    assert "here. [...]\n\n * A socket" in render(source, others)
    assert "[...]" not in render(source, range(len(source.segments)))


def test_a_fence_that_is_left_out_below_its_announcement_has_a_mark() -> None:
    text = "- Set it so:\n\n  ```yaml\n  cache: on\n  ```\n\n  Restart the gateway, which takes a minute.\n\n- Look at the log.\n"
    document = parse(text)
    said = next(at for at in range(len(document.segments)) if document.of(at).startswith("Restart"))
    kept = {said, *document.requirements(said)}
    expected = "- Set it so: [...]\n\n  Restart the gateway, which takes a minute.\n[1 item left out]"
    assert render(document, kept) == expected
    fence = next(at for at in range(len(document.segments)) if document.of(at).startswith("```"))
    assert "Set it so:\n\n  ```yaml" in render(document, kept | {fence})


GUIDE = (
    "Guide\n=====\n\nRun these lines:\n\n```\nmake all\nmake install\n```\n\nWait for a minute.\n\n"
    "Done\n~~~~\n\nThe log tells more: see there.\n\nStop at night.\n"
)


@pytest.mark.parametrize(
    "told, expected",
    [
        (["Run", "Wait"], "Guide\n=====\n\nRun these lines: [...]\n\nWait for a minute."),
        (["Wait"], "Guide\n=====\n\nWait for a minute."),
        (
            ["Run", "```", "Wait"],
            "Guide\n=====\n\nRun these lines:\n\n```\nmake all\nmake install\n```\n\nWait for a minute.",
        ),
        (["Run", "Stop"], "Guide\n=====\n\nRun these lines: [...]\n\nDone\n~~~~\n\nStop at night."),
        (
            ["The log", "Stop"],
            "Guide\n=====\n\nDone\n~~~~\n\nThe log tells more: see there.\n\nStop at night.",
        ),
    ],
)
def test_what_is_left_out_below_its_announcement_has_a_mark_and_titles_have_their_underlines(
    told: list[str], expected: str
) -> None:
    source = parse(GUIDE)
    chosen = [at for at in range(len(source.segments)) if source.of(at).startswith(tuple(told))]
    assert render(source, {part for at in chosen for part in (at, *source.requirements(at))}) == expected
