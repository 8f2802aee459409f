"""Names that mean a secret are found wherever they stand, in any case."""

import re
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from gateway.masking.named_secrets import WORDS, assigned_secrets

NAMES = re.compile(
    "|".join(tomllib.loads(WORDS.read_text("utf-8"))["names"]),
    re.IGNORECASE,
)
FOUND_IN = st.text("aApPwWdD_ .", max_size=4)


@given(FOUND_IN, st.from_regex(NAMES, fullmatch=True), st.booleans())
def test_a_name_is_found_wherever_its_pattern_is_in_any_case(before: str, name: str, is_upper: bool) -> None:
    text = before + (name.upper() if is_upper else name)
    expected = ["Xy7!Xy7!"] if NAMES.search(text) else []
    assert [
        f"{text}: Xy7!Xy7!"[secret.start : secret.end] for secret in assigned_secrets(f"{text}: Xy7!Xy7!")
    ] == expected
