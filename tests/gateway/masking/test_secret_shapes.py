"""The rules: those of the data, groups of them, and an operator's own, which must be bounded."""

import re

import pytest

from gateway.masking.masker import Masker
from gateway.masking.secret_shapes import GENERATED, PatternError, generated_rules, of_groups, operator_rules

RULES = generated_rules(GENERATED.read_text("utf-8"))


def test_every_generated_rule_has_keywords_in_lower_case() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) > 100
    assert all(rule.keywords and all(word == word.lower() for word in rule.keywords) for rule in RULES)


def test_a_group_is_every_rule_of_one_service() -> None:
    names = {rule.name for rule in of_groups(RULES, ["github", "private-key"])}
    assert {"github-pat", "github-oauth", "private-key"} <= names
    assert all(name.startswith(("github-", "private-key")) for name in names)


def test_an_unknown_group_is_told_which_there_are() -> None:
    with pytest.raises(PatternError) as refused:
        of_groups(RULES, ["github", "email"])
    message = str(refused.value)
    assert message.startswith("groups: expected some of 1password, adobe, ")
    assert message.endswith(", got email")
    named = message.removeprefix("groups: expected some of ").removesuffix(", got email").split(", ")
    assert len(named) == len(set(named)) > 60
    assert of_groups(RULES, named) == RULES


def test_an_unknown_group_is_named() -> None:
    with pytest.raises(PatternError, match="got githup"):
        of_groups(RULES, ["github", "githup"])


def test_an_own_pattern_masks_its_first_group_or_all_of_it() -> None:
    masker = Masker(list(operator_rules({"ticket": r"T-(\d{6})", "room": r"room [A-Z]\d{1,3}"})))
    assert re.fullmatch(
        r"T-\[masked ticket \w{8}\] in \[masked room \w{8}\]", masker.mask("T-123456 in room B12")
    )


@pytest.mark.parametrize(
    "pattern, expected",
    [
        ("(", "a regular expression"),
        ("a+", "repeats are bounded"),
        ("(a*)*", "repeats are bounded"),
        ("a{3,}", "repeats are bounded"),
        ("(a{1,100}){1,100}", "repeats are bounded"),
        ("a{0,200}b{0,200}", "at most 10000 ways"),
        (r"(a)\1", "repeats are bounded"),
        ("(?:a|a?){30}b", "at most 10000 ways"),
        ("a{0,5}", "at least one character"),
        ("", "at least one character"),
    ],
)
def test_a_pattern_that_is_none_or_could_take_long_is_refused(pattern: str, expected: str) -> None:
    with pytest.raises(PatternError, match=f"mine: .*{expected}"):
        list(operator_rules({"mine": pattern}))


@pytest.mark.parametrize(
    "pattern", [r"T-\d{6}", "(?:ab|cd)-[0-9a-f]{8,64}", r"(?<!\w)X[A-Z]{1,40}(?=\s)", "a{1,9000}b"]
)
def test_a_bounded_pattern_is_taken(pattern: str) -> None:
    assert [rule.name for rule in operator_rules({"mine": pattern})] == ["mine"]
