"""The judge of real texts: where sentences and entries end, and what a title looks like but is none."""

from bench.real_texts.checks import faults
from bench.real_texts.source_layout.layout import Source, read
from bench.real_texts.whole_sentences import is_whole

BODY = "This part says what the thing is and how it is used by those who have it.\n"


def _titles(source: Source) -> list[str]:
    return [line.text.strip() for line in source.lines if line.heading]


def _running(text: str) -> list[str]:
    return [line.text.split()[0] for line in read(text).lines if line.runs_on]


def test_each_line_that_says_what_a_manual_page_is_about_begins_an_entry() -> None:
    index = (
        "boat-mend(1) – Mends the boats that are named, and tells what it costs to\n"
        "oar-lookup(8) – Looks up the names of those oars that have no\n"
        "oars.service, oarsd(8) – Daemon of oars that are lost and of those that\n"
        "float\n"
    )
    assert _running(index) == ["oars.service,"]


def test_a_row_of_numbers_below_names_is_no_end_of_a_sentence() -> None:
    names = "                  ko ku ky lg lt lv mk ml mn mr ms mt nb nds ne"
    numbers = "                  20  5 10  1 13 48  4  2  2  4 24 10 20  3   1"
    assert not _running(f"{BODY}\n{names}\n{numbers}\n")


def test_a_name_before_a_colon_behind_a_blank_begins_a_line_of_its_own() -> None:
    text = (
        "           # ./boat_example /home\n"
        "           Appuyer sur la touche Enter pour quitter.\n"
        "           En attente des bateaux.\n"
        "           BOAT_MAY_OPEN : Fichier /home/utilisateur/temp/notes\n"
        "           BOAT_IS_CLOSED : Fichier /home/utilisateur/temp/notes\n"
    )
    assert not any(line.runs_on for line in read(text, is_manual=True).lines)


def test_a_chinese_full_stop_ends_a_sentence_before_the_name_of_a_request() -> None:
    text = "グリフ情報は保たれます。 .box と組み合わせると便利です。"
    assert is_whole(read(text), 0, text.index(" "))


def test_an_admonition_over_a_line_of_equals_signs_is_no_title() -> None:
    text = f"= Walks\n\n{BODY}\n[NOTE]\n====\n{BODY}====\n\n== Sets\n\n{BODY}"
    assert _titles(read(text)) == ["= Walks", "== Sets"]


def test_a_rule_that_recurs_raises_no_title_that_has_a_sign() -> None:
    parts = "".join(f"---\n\n### Part {name}\n\n{BODY}\n" for name in "abc")
    source = read(f"# All\n\n{BODY}\n{parts}### Part d\n\n{BODY}")
    assert {line.heading for line in source.lines if line.text.startswith("###")} == {3}


def test_a_numbered_row_that_is_indented_where_titles_are_underlined_is_no_title() -> None:
    parts = "".join(f"{name}\n======\n\nIt is told here.\n\n" for name in ("Waters", "Timing"))
    rows = "  00 00964419409:440761 2 - 00 88023ec\n\n  01 00964419409:440762 2 - 00 88023ec\n\n"
    assert _titles(read(f"{parts}{rows}")) == ["Waters", "Timing"]


def test_stars_in_the_midst_of_a_list_mark_no_outline() -> None:
    items = "* A list of boats.\n** Where it lies.\n* Where boats are many,\n  there is another.\n\n"
    source = read(f"Boats\n-----\n\n{items}{BODY}")
    assert _titles(source) == ["Boats"]
    assert not any(line.ends for line in source.lines)


def test_a_title_may_have_a_longer_line_of_tildes_below_it() -> None:
    parts = "".join(f"{name}\n{'~' * 23}\n\n{BODY}\n" for name in ("Running on Windows", "Running on x"))
    source = read(f"Viewing\n-------\n\n{BODY}\nBuilding on the Windows\n{'~' * 23}\n\n{BODY}\n{parts}")
    assert not any(line.is_code for line in source.lines)


def test_a_sign_that_underlines_one_title_as_far_as_it_goes_underlines_others_farther() -> None:
    names = ("Introduction", "Platform & setup", "Using the library")
    text = "".join(f"{name}\n{'=' * (12 + 12 * at)}\n\n{BODY}\n" for at, name in enumerate(names))
    assert _titles(read(text)) == list(names)


COMMANDS = """\
I mended the boat, which had lost an oar and a part of its sail, with these
commands of the shell:

  tie -w $boat
  print '\\xc7' | saw of=$boat bs=1 seek=51659518 length=notyetknown
  tie -r $boat

After that the boat was put to sea, and I rowed the boat to the other pier
on the same day.

    BOAT='ash' "OAR='two oars' too" SAIL=unfurledatsea
    row=/bin/row ${BOAT} ${OAR} ${SAIL}
    row=/bin/row $BOAT $OAR $SAIL
"""


def test_commands_with_variables_are_no_wrapped_text() -> None:
    source = read(COMMANDS)
    for line in ("  tie -r $boat", "    row=/bin/row ${BOAT} ${OAR} ${SAIL}"):
        assert not faults(source, line).broken
    for cut in ("commands of the shell:", "on the same day.", "After that the boat was put to sea, and I rowed the boat to the other pier"):  # fmt: skip
        assert faults(source, cut).broken


def test_a_variable_of_a_shell_in_a_sentence_does_not_hide_where_it_is_cut() -> None:
    text = f"{BODY}\nThe name of the boat is taken from the variable $BOAT where that is\nset, and else from >boats, as $HOME says.\n"
    assert faults(read(text), "set, and else from >boats, as $HOME says.").broken


def test_the_words_of_a_comment_do_not_make_a_sentence_of_the_commands_below_it() -> None:
    commands = "    # and then append the trailer to the boat\n    /path/to/the/tools/of/the/yard/saw sha1 -b <boat.pack >trailer\n    cat trailer >>boat.pack\n"
    assert not faults(read(f"{BODY}\n{commands}"), "    cat trailer >>boat.pack").broken


def test_colours_of_a_terminal_are_seen_by_no_reader() -> None:
    source = read("\x1b[32m# Boats\x1b[0m\n\n\x1b[1mThe boat\x1b[0m sails.\n")
    assert not faults(source, "# Boats\n\nThe boat sails.\n").broken


def test_a_short_line_with_a_colon_was_not_wrapped() -> None:
    block = "boatadm auth test -x service=boat -x rip=192.0.2.143 john\nPassword:\nboats: john auth succeeded\nextra fields:\n"
    assert not any(line.runs_on for line in read(block).lines)
