"""The script writes gitleaks' patterns so that a search skips to their first signs, and they find what they found before."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.generate_secret_rules import python_pattern, with_boundary_behind

CASES = [
    (r"\b(ab[a-z]{2})\b", r"(ab(?<=\bab)[a-z]{2})\b"),
    (r"\ba-[ab]", r"a-(?<=\ba-)[ab]"),
    (r"\b((?:ab|b\.a)[ab])", r"((?:ab(?<=\bab)|b\.a(?<=\bb\.a))[ab])"),
    (r"\b(?:a[b|(]|b)", r"(?:a(?<=\ba)[b|(]|b(?<=\bb))"),
    (r"\bab?", r"a(?<=\ba)b?"),
    (r"\b(?:ab){2}", r"\b(?:ab){2}"),
    (r"\b[ab]a", r"\b[ab]a"),
    (r"\b(?:a|[ab]b)", r"\b(?:a|[ab]b)"),
    (r"\bab|cd", r"\bab|cd"),
    (r"(?i)\bab", r"(?i)\bab"),
    (r"ab\b", r"ab\b"),
]


@pytest.mark.parametrize("pattern, expected", CASES)
def test_a_boundary_is_put_behind_the_first_signs(pattern: str, expected: str) -> None:
    assert with_boundary_behind(pattern) == expected == python_pattern(pattern)


@given(st.sampled_from([pattern for pattern, _ in CASES]), st.text("abcd.-|( "))
def test_a_pattern_finds_what_it_found_with_its_boundary_before(pattern: str, text: str) -> None:
    found = [each.span() for each in re.finditer(with_boundary_behind(pattern), text)]
    assert found == [each.span() for each in re.finditer(pattern, text)]
