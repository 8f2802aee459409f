"""Secrets behind options of a command line: `--password X`, `["--token", "X"]`, `curl -u bob:X`, wherever in a text. Pure; linear.

An option of one letter says nothing of its value: it counts behind the few commands of which the data (secret_names.toml) has it. The
word that an option's help has in place of a value (`--password PASSWORD`, `--token string  Bearer token`) is no secret.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gateway.masking.configured_secrets import is_path
from gateway.masking.finders import Finder
from gateway.masking.named_secrets import (
    HAS_SIGN,
    VALUE,
    WORDS,
    means_secret,
    secret_in,
    stands_for_a_secret,
)
from gateway.masking.secret import Secret
from gateway.masking.stretches import matches

# An option, up to where its value begins: behind blanks, or as the next item of a list in JSON, in code or in YAML.
_OPTION = re.compile(
    r"""-(?<![\w-]-)-?(?P<name>[A-Za-z](?:[\w.]|-(?=\w)){2,60}+)"""
    r"""(?:[ \t]{1,8}|\\{0,15}+["'],\s{0,200}+(?=\\{0,15}+["'])|["']?\r?\n[ \t]{0,200}+-[ \t]{1,8})(?!\\{0,15}+["']?-)"""
)
_VALUE = re.compile(VALUE)

# `--no-password` and the like have no value.
_NEGATED = re.compile(r"no-|without-|skip-|ask-")
# `--password PASSWORD`: an option's help.
_METAVARIABLE = re.compile(r"[A-Z][A-Z_-]{0,40}")
_SENTENCE_ENDS = ".,:;!?"

# `'/Users/%s' % name`
_TEMPLATE = re.compile(r"%(?:\(\w{1,60}\))?[sdr]|\{\w{0,60}\}")

# A command goes on behind a line end with a backslash before it.
_REST_OF_COMMAND = r"(?P<rest>(?:\\\r?\n|[^\n]){0,2000}+)"
_USER = r"""["']?(?P<user>[^\s:"'\\<$][^\s:"'\\]{0,200}+)?+["']?:"""


def finders() -> Iterator[Finder]:
    """Yield what finds them."""
    yield Finder(option_secrets, ("-",))
    yield Finder(secrets_of_commands, _commands().names)


def option_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets behind options whose names say so, in the order of their starts."""
    for found in matches(_OPTION, text):
        if not means_option_secret(found["name"]):
            continue
        value = _VALUE.match(text, found.end())
        secret = secret_in(value) if value else None
        if value and secret and not _is_other(text[secret.start : secret.end], value):
            yield secret


def means_option_secret(name: str) -> bool:
    """Whether an option, with its dashes or without, says that its value is a secret."""
    bare = name.lstrip("-")
    return _NEGATED.match(bare) is None and means_secret(bare.replace("-", "_"))


def _is_other(value: str, found: re.Match[str]) -> bool:
    """Whether a value is a file's path, a template, what an option's help has in its place, or the end of a sentence ("use --token instead.")."""
    if _TEMPLATE.search(value) or _is_file(value):
        return True
    if found.lastgroup not in ("bare", "more"):
        return False
    is_sentence = value[-1] in _SENTENCE_ENDS and not HAS_SIGN.search(value.rstrip(_SENTENCE_ENDS))
    return is_sentence or _METAVARIABLE.fullmatch(value) is not None or not any(map(str.isalnum, value))


def _is_file(value: str) -> bool:
    return is_path(value) and (value.count("/") > 1 or "." in value)


# --- Options that mean a secret behind some commands alone ----------------------------------------------------------


class _Commands(NamedTuple):
    names: tuple[str, ...]
    pattern: re.Pattern[str]
    """One of the commands, and the rest of its line."""
    options: dict[str, re.Pattern[str]]
    """Of each command, its options with a secret."""


def secrets_of_commands(text: str) -> Iterator[Secret]:
    """Yield the secrets behind options of one letter of some commands, in the order of their starts."""
    commands = _commands()
    for found in matches(commands.pattern, text, commands.names):
        for option in commands.options[found["command"].lower()].finditer(text, *found.span("rest")):
            # A key in place of a user's name has no password behind it: `-u KEY:`.
            group = "secret" if option["secret"] or "user" not in option.groupdict() else "user"
            if option[group] and not stands_for_a_secret(option[group]):
                yield Secret(*option.span(group), "secret")


@cache
def _commands() -> _Commands:
    given = tomllib.loads(WORDS.read_text("utf-8"))["options_of_commands"]
    names = "|".join(map(re.escape, given))
    pattern = re.compile(rf"\b(?P<command>{names})(?![\w-]){_REST_OF_COMMAND}", re.IGNORECASE)
    return _Commands(tuple(given), pattern, {name: _options(each) for name, each in given.items()})


def _options(given: dict[str, list[str]]) -> re.Pattern[str]:
    """Return the pattern of a command's options, up to the end of a value."""
    ((kind, options),) = given.items()
    blanks = {"attached": "", "user": r"[ \t=]{0,8}+"}.get(kind, r"[ \t]{0,8}+")
    before = _USER if kind == "user" else ""
    between = rf"""(?:{blanks}|["'],\s{{0,40}}+(?=["']))""" if blanks else ""
    value = r"""(?![<\[$]|\{\{)["']?(?![,;)\]}<\[$%]|\{\{)(?P<secret>[^\s"'\\`<>]{1,400}+)"""
    or_none = r"""|(?=["']{0,2}(?:\s|\Z))""" if kind == "user" else ""
    return re.compile(rf"""(?<=[\s"'])(?:{"|".join(options)}){between}{before}(?:{value}{or_none})""")
