"""Which values of a server's configuration are secrets, and so must come back from no server: judged by their names. Pure.

Not all of them are: a region, a path or the name of a database must stay readable in results. Nor is a plain word one, whatever its name
(`POSTGRES_PASSWORD: postgres`): masked everywhere, it would make results unreadable and protect nothing.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from urllib.parse import parse_qsl, unquote, urlsplit

from gateway.masking.named_secrets import WORDS, is_secret, stands_for_a_secret

_WORD_ENDS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
_PLAIN_WORD = re.compile(r"[A-Za-z]{1,12}")
# No segment has more than 30 characters: a key that begins with a slash is longer.
_PATH = re.compile(r"(?:~|\.{0,2})(?:/[\w.@ -]{1,30}+)++/?|[A-Za-z]:\\.*", re.DOTALL)


def configured_secrets(
    named: Iterable[tuple[str, str]], arguments: Sequence[str] = (), url: str | None = None
) -> Iterator[str]:
    """Yield the secrets among values with a name (of variables, of headers), a program's arguments, and in a URL."""
    for name, value in (*named, *_options(arguments)):
        if _means_secret(name, value):
            yield from (each for each in (value, *value.split()[1:]) if not _is_readable(each))
        yield from _in_url(value)
    yield from _in_url(url or "")


def is_path(value: str) -> bool:
    """Whether a value is a path of a file."""
    return _PATH.fullmatch(value) is not None


def _is_readable(value: str) -> bool:
    return _PLAIN_WORD.fullmatch(value) is not None or stands_for_a_secret(value)


def _means_secret(name: str, value: str) -> bool:
    if is_secret(name, "x1"):
        return True
    words = _WORD_ENDS.split(name.lower()) + _WORD_ENDS.split(name)
    known, others = _words()
    is_named = any(word.lower() in known for word in words) and words[-1].lower() not in others
    return is_named and not is_path(value) and "://" not in value


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    words = tomllib.loads(WORDS.read_text("utf-8"))
    return frozenset(words["words_of_configurations"]), frozenset(words["endings_of_other_names"])


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the options of a command line with their values: `--token=x`, and `--token x`."""
    for argument, following in zip(arguments, (*arguments, "")[1:], strict=True):
        name, is_assigned, value = argument.partition("=")
        if argument.startswith("-"):
            yield name.lstrip("-"), value if is_assigned else following
        else:
            yield "", argument


def _in_url(value: str) -> Iterator[str]:
    """Yield the password and the secret parameters of a URL."""
    if "://" not in value:
        return
    try:
        parts = urlsplit(value)
        found = [
            parts.password,
            *(inner for name, inner in parse_qsl(parts.query) if _means_secret(name, inner)),
        ]
    except ValueError:
        return
    for each in found:
        if each and not _is_readable(each):
            yield from {each, unquote(each)}
