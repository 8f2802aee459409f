"""Names that mean a secret are found wherever they stand, in any case; so are addresses."""

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.masking.named_secrets import WORDS, finders

NAMES = re.compile(
    "|".join(tomllib.loads(WORDS.read_text("utf-8"))["names"]),
    re.IGNORECASE,
)
FOUND_IN = st.text("aApPwWdD_ .", max_size=4)


def found(text: str) -> list[str]:
    """Return the secrets of a text."""
    return [text[secret.start : secret.end] for finder in finders() for secret in finder.find(text)]


@given(FOUND_IN, st.from_regex(NAMES, fullmatch=True), st.booleans())
def test_a_name_is_found_wherever_its_pattern_is_in_any_case(before: str, name: str, is_upper: bool) -> None:
    text = before + (name.upper() if is_upper else name)
    expected = ["Xy7!Xy7!"] if NAMES.search(text) else []
    assert found(f"{text}: Xy7!Xy7!") == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a@b.cc", ["a@b.cc"]),
        ("<a.b+c%d-e_f@b.cc.dd>", ["a.b+c%d-e_f@b.cc.dd"]),
        ("a@b@c.dd", ["b@c.dd"]),
        (f"{'a' * 64}@b.cc", [f"{'a' * 64}@b.cc"]),
        (f"{'a' * 65}@b.cc", []),
        (f"!{'a' * 64}@b.cc", [f"{'a' * 64}@b.cc"]),
        ("@b.cc a@b a@b.c a@b.cc1", []),
        ("a@b.cc%x@d.ee", ["a@b.cc"]),
        ("a@b.cc, x@d.ee", ["a@b.cc", "x@d.ee"]),
        ("é@b.cc", ["é@b.cc"]),
    ],
)
def test_an_address_is_found_whole(text: str, expected: list[str]) -> None:
    assert found(text) == expected
