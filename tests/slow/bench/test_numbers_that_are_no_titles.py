"""The judge of real texts: numbers before items and lines of listings, which are no titles."""

from bench.real_texts.source_layout.layout import Source, read


def _titles(source: Source) -> list[str]:
    return [line.text.strip() for line in source.lines if line.heading]


def test_an_item_that_ends_with_an_exclamation_mark_is_no_title() -> None:
    steps = "1. Don't forget to sign your patch!\n\n2. Append your command to one of the variables.\n\n3. Describe everything.\n"
    assert _titles(read(f"Sending\n-------\n\nDo this.\n\n{steps}")) == ["Sending"]


def test_a_numbered_line_of_a_listing_is_no_title() -> None:
    text = "PIECES\n\nWe use it like this: >\n\n 22\tnoremap <unique> <Plug>Add\n ...\n\nThen it is called.\n"
    assert _titles(read(text)) == ["PIECES"]


def test_a_numbered_entry_that_is_indented_where_titles_are_underlined_is_no_title() -> None:
    entries = "   1. <kernel/direct.c>: use no hardware at all\n\n   2. <kernel/gart.c>: use it\n\n"
    parts = "".join(f"{name}\n======\n\nIt is told here.\n\n" for name in ("Waters", "Timing"))
    assert _titles(read(f"{parts}{entries}")) == ["Waters", "Timing"]


def test_commands_behind_a_prompt_are_no_titles_where_titles_are_underlined() -> None:
    parts = "".join(f"{name}\n------\n\nDo this:\n\n# systemctl edit\n\n" for name in ("Waters", "Timing"))
    assert _titles(read(parts)) == ["Waters", "Timing"]


def test_a_numbered_item_of_several_lines_is_no_title_among_underlined_ones() -> None:
    body = "This part says what the thing is and how it is used by those who have it.\n"
    text = f"Boats\n=====\n\n{body}\n7. Boats must end at a pier or be immediately\n   followed by\n\n   * oars\n\n{body.replace('This', 'Each')}\nOars\n====\n\n{body}"
    titles = [line.text for line in read(text).lines if line.heading]
    assert titles == ["Boats", "Oars"]


def test_a_centred_title_between_two_rules_is_one() -> None:
    text = (
        "Boats\n=====\n\nA boat.\n\n------\n Oars\n------\n\nAn oar.\n\n------\n Sails\n------\n\nA sail.\n"
    )
    assert [line.text.strip() for line in read(text).lines if line.heading] == ["Boats", "Oars", "Sails"]
