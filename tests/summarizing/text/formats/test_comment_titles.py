"""Titles in the comments of a configuration: what stands under one is never told under another."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.parsing import parse
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear

CONFIG = """\
#---------------------------------------
# RESOURCES
#---------------------------------------

# - Memory -

buffers = 128MB   # of each process
#cache = 8MB      # of all
stack = 2MB

# - Disk -

files = 100       # of each process
#space = 1GB

#---------------------------------------
# WRITING
#---------------------------------------

# - Archive -

kept = 80MB       # of all
#command = copy
"""


def titles_of(document: Document, line: str) -> list[str]:
    """Return what a line hangs on, the nearest first, without signs."""
    index = next(at for at in range(len(document.segments)) if document.of(at).startswith(line))
    return [document.of(at).strip("#-= \n").splitlines()[-1].strip("#-= ") for at in document.above(index)]


@pytest.mark.parametrize("line, name", [("buffers", "Memory"), ("files", "Disk"), ("kept", "Archive")])
def test_a_setting_hangs_on_the_titles_in_the_comments_above_it(line: str, name: str) -> None:
    titles = titles_of(parse(CONFIG), line)
    assert titles[0] == name
    assert len(titles) == 2


def test_a_setting_is_told_under_its_own_title_alone() -> None:
    told = extract(CONFIG, 60, "kept", the_tokenizer()).text
    assert "kept = 80MB" in told
    assert told.rfind("# - ", 0, told.index("kept =")) == told.index("# - Archive -")


OF_SECTIONS = """\
[DEFAULT]

#
# LIMITS
#

retries = 5

#
# Web servers
#

# the first of two
[shop]
port = 443

[blog]
port = 80

#
#
# Mail servers: whoever is refused by one of them
# is refused by all
#

[inbox]
port = 993
"""


@pytest.mark.parametrize(
    "line, titles",
    [
        ("retries", ["LIMITS", "[DEFAULT]"]),
        ("port = 443", ["[shop]", "Web servers"]),
        ("port = 80", ["[blog]", "Web servers"]),
        ("port = 993", ["[inbox]", "is refused by all"]),
    ],
)
def test_a_title_set_off_by_empty_comments_stands_over_the_sections_below_it(
    line: str, titles: list[str]
) -> None:
    assert titles_of(parse(OF_SECTIONS), line) == titles


def test_what_is_asked_for_with_a_title_is_found_in_the_sections_below_it() -> None:
    told = extract(OF_SECTIONS, 30, "ports of mail servers", the_tokenizer()).text
    assert "port = 993" in told
    assert "port = 80" not in told


@pytest.mark.parametrize(
    "title", ["#### {} ####", "# === {} ===", "; --- {} ---", "#--{}--", "# ******* {} *******"]
)
def test_titles_between_signs_are_found(title: str) -> None:
    text = f"{title.format('Web')}\n\nport = 80\nhost = a\n\n{title.format('Mail')}\n\nport = 25\nhost = b\n"
    document = parse(text)
    frames = [document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.FRAME]
    assert frames == [title.format("Web"), title.format("Mail")]


@pytest.mark.parametrize(
    "note",
    [
        "# a *note*",
        "# - an item",
        "# the first - and the last",
        "#--------",
        "# -1 or -2 -",
        "#",
        "#\n# port = 8\n#",
    ],
)
def test_other_comments_are_no_titles(note: str) -> None:
    document = parse(f"{note}\n\nport = 80\nhost = a\n\n{note}\n\nname = c\nsize = 25\n")
    assert {one.parent for one in document.segments} == {NO_SEGMENT}


@pytest.mark.timed
def test_titles_are_found_in_linear_time() -> None:
    assert is_linear(lambda size: parse("# - Web -\n\nport = 80\n\n" * size), 500)
    assert is_linear(lambda size: parse("#\n# Web\n#\n\n[a]\n\nport = 80\n\n" * size), 500)
    assert is_linear(lambda size: parse("port = 80\n\n" * 20 + "#\n" * size), 2_000)
