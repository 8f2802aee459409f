"""What a Markdown text folds away with `<details>` stands under the words of its `<summary>`."""

from collections.abc import Callable

import pytest

from summarizing.text.document import NO_SEGMENT
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import tree
from tests.support.timing import is_linear

FOLDED = """# Widgets

## Install

<details>
<summary>macOS</summary>

Install it with Homebrew.

</details>

<details><summary><b>Windows</b></summary>
Run the installer as an administrator.

### Silently

Give it the option for that.
</details>

It needs 300 MB of disk space.

## Usage

Start it with a name.
"""


def test_a_summary_is_the_title_of_what_is_folded_away() -> None:
    above = tree(parse(FOLDED))
    assert above["Install it with Homebrew."] == "<summary>macOS</summary>"
    assert above["Run the installer as an administrator."] == "<summary><b>Windows</b></summary>"
    assert above["<summary>macOS</summary>"] == above["<summary><b>Windows</b></summary>"] == "## Install"


@pytest.mark.parametrize("write", [str.upper, str.title])
def test_tags_may_be_written_in_any_case(write: Callable[[str], str]) -> None:
    text = FOLDED
    for name in ("details", "summary"):
        text = text.replace(f"<{name}>", f"<{write(name)}>").replace(f"</{name}>", f"</{write(name)}>")
    above = {one.lower(): other.lower() for one, other in tree(parse(text)).items()}
    assert above == {one.lower(): other.lower() for one, other in tree(parse(FOLDED)).items()}


def test_titles_inside_stand_below_it() -> None:
    above = tree(parse(FOLDED))
    assert above["Give it the option for that."] == "### Silently"
    assert above["### Silently"] == "<summary><b>Windows</b></summary>"
    higher = tree(parse(FOLDED.replace("### Silently", "# Silently")))
    assert higher["# Silently"] == "<summary><b>Windows</b></summary>"
    assert higher["</details>"] == "## Install"


def test_what_comes_after_it_hangs_on_the_tag_that_ends_it() -> None:
    above = tree(parse(FOLDED))
    assert above["It needs 300 MB of disk space."] == "</details>"
    assert above["</details>"] == "## Install"
    assert above["## Usage"] == "# Widgets"


def test_tags_may_stand_on_the_lines_of_the_text() -> None:
    text = "<details><summary>One</summary>The first of them is it.</details>\n<details><summary>Two\n</summary>\n<p>\n\nThe second of them is it.\n\n</p></details>\n"
    above = tree(
        parse(f"# Parts\n\nHere is what it has.\n\n## All\n\n{text}\n## Rest\n\nThe rest is here.\n")
    )
    assert above["The first of them is it."] == "<summary>One</summary>"
    assert above["The second of them is it."].split() == ["<summary>Two", "</summary>"]


def test_inner_ones_stand_below_outer_ones() -> None:
    inner = "<details>\n<summary>Two</summary>\n\nThe second.\n\n</details>\n\nThe first again."
    above = tree(
        parse(f"<details>\n<summary>One</summary>\n\nThe first.\n\n{inner}\n\n</details>\n\nThe rest.\n")
    )
    assert above["<summary>Two</summary>"] == above["The first."] == "<summary>One</summary>"
    assert above["The second."] == "<summary>Two</summary>"
    assert "<summary>Two</summary>" not in (above["The first again."], above["The rest."])


@pytest.mark.parametrize(
    "text",
    [
        "<details>\n<summary>One</summary>\n\nIt is never closed.\n",
        "```html\n<details>\n<summary>One</summary>\n\nAn example.\n</details>\n```\n",
        "Its words stand in `<summary>One</summary>`.\n\nAll of it in `<details>`.\n\nAnd `</details>` ends it.\n",
    ],
)
def test_only_what_is_closed_and_no_example_has_a_title(text: str) -> None:
    document = parse(text)
    assert all(segment.level == 0 for segment in document.segments)


def test_a_thousand_inside_each_other_are_no_thousand_levels() -> None:
    document = parse("<details>\n<summary>One</summary>\n\nIts text.\n\n" * 1_000 + "</details>\n" * 1_000)
    assert max(sum(1 for _ in document.above(index)) for index in range(len(document.segments))) < 20
    assert document.segments[0].parent == NO_SEGMENT


@pytest.mark.timed
@pytest.mark.parametrize(
    "part", ["<details><summary>a</summary>b", "<details><summary>a</summary>b</details>\n", "</details>"]
)
def test_time_is_linear_in_the_tags(part: str) -> None:
    assert is_linear(lambda size: len(parse(part * (size // len(part)) + "</details>").segments), 50_000)
