"""What of a text is something to type."""

from summarizing.faithfulness.commands import commands


def test_lines_of_a_shells_fence_are_commands_and_its_comments_and_other_fences_are_not() -> None:
    text = "Do:\n```sh\n# build it\nmake run\n```\nand\n```python\nprint(1)\n```\n```sh\nlast one"
    assert [text[start:end] for start, end in commands(text)] == ["make run", "last one"]
