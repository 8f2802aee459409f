"""Secrets that stand behind a name (`password: ...`), a scheme (`Bearer ...`) or in a URL; e-mail addresses and certificates. Pure.

Linear: each pattern begins with a word or a sign of its own, and every repeat is bounded. A reference to a secret (`${DB_PASSWORD}`,
`secretName: db`), a number, a hash of a file (`sha256:...`) is none.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from gateway.masking.finders import Finder
from gateway.masking.secret import Secret
from gateway.masking.stretches import matches

WORDS = Path(__file__).with_name("secret_names.toml")

# The value: between quotation marks with the escapes of JSON, or between escaped ones, where JSON stands in JSON, at most four levels deep;
# else up to a space or a sign that ends a value.
VALUE = (
    r"""(?:(?:Bearer|Basic|Token|Digest)[ \t]{1,4})?(?!\$[{(])(?:"(?P<double>(?:[^"\\\n]|\\[^\n]){1,4000}+)"""
    r""""|\\{1,15}+"(?P<escaped>(?:[^"\\\n]|\\(?!\\{0,14}+")[^"\n]){1,4000}+)\\{1,15}+"|'(?P<single>[^'\n]{1,4000}+)'"""
    r"""|(?P<bare>[^\s"'`,;&(){}\[\]<>]{1,4000}+)(?P<more>[ \t]+[^\W\d_])?)"""
)

# What stands for a secret, or cannot be one.
_NO_SECRET = re.compile(
    r"\$\{.*|\$\(.*|\$[A-Za-z_]\w*|<.*|\{\{.*|%\(?\w.*|\*+|\[masked .*|sha\d{1,3}:.*|-?\d{1,9}(?:\.\d{1,9})?(?:[a-zA-Z]{1,3}|%)?"
    r"|\.{2,20}|x{3,100}|(?:bearer|basic|digest|true|false|null|none|nil|undefined|yes|no|unset|empty|required|optional)",
    re.IGNORECASE,
)
_EXPRESSION = re.compile(r"[A-Za-z_]{1,60}+(?:\.[A-Za-z_]{1,60}+){0,5}+\Z")
# After a value, for the sign that tells that it is code.
CODE_CHARS = 4
HAS_SIGN = re.compile(r"[^A-Za-z]")

_SCHEME = re.compile(
    r"(?-i:[BbTt])(?:(?<=\bb)(?:earer|asic)|(?<=\bt)oken)[ \t]{1,4}(?=[A-Za-z._~+/-]{0,200}\d)(?P<secret>[A-Za-z0-9._~+/-]{8,4000}+={0,2})",
    re.IGNORECASE,
)
_SCHEMES = ("bearer", "basic", "token")
_URL = re.compile(r"://[^\s/:@\"'<>]{0,100}+:(?P<secret>[^\s/@\"'<>]{1,400}+)@")
# An address is looked for from its sign on, which few texts have often; what stands before the sign is read backwards.
_MAIL_DOMAIN = re.compile(r"@(?:[A-Za-z0-9-]{1,63}+\.){1,8}+[A-Za-z]{2,24}+(?![\w@-])")
MOST_LOCAL_CHARS = 64
_LOCAL_PART = re.compile(r"[\w.%+-]*+")
_CERTIFICATE = re.compile(
    r"-----BEGIN [A-Z ]{0,40}?CERTIFICATE(?: REQUEST)?-----(?P<secret>(?:[A-Za-z0-9+/=\s]|\\[nr]){1,16000}+)-----END "
)


def finders(*, emails: bool = True) -> Iterator[Finder]:
    """Yield what finds them; e-mail addresses only with `emails`."""
    yield Finder(_named, (":", "="))
    yield Finder(partial(_found, _SCHEME, "credentials", _SCHEMES), _SCHEMES)
    yield Finder(partial(_found, _URL, "url-password", ()), ("://",))
    if emails:
        yield Finder(_mails, ("@",))
    yield Finder(partial(_found, _CERTIFICATE, "certificate", ()), ("-----begin",))


def is_secret(name: str, value: str) -> bool:
    """Whether a member's name says that its value is a secret."""
    return means_secret(name) and not stands_for_a_secret(value)


def means_secret(name: str) -> bool:
    """Whether a name says that what it names is a secret."""
    found = _assignment().search(f"{name}=x")
    return found is not None and found["bare"] == "x"


def stands_for_a_secret(value: str) -> bool:
    """Whether a value stands for a secret, such as a reference, or cannot be one, such as a number."""
    return _NO_SECRET.fullmatch(value) is not None


@cache
def _assignment() -> re.Pattern[str]:
    """Return the pattern of a name that means a secret, with its value."""
    return re.compile(rf"{name_pattern()}[ \t]{{0,40}}+(?::=|=>|[:=])[ \t]{{0,40}}+{VALUE}", re.IGNORECASE)


def name_pattern(*, lists: bool = False) -> str:
    """Return the pattern of a name that means a secret, or else a list of them, up to its quotation mark; for use without regard to case."""
    words = tomllib.loads(WORDS.read_text("utf-8"))
    names = _beginning_with_their_letters(words["names"] + (words["names_of_lists"] if lists else []))
    others = "|".join(words["endings_of_other_names"])
    return rf"{names}(?!\w{{0,20}}(?:{others})\b)(?:(?-i:[A-Z\d])\w{{0,20}}+|[_-][\w-]{{0,20}}+)?+\\{{0,15}}+[\"']?"


def _beginning_with_their_letters(names: Sequence[str]) -> str:
    """Return a pattern of names, for use without regard to case, that begins with the set of their first letters.

    Only a set whose case matters lets a search skip to the next letter that may begin a name; an alternation is tried at every place.
    """
    rest: dict[str, list[str]] = {}
    for name in names:
        first = r"\b" * name.startswith(r"\b") + name.removeprefix(r"\b")[0]
        rest.setdefault(first, []).append(name[len(first) :])
    letters = {first[-1] for first in rest}
    # The long s is a small letter of S, too.
    signs = "".join(sorted(letters | set(map(str.upper, letters)))) + "\u017f"
    each = (f"(?<={first})(?:{'|'.join(ends)})" for first, ends in rest.items())
    return f"(?-i:[{signs}])(?:{'|'.join(each)})"


def _named(text: str) -> Iterator[Secret]:
    for found in matches(_assignment(), text):
        secret = secret_in(found)
        end = found.end("bare")
        if secret and not (end >= 0 and _is_code(found["bare"], text[end : end + CODE_CHARS])):
            yield secret


def secret_in(found: re.Match[str]) -> Secret | None:
    """Return the secret in a match of VALUE; None where it stands for one, or is a word of prose."""
    kind = found.lastgroup if found.lastgroup != "more" else "bare"
    value = found[kind or "bare"]
    # A word before other words is prose: "Password: must be changed".
    if stands_for_a_secret(value) or (found["more"] and not HAS_SIGN.search(value)):
        return None
    return Secret(*found.span(kind or "bare"), "secret")


def _is_code(value: str, following: str) -> bool:
    """Whether a value without quotation marks is an expression: a call, an index, an attribute, a type before a default."""
    return _EXPRESSION.match(value) is not None and (
        following.startswith(("(", "[")) or following.lstrip().startswith("=") or "." in value
    )


def _found(pattern: re.Pattern[str], name: str, words: Sequence[str], text: str) -> Iterator[Secret]:
    for found in matches(pattern, text, words):
        yield Secret(*found.span("secret"), name)


def _mails(text: str) -> Iterator[Secret]:
    end = 0
    for found in matches(_MAIL_DOMAIN, text):
        sign = found.start()
        before = text[max(0, sign - MOST_LOCAL_CHARS - 1) : sign]
        local = _LOCAL_PART.match(before[::-1])
        length = local.end() if local else 0
        if 0 < length <= MOST_LOCAL_CHARS and sign - length >= end:
            end = found.end()
            yield Secret(sign - length, end, "email")
