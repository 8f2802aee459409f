"""The judge of real texts: what Markdown folds away stands under the words of `<summary>`, up to `</details>`."""

from bench.real_texts.checks import faults
from bench.real_texts.source_layout.layout import read

TEXT = """# Widgets

## Install

<details>
<summary>macOS</summary>

Install it with Homebrew.

</details>

<details><summary>Windows</summary>

Run the installer as an administrator.

### Silently

Give it the option for that.

</details>

It needs 300 MB of disk space.

## Usage

Start it with a name.
"""


def _attributions(summary: str) -> list[str]:
    return faults(read(TEXT), f"# Widgets\n\n## Install\n\n{summary}").attributions


def test_what_stands_under_the_title_of_its_neighbour_is_found() -> None:
    assert _attributions("<summary>macOS</summary>\n\nRun the installer as an administrator.\n")
    assert _attributions("<summary>Windows</summary>\n\nInstall it with Homebrew.\n")
    assert not _attributions("<summary>Windows</summary>\n\nRun the installer as an administrator.\n")


def test_its_neighbour_does_not_stand_below_it() -> None:
    parts = "<summary>macOS</summary>\n\nInstall it with Homebrew.\n\n<summary>Windows</summary>\n\n"
    assert not _attributions(f"{parts}Run the installer as an administrator.\n")
    assert _attributions(f"{parts}It needs 300 MB of disk space.\n")


def test_it_ends_with_its_tag() -> None:
    below = "It needs 300 MB of disk space.\n"
    assert _attributions(f"<summary>macOS</summary>\n\n{below}")
    assert not _attributions(
        f"<summary>macOS</summary>\n\nInstall it with Homebrew.\n\n</details>\n\n{below}"
    )
    assert not _attributions(below)


def test_titles_inside_stand_below_it() -> None:
    assert not _attributions("<summary>Windows</summary>\n\n### Silently\n\nGive it the option for that.\n")
    assert _attributions("<summary>macOS</summary>\n\n### Silently\n\nGive it the option for that.\n")
