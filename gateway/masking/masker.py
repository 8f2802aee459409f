"""Replaces secrets in texts and JSON values by placeholders. Pure.

Only the value goes: JSON stays JSON, a line keeps its name. Equal secrets get equal placeholders, so that a reader can tell them apart;
a placeholder is a keyed hash, from which the secret cannot be guessed.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge
from itertools import chain
from typing import Any

from gateway.masking import named_secrets, option_secrets
from gateway.masking.element_secrets import element_secrets
from gateway.masking.finders import Finder, Finders, is_short
from gateway.masking.kubernetes_secrets import HOLDERS, NAME, has_name, has_value, values_of_secrets
from gateway.masking.media import has_media
from gateway.masking.named_secrets import is_secret, means_secret, stands_for_a_secret
from gateway.masking.option_secrets import means_option_secret
from gateway.masking.secret import Secret
from gateway.masking.secret_lists import listed_secrets, means_secrets
from gateway.masking.secret_shapes import SecretRule
from gateway.masking.stretches import matches
from gateway.masking.visible_text import VisibleText, visible
from protocol.text_joining import APPENDED_CHARS, joined
from tools.placeholders import placeholder


class KnownSecrets:
    """Masks secrets that are known, such as those of the configuration, and no others."""

    def __init__(self, known: Iterable[str] = (), key: bytes = b"") -> None:
        """`key`: random bytes for the placeholders."""
        secrets = {each for each in known if len(each) >= LEAST_KNOWN_CHARS}
        # As they stand in a text that is JSON, too.
        spellings = {
            json.dumps(each, ensure_ascii=is_ascii)[1:-1] for each in secrets for is_ascii in (True, False)
        }
        # Long ones first: one may be a part of another.
        self._known = sorted(secrets | spellings, key=len, reverse=True)
        self._key = key
        self._finders = Finders(())
        self.replaced = 0
        """How many secrets it has replaced so far: for a metric, so two threads may lose one of them."""

    @property
    def longest_known_chars(self) -> int:
        """How long the longest known secret is, as it may stand in a text."""
        return len(self._known[0]) if self._known else 0

    def mask(self, text: str) -> str:
        """Return a text with its secrets replaced."""
        return self._without_secrets(text, self._finders)

    def mask_json(self, value: Any) -> Any:
        """Return a JSON value with the secrets in its strings replaced; pictures and sounds without known ones stay as they are."""
        return self._json(value, self._finders.for_short_texts_in(value))

    # `short`: what looks for secrets in the short texts of the JSON value that all of this is a part of.

    def _json(self, value: Any, short: Finders) -> Any:
        if isinstance(value, dict) and has_media(value) and not self._has_known(value["data"]):
            return {**self._masked({**value, "data": ""}, short), "data": value["data"]}
        return self._masked(value, short)

    def _has_known(self, text: str) -> bool:
        return any(secret in text for secret in self._known)

    def _masked(self, value: Any, short: Finders) -> Any:
        """Return a JSON value with the secrets in its strings replaced."""
        match value:
            case str():
                return self._text(value, short)
            case list():
                return [self._json(each, short) for each in value]
            case dict():
                return {self._text(name, short): self._json(inner, short) for name, inner in value.items()}
        return value

    def _text(self, text: str, short: Finders) -> str:
        return self._without_secrets(text, short if is_short(text) else self._finders)

    def _without_secrets(self, given: str, finders: Finders) -> str:
        """Return a text with its secrets replaced: the known ones, and what is found."""
        seen = VisibleText(given)
        known = (_occurrences(each, seen.text) for each in self._known if each in seen.text)
        found = [*finders.found(seen.text), *known]
        secrets = _apart(map(seen.in_given, merge(*found)))
        first = next(secrets, None)
        return given if first is None else joined(self._replaced(given, chain([first], secrets)))

    def _replaced(self, text: str, secrets: Iterable[Secret]) -> Iterator[str]:
        """Yield the parts of a text, with a placeholder in place of each secret."""
        at = 0
        for secret in secrets:
            yield from _slices(text, at, secret.start)
            quote = _quote_around(text, secret)
            yield quote + self._placeholder(text[secret.start : secret.end], secret.name) + quote
            at = secret.end
        yield from _slices(text, at, len(text))

    def _placeholder(self, secret: str, name: str) -> str:
        self.replaced += 1
        digest = hashlib.blake2b(
            secret.encode("utf-8", "surrogatepass"), key=self._key, digest_size=4
        ).hexdigest()
        return placeholder(name, digest)


class Masker(KnownSecrets):
    """Masks secrets by some rules, beside those that the gateway always has."""

    def __init__(
        self,
        rules: Sequence[SecretRule],
        known: Iterable[str] = (),
        key: bytes = b"",
        *,
        emails: bool = True,
    ) -> None:
        """`known`: secrets themselves; `key`: random bytes for the placeholders; `emails`: whether e-mail addresses are masked, too."""
        super().__init__(known, key)
        self._finders = Finders(_finders(rules, emails=emails))

    def _masked(self, value: Any, short: Finders) -> Any:
        """Return a JSON value with the secrets in its strings replaced; of a member, its name says what it is, too."""
        match value:
            case str():
                return self._text(value, short)
            case list():
                return [
                    self._placeholder(each, "secret")
                    if _is_behind_option(before, each)
                    else self._json(each, short)
                    for before, each in zip(chain([None], value), value, strict=False)
                ]
            case dict():
                hidden: Collection[str] = HOLDERS if value.get("kind") == "Secret" else ()
                hidden = {*hidden, *_secret_variables(value)}
                return {
                    self._text(name, short): self._all_masked(inner, short)
                    if name in hidden
                    else self._member(name, inner, short)
                    for name, inner in value.items()
                }
        return value

    def _member(self, given_name: str, value: Any, short: Finders) -> Any:
        name = visible(given_name)
        if isinstance(value, str) and is_secret(name, value):
            return self._placeholder(value, "secret")
        if isinstance(value, list) and means_secrets(name):
            return [
                self._placeholder(each, "secret")
                if isinstance(each, str) and not stands_for_a_secret(each)
                else self._json(each, short)
                for each in value
            ]
        return self._json(value, short)

    def _all_masked(self, value: Any, short: Finders) -> Any:
        """Return a value with every string in it replaced."""
        match value:
            case str():
                return self._placeholder(value, NAME)
            case list():
                return [self._all_masked(each, short) for each in value]
            case dict():
                return {
                    self._text(name, short): self._all_masked(inner, short) for name, inner in value.items()
                }
        return value


def _finders(rules: Iterable[SecretRule], *, emails: bool) -> Iterator[Finder]:
    """Yield what looks for secrets: what the gateway always has, and some rules."""
    yield from named_secrets.finders(emails=emails)
    yield Finder(listed_secrets, (":", "="))
    yield Finder(values_of_secrets, ("secret", "alue"))
    yield from option_secrets.finders()
    yield Finder(element_secrets, ("<",))
    yield from (Finder(partial(_matches, rule), rule.keywords) for rule in rules)


# A shorter value of the configuration, such as "1" or "true", is no secret.
LEAST_KNOWN_CHARS = 6


def _secret_variables(members: Mapping[str, Any]) -> Iterator[str]:
    """Yield the members of an object with the values of what another one names as a secret: `{"Key": "password", "Value": "..."}`."""
    values = [name for name, value in members.items() if isinstance(value, str) and has_value(name)]
    if values and any(
        isinstance(value, str) and has_name(name) and means_secret(visible(value))
        for name, value in members.items()
    ):
        yield from (name for name in values if not stands_for_a_secret(members[name]))


def _is_behind_option(before: Any, value: Any) -> bool:
    """Whether an item of a list, as of a program's arguments, is a secret: `["--password", "..."]`."""
    return (
        isinstance(value, str)
        and isinstance(before, str)
        and before.startswith("-")
        and not value.startswith("-")
        and means_option_secret(visible(before))
        and not stands_for_a_secret(value)
    )


_NUMBER = re.compile(r"-?\d{1,400}+(?:\.\d{1,400}+)?+(?:[eE][-+]?\d{1,9}+)?+\Z")
_MEMBER = re.compile(r"(\\{0,15}+\")[ \t]{0,40}+:[ \t]{0,40}+\Z")
# Of a text before a value, for the end of its name.
MEMBER_CHARS = 100


def _quote_around(text: str, secret: Secret) -> str:
    """Return what must stand around a placeholder so that JSON stays JSON: quotation marks, in place of a number behind a name in such."""
    if not _NUMBER.match(text[secret.start : secret.end]):
        return ""
    name = _MEMBER.search(text[max(0, secret.start - MEMBER_CHARS) : secret.start])
    return name[1] if name else ""


def _slices(text: str, start: int, end: int) -> Iterator[str]:
    for at in range(start, end, APPENDED_CHARS):
        yield text[at : min(at + APPENDED_CHARS, end)]


def _matches(rule: SecretRule, text: str) -> Iterator[Secret]:
    """Yield what a rule finds."""
    for found in matches(rule.pattern, text, rule.keywords):
        group = rule.group if found[rule.group] is not None else 0
        yield Secret(*found.span(group), rule.name)


def _occurrences(known: str, text: str) -> Iterator[Secret]:
    at = text.find(known)
    while at >= 0:
        yield Secret(at, at + len(known), "configured")
        at = text.find(known, at + len(known))


def _apart(secrets: Iterable[Secret]) -> Iterator[Secret]:
    """Yield secrets that do not overlap: those that do become one, under the name of the first."""
    current: Secret | None = None
    for secret in secrets:
        if current is None or secret.start >= current.end:
            if current is not None:
                yield current
            current = secret
        else:
            current = current._replace(end=max(current.end, secret.end))
    if current is not None:
        yield current
