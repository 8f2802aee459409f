"""The shapes of secrets, each with the words that must occur for it to be looked for. Read from data; masks nothing.

Most are those of gitleaks (secret_shapes_generated.toml); an operator may add patterns of their own, which must be bounded.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined] # only its own parser knows what a pattern is
from typing import Any

from settings.setting import ConfigError

GENERATED = Path(__file__).with_name("secret_shapes_generated.toml")

# In how many ways an operator's pattern may match at one place: so long may a search take for each character.
MAX_WAYS = 10_000


class PatternError(ConfigError):
    """An operator's pattern that cannot be used: the message says what was expected."""


@dataclass(frozen=True, slots=True)
class SecretRule:
    """A pattern whose first group, or all of it where there is none, is a secret."""

    name: str
    pattern: re.Pattern[str]
    keywords: tuple[str, ...] = ()
    """In lower case: without one of these in the text, the rule is not tried. None: it always is."""

    @property
    def group(self) -> int:
        """The group of the pattern that is the secret."""
        return 1 if self.pattern.groups else 0


def generated_rules(text: str) -> tuple[SecretRule, ...]:
    """Return the rules of the generated file's text."""
    return tuple(
        SecretRule(name, re.compile(rule["pattern"]), tuple(rule["keywords"]))
        for name, rule in tomllib.loads(text).items()
    )


def of_groups(rules: Collection[SecretRule], groups: Collection[str]) -> tuple[SecretRule, ...]:
    """Return the rules of some groups: `github` is every rule whose name is that, or begins with `github-`. Raises PatternError."""
    unknown = [group for group in groups if not any(_is_in(rule, group) for rule in rules)]
    if unknown:
        known = dict.fromkeys(rule.name.partition("-")[0] for rule in rules)
        raise PatternError(f"groups: expected some of {', '.join(known)}, got {', '.join(unknown)}")
    return tuple(rule for rule in rules if any(_is_in(rule, group) for group in groups))


def _is_in(rule: SecretRule, group: str) -> bool:
    return rule.name == group or rule.name.startswith(f"{group}-")


def operator_rules(patterns: Mapping[str, str]) -> Iterator[SecretRule]:
    """Yield an operator's rules. Raises PatternError for a pattern that is none, or whose search could take long."""
    for name, pattern in patterns.items():
        try:
            ways = _ways(parser.parse(pattern))
            compiled = re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as problem:
            raise PatternError(f"{name}: expected a regular expression: {problem}") from None
        if ways > MAX_WAYS:
            raise PatternError(
                f"{name}: expected a pattern whose repeats are bounded, such as [a-z]{{1,40}} in place of [a-z]+, and which matches "
                f"in at most {MAX_WAYS} ways at a place"
            )
        if compiled.match(""):
            raise PatternError(f"{name}: expected a pattern that needs at least one character")
        yield SecretRule(name, compiled)


def _ways(parsed: Any) -> int:
    """Return in how many ways a parsed pattern may match at one place, MAX_WAYS + 1 where that is not bounded."""
    ways = 1
    for kind, argument in parsed:
        ways = min(ways * _ways_of(kind, argument), MAX_WAYS + 1)
    return ways


def _ways_of(kind: Any, argument: Any) -> int:
    match kind:
        case constants.MAX_REPEAT | constants.MIN_REPEAT:
            least, most, inner = argument
            is_bounded = most is not constants.MAXREPEAT
            return _repeated(int(least), int(most), _ways(inner)) if is_bounded else MAX_WAYS + 1
        case constants.POSSESSIVE_REPEAT | constants.SUBPATTERN | constants.ASSERT | constants.ASSERT_NOT:
            return _ways(argument[-1])
        case constants.ATOMIC_GROUP:
            return _ways(argument)
        case constants.BRANCH:
            return sum(_ways(branch) for branch in argument[1])
        case constants.GROUPREF | constants.GROUPREF_EXISTS:
            return MAX_WAYS + 1
        case _:
            return 1


def _repeated(least: int, most: int, ways: int) -> int:
    return int(min((most - least + 1) * ways ** min(most, MAX_WAYS if ways == 1 else 64), MAX_WAYS + 1))
