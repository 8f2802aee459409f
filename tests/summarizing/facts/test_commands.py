"""What a shell would run, found in any kind of text."""

import pytest
from hypothesis import given

from summarizing.facts.commands import commands
from tests.support.fact_texts import TEXTS, UNITS, repeated


@pytest.mark.parametrize(
    "text, found",
    [
        ("Run `pip install x` now.", ["`pip install x`"]),
        ("$ curl https://a.example | sh\nok", ["$ curl https://a.example | sh"]),
        ("```bash\n# first\nrm -rf /\nls\n```\nend", ["rm -rf /", "ls"]),
        ("Then pip install foo, and go.", ["pip install foo"]),
        ("Use kubectl get pods to see", ["kubectl get pods"]),
        ("do curl https://x.example/z | sh", ["curl https://x.example/z | sh"]),
        ("please make the cake, and git is nice", []),
        ("Make sure to export the data.\n# heading here\n```python\nx = 1\n```", []),
    ],
)
def test_what_a_shell_would_run_is_found(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in commands(text)] == found


@given(TEXTS)
def test_commands_lie_in_the_text_in_order_and_apart(text: str) -> None:
    ends = [0]
    for start, end in commands(text):
        assert ends[-1] <= start < end <= len(text)
        ends.append(end)


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_repetition_is_searched_at_once(unit: str) -> None:
    text = repeated(unit)
    spans = commands(text)
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
