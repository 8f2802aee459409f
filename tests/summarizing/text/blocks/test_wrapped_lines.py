"""Lines that go on in the next one, though they look as if they did not; and lines that look like titles, but are none."""

import pytest

from summarizing.text.blocks.wrapped_lines import inside_brackets
from summarizing.text.document import Document, SegmentKind
from summarizing.text.lines import read_lines
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, kinds, texts_of, tree

BODY = "This part says what the thing is and how it is used by those who have it.\n"


def _titles(document: Document) -> list[str]:
    return [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING]


def test_a_description_in_an_index_of_manual_pages_goes_on_below_it() -> None:
    index = (
        "boat-mend(1) – Mends the boats that are named, and tells what they cost\n"
        "boat.conf(5) – Configuration of boats\n"
        "oar-lookup(8) – Looks up the names of those oars that have no\n"
        "owners\n"
        "oars.service, oarsd(8) – Daemon of oars\n"
        "pier_free(3) - Frees a pier, and what is on it, as soon as nobody is using\n"
        "Piers\n"
    )
    found = texts_of(check_laws(index))
    assert "oar-lookup(8) – Looks up the names of those oars that have no owners" in found
    assert "pier_free(3) - Frees a pier, and what is on it, as soon as nobody is using Piers" in found
    assert "boat.conf(5) – Configuration of boats" in found


@pytest.mark.parametrize("open_, close", ["``", "`´", "`'"])
def test_options_in_quotation_marks_are_no_branches_of_a_tree(open_: str, close: str) -> None:
    text = (
        f"{BODY}\n{open_}--hull=ash [--oars=<oars>]{close} is preferred over {open_}--hull-of-ash{close}\n"
        f"(but note that {open_}--hull-of-ash{close} leaves out the line printed by\n"
        f"{open_}--hull=ash{close}).\n"
    )
    assert len(texts_of(check_laws(text))) == 2


def test_a_version_at_the_begin_of_a_line_is_no_item_below_another_number() -> None:
    text = (
        '145. After you mend boat 1.1.1.1 as above, if you say "mend -r1\n'
        '     boat" you get boat 1.1, which has no oars, and not\n'
        "     1.1.1.1.  It would be nice to get the later one, which has.\n"
    )
    assert kinds(check_laws(text)).keys() == {" ".join(text.split())}


def test_numbers_of_parts_begin_items_below_their_first_number() -> None:
    text = f"{BODY}\n1. Boats\n   1.1. Boats of ash\n   1.2. Boats of oak\n2. Oars\n"
    assert kinds(check_laws(text))["1.2. Boats of oak"] is SegmentKind.ITEM


def test_numbers_that_are_compared_are_no_title() -> None:
    parts = "".join(f"2.{number}. A part\n\n{BODY}\n" for number in range(1, 4))
    document = check_laws(f"{parts}0.0 < 0.5 < 0.10 < 0.99 < 1 < 1.0~rc1 < 1.0\n\n{BODY}")
    assert _titles(document) == ["2.1. A part", "2.2. A part", "2.3. A part"]


def test_a_line_for_the_editor_at_the_end_is_no_title() -> None:
    parts = "".join(f"{name}\n{'=' * len(name)}\n\n{BODY}\n" for name in ("Boats", "Oars"))
    document = check_laws(f"ALL THE BOATS\n\n{BODY}\nTHE OTHERS\n\n{BODY}\n{parts}# vim: set tw=72 :\n")
    assert _titles(document) == ["ALL THE BOATS", "THE OTHERS", "Boats", "Oars"]


def test_stars_are_those_of_nested_items_where_titles_are_underlined() -> None:
    items = (
        "* A list of boats.\n* What is known of each boat:\n** Where it lies.\n** Who mends it.\n"
        "* Where boats are many, there is another list of those\n  that float.\n- A list of oars.\n"
    )
    parts = "".join(
        f"{name}\n{'-' * len(name)}\n\n{BODY}\n{items}\n" for name in ("Boats of ash", "Boats of oak")
    )
    document = check_laws(parts)
    assert _titles(document) == ["Boats of ash", "Boats of oak"]
    assert tree(document)["** Who mends it."] == "* What is known of each boat:"


def test_a_sentence_that_goes_on_with_a_time_is_no_log() -> None:
    text = (
        "At 2019-10-21 01:38 UTC the pier went down because there was no room left\n"
        "on it for the boats that came in. Nobody had been mending its planks\n"
        "since 2019-10-20 00:55 UTC for the same reason.\n"
    )
    found = [" ".join(one.split()) for one in texts_of(check_laws(text + f"\n{BODY}" * 4))]
    assert found[:2] == [
        "At 2019-10-21 01:38 UTC the pier went down because there was no room left on it for the boats that came in.",
        "Nobody had been mending its planks since 2019-10-20 00:55 UTC for the same reason.",
    ]


def test_titles_have_lines_of_one_width_below_them_and_some_above_them() -> None:
    rule = "-" * 70
    parts = "".join(f"{name}\n{rule}\n\n{BODY}\n" for name in ("Is it free?", "Why is it free?"))
    text = f"{parts}{rule}\nInstallation\n{rule}\n\n{BODY}\nWhat it needs\n{rule}\n\n{BODY}"
    assert _titles(check_laws(text)) == ["Is it free?", "Why is it free?", "Installation", "What it needs"]


def test_labels_in_an_item_name_the_items_directly_below_them() -> None:
    text = (
        f"{BODY}\n* Features\n  Audio:\n  - The sound saves power\n  Battery Care:\n"
        "  - Boats of ash stop at 80%\n  Disks:\n  - Exclude some classes\n\n* Bugfixes\n  Disks:\n  - Confine it\n"
    )
    above = tree(check_laws(text))
    assert above["- Boats of ash stop at 80%"] == "Battery Care:"
    assert above["Battery Care:"] == "* Features"
    assert above["- Exclude some classes"] == "Disks:"


def test_the_usage_of_a_command_goes_on_in_an_open_bracket() -> None:
    text = (
        f"{BODY}\n       boatadmin.local [-r realm] [-p principal] [-q query] [-d dbname] [-e\n"
        "       enc:salt ...] [-m] [-x db_args] [command args...]\n"
    )
    assert len(texts_of(check_laws(text))) == 2


def test_a_label_ends_an_item_that_is_indented_further() -> None:
    text = (
        f"{BODY}\n* Features\n    Audio:\n      - Change the default of the power of sounds to that of boats\n"
        "    Battery:\n      - Care for it\n"
    )
    assert tree(check_laws(text))["- Care for it"] == "Battery:"


def test_titles_between_rules_as_wide_as_text_are_no_listings_of_asciidoc() -> None:
    rule = "-" * 70
    names = ("Installation", "Shortcut keys", "File locking")
    text = "".join(f"{rule}\n{name}\n{rule}\n\n{BODY}\n" for name in names)
    assert _titles(check_laws(f"Is it free?\n{rule}\n\n{BODY}\n{text}")) == ["Is it free?", *names]


def test_a_version_at_the_beginning_of_a_line_ends_the_sentence_of_the_line_above() -> None:
    lines = "This is a prerelease on the road to polkit\n1.0. Public API might change and certain parts of the code still needs\nsome security review. Use at your own risk.\n"
    assert texts_of(parse(f"## polkit 0.117\n\n{lines}"))[1].endswith("on the road to polkit 1.0.")
    steps = "What it needs\n1.1. A compiler for all of its parts\n1.2. A library that reads its images\n"
    assert kinds(parse(f"## Needs\n\n{steps}"))["1.1. A compiler for all of its parts"] is SegmentKind.ITEM


def test_in_examples_a_comment_comes_with_the_command_below_it() -> None:
    examples = [
        "# Create a deployment that runs the image\nkubectl create deployment my-dep --image=busybox",
        "# Create a deployment with a command\nkubectl create deployment my-dep -- date",
    ]
    text = "Create a deployment with the specified name.\n\nExamples:\n"
    lines = "\n  \n".join(f"  {example}".replace("\nk", "\n  k") for example in examples)
    found = [" ".join(one.split()) for one in texts_of(parse(f"{text}{lines}\n"))]
    assert [" ".join(one.split()) for one in examples] == found[2:]


def test_commands_in_small_letters_are_no_sentence() -> None:
    commands = ["mkdir ~/.vim", "mkdir ~/.vim/plugin", "cp /tmp/yourplugin.vim ~/.vim/plugin"]
    text = f"{BODY}\nExample for Unix, if you have no plugin directory yet >\n\n" + "".join(
        f"\t{command}\n" for command in commands
    )
    assert texts_of(check_laws(text))[-3:] == commands


def test_a_sentence_goes_on_in_brackets_behind_an_example() -> None:
    text = f"# Arrays\n\n{BODY}\nFor example,\n\n```\nset -A boats one two\n```\n\n(or\n\n```\nboats=(one two)\n```\n\nif you prefer) it is set.\n"
    document = check_laws(text)
    inserted = next(at for at in range(len(document.segments)) if document.of(at) == "(or")
    assert inserted - 1 in document.requirements(inserted)


PROTOTYPE = (
    "boat_set_error_fn(boat_structp boat_ptr,\n"
    "        boat_voidp error_ptr, boat_error_ptr error_fn,\n"
    "        boat_error_ptr warning_fn);"
)


@pytest.mark.parametrize(
    "statement",
    [
        PROTOTYPE,
        "boat_error (boat_ptr,\n       error,\n    warning);",
        "boats.launch([\n        ash,\n        oak,\n    ])",
        "#define BOAT_READ_FN(a, \\\n     b, c, d, \\\n     e)",
    ],
)
@pytest.mark.parametrize("lead_in", ["", "oars = no_oars;\n    "])
def test_lines_in_an_open_bracket_are_one_statement(statement: str, lead_in: str) -> None:
    text = f"{BODY}\nThe functions of boats are set by calling:\n\n    {lead_in}{statement}\n\n{BODY}"
    assert any(" ".join(statement.split()) in one for one in texts_of(check_laws(text)))


@pytest.mark.parametrize(
    "lines, inside",
    [
        ("ash (old,\noak,\nelm)\nyew", [0, 1, 1, 0]),
        ("ash (old,\n1) oak\n2) elm", [0, 0, 0]),
        ("ash (old,\noak [1,\n2]", [0, 0, 1]),
        (f"ash (old,\n{'oak ' * 120}\nelm)", [0, 0, 0]),
        ("ash)\noak (\nelm)", [0, 0, 1]),
    ],
)
def test_lines_are_in_a_bracket_that_is_closed_soon(lines: str, inside: list[int]) -> None:
    assert list(inside_brackets(read_lines(lines))) == inside


def test_what_a_command_prints_is_not_joined_to_it() -> None:
    text = (
        f"{BODY}\n    boatadm auth test -x service=boat -x rip=192.0.2.143 john\n    Password:\n"
        "    boats: john auth succeeded\n    extra fields:\n      user=john\n"
    )
    found = texts_of(check_laws(text))
    assert {"Password:", "boats: john auth succeeded", "extra fields:", "user=john"} <= set(found)


def test_a_line_in_columns_does_not_go_on_with_words_above_it() -> None:
    text = (
        "Hull Descriptor:\n    wSpeed   0x0008\n      Boat can operate at full speed (5 knots)\n    bFunction   1\n"
        "      Lowest speed of all is slow speed (1 knot)\n    bDelay           0\n"
    )
    assert {"Boat can operate at full speed (5 knots)", "bFunction   1"} <= {
        parse(text).of(at) for at in range(len(parse(text).segments))
    }


def test_a_bracket_in_chinese_begins_no_call() -> None:
    text = "总览\n\n描述\n  基于当前的 /var/log/wtmp 文件中的登录和退出时间输出一个\n  关于连接时间(以小时为单位)的报告。并且还输出一个总计时间。\n"
    assert (
        "基于当前的 /var/log/wtmp 文件中的登录和退出时间输出一个 关于连接时间(以小时为单位)的报告。"
        in texts_of(check_laws(text))
    )


def test_an_include_does_not_go_on_in_the_prototype_below_it() -> None:
    text = f"{BODY}\n     #include <boat.h>\n     char * boat(char *planks, char c, int flag, char oars) int mend(char *boat,\n     char *oars, int flag)\n"
    assert "#include <boat.h>" in texts_of(check_laws(text))


CERTIFICATES = """\
Saving debug log to /var/log/letsencrypt/letsencrypt.log

- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
Found the following certs:
  Certificate Name: example.org
    Key Type: RSA
    Expiry Date: 2023-06-12 01:35:30+00:00 (VALID: 63 days)
    Certificate Path: /etc/letsencrypt/live/example.org/fullchain.pem
    Private Key Path: /etc/letsencrypt/live/example.org/privkey.pem
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
"""


def test_a_field_with_a_name_of_several_words_says_something_itself() -> None:
    document = parse(CERTIFICATES)
    lines = [document.of(number) for number in range(len(document.segments))]
    assert "Expiry Date: 2023-06-12 01:35:30+00:00 (VALID: 63 days)" in lines


def test_a_rule_with_blanks_between_its_signs_is_no_item() -> None:
    document = parse(CERTIFICATES)
    assert SegmentKind.ITEM not in {one.kind for one in document.segments[1:]}
