"""The values in Kubernetes' Secrets, and values beside the name of a secret, in YAML and in JSON, wherever in a text. Pure; linear.

Of a Secret all that stands under `data` and `stringData`; of a container's `env`, of AWS's tags and the like the `value` beside a `name` or
`Key` that means a secret.

Reads lines and JSON's tokens alone, so that a manifest is found in a log, and half of one too.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from gateway.masking.named_secrets import WORDS, means_secret, stands_for_a_secret
from gateway.masking.secret import Secret
from gateway.masking.stretches import matches

NAME = "kubernetes-secret"

HOLDERS = frozenset({"data", "stringData"})

# What is longer is no name.
MAX_NAME_CHARS = 200

# subtle: a string that is not closed matches, too, up to the end of its line; else each of many quotes would be read to there. Of signs
# between values the last one counts. All repeats but those of a string are bounded, since a search holds the interpreter.
_PIECE = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?|[{}\[\]]|[:,](?:[^"{}\[\]:,]{0,100}+[:,]){0,100}+'
_PIECES = re.compile(_PIECE)
_ESCAPED_SECRET = re.compile(r'\\"kind\\":\s{0,4}\\"Secret\\"')

# What a line of YAML must have somewhere for a text to have a value in YAML: most texts have none, and need not be read line by line.
# So many blanks and quotes before a kind that more could hide it from `matches` are a sign, too.
_SIGN_OF_YAML = re.compile(
    r"kind[\"']?:[ \t][\"' \t]{0,1000}+(?:Secret[\"' ]*+(?:\s|\Z)|[\"' \t])|alue'?:(?:\s|\Z)"
)

# A line, with the member that it begins, if it does; and empty lines behind it.
_LINES = re.compile(
    r"(?P<indent>[ \t]*+)(?:(?P<dashes>(?:-[ \t]+)*+)(?P<quote>[\"']?)(?P<name>[A-Za-z0-9_./-]{1,253}+)(?P=quote):"
    r"(?:[ \t]++(?=\S)|[^\S\r\n]*+(?=[\r\n]|\Z))|)(?P<value>[^\r\n]*+)[\r\n]*+"
)


def values_of_secrets(text: str) -> Iterator[Secret]:
    """Yield the values, in the order of their starts."""
    if "Secret" not in text and "alue" not in text:
        return
    spans = {*_in_json(text), *(_in_yaml(text) if _has_sign_of_yaml(text) else ())}
    yield from (Secret(start, end, NAME) for start, end in sorted(spans))


def has_name(member: str) -> bool:
    """Whether a member of an object says what another one is the value of: `name`, `Key`, `ParameterKey`."""
    lowered = member.lower()
    return lowered in _name_members() or lowered.endswith(("name", "key"))


def has_value(member: str) -> bool:
    """Whether a member of an object is the value of what another one names: `value`, `ParameterValue`."""
    return member.endswith(("value", "Value"))


@cache
def _name_members() -> frozenset[str]:
    return frozenset(tomllib.loads(WORDS.read_text("utf-8"))["name_members"])


Span = tuple[int, int]


# --- JSON ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Value:
    """An object or array that is open."""

    is_object: bool
    secret: "_Value | None" = None
    """The object whose `data` this is a part of."""
    key: str = ""
    is_key_next: bool = True
    is_secret: bool = False
    values: list[Span] = field(default_factory=list)
    named_by: str = ""
    """The member that names a secret."""
    variables: list[Span] = field(default_factory=list)
    """Where the values stand of what it names."""


@cache
def _parts() -> re.Pattern[str]:
    """Return the pattern of a token, or else of members that say nothing: their names are not asked for, their values no manifests."""
    exact = "|".join(map(re.escape, (*_name_members(), *HOLDERS, "kind")))
    name = rf'"(?!(?i:{exact})")[A-Za-z0-9_./-]{{0,253}}+(?<!(?i:name))(?<!(?i:key))(?<!(?i:value))"'
    value = r'(?:"[^"\\\n]{0,1000}+"|[^"{}\[\]:,\s][^"{}\[\]:,]{0,100}+)'
    member = rf"{name}\s{{0,100}}+:\s{{0,100}}+{value}\s{{0,100}}+,\s{{0,100}}+"
    return re.compile(rf"(?P<plain>(?:{member}){{1,100}}+)|{_PIECE}")


def _in_json(text: str) -> Iterator[Span]:
    opened: list[_Value] = []
    for found in _tokens(text, opened):
        start, end = found.span()
        sign = text[start]
        if sign in "{[":
            opened.append(_Value(sign == "{", _secret_around(opened)))
        elif not opened:
            continue
        elif sign in "}]":
            yield from _secrets_in(opened.pop(), text)
        elif sign in ":,":
            opened[-1].is_key_next = text[end - 1] == ","
        elif opened[-1].is_object and opened[-1].is_key_next:
            opened[-1].key = text[slice(*_inside(found))]
        else:
            yield from _json_string(text, _inside(found), opened[-1])
    for unfinished in opened:
        yield from _secrets_in(unfinished, text)


def _tokens(text: str, opened: Sequence[_Value]) -> Iterator[re.Match[str]]:
    """Yield the tokens of a text, but for members that say nothing where `opened` ends with an object whose next member they are."""
    for found in _parts().finditer(text):
        if found.lastgroup is None:
            yield found
        elif opened and opened[-1].is_object and opened[-1].is_key_next and opened[-1].secret is None:
            opened[-1].key = ""
        elif opened:
            yield from _PIECES.finditer(text, *found.span())


def _secret_around(opened: list[_Value]) -> _Value | None:
    if not opened:
        return None
    around = opened[-1]
    return around if around.is_object and around.key in HOLDERS else around.secret


def _inside(string: re.Match[str]) -> Span:
    """Return where the text of a string stands, between its quotes; the closing one may be missing."""
    start, end = string.span()
    is_closed = end - start > 1 and string.string[end - 1] == '"'
    return start + 1, end - is_closed


def _json_string(text: str, inside: Span, current: _Value) -> Iterator[Span]:
    """Note a string that is a value, and yield it if it is a whole manifest, as the last applied configuration is."""
    if current.is_object and has_value(current.key):
        current.variables.append(inside)
    elif current.is_object and has_name(current.key) and means_secret(text[slice(*inside)][:MAX_NAME_CHARS]):
        current.named_by = current.key
    if current.is_object and current.key == "kind" and text[slice(*inside)] == "Secret":
        current.is_secret = True
    elif current.secret is not None and inside[0] < inside[1]:
        current.secret.values.append(inside)
    elif _ESCAPED_SECRET.search(text, *inside):
        yield inside


# --- YAML ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Mapping:
    """A mapping whose members stand at one column."""

    column: int
    is_secret: bool = False
    is_holding: bool = False
    """Whether the lines below are under `data` or `stringData`."""
    values: list[Span] = field(default_factory=list)
    named_by: str = ""
    variables: list[Span] = field(default_factory=list)


def _has_sign_of_yaml(text: str) -> bool:
    return next(matches(_SIGN_OF_YAML, text), None) is not None


def _in_yaml(text: str) -> Iterator[Span]:
    opened: list[_Mapping] = []
    for line in _LINES.finditer(text):
        start = line.start()
        indent = line.end("indent") - start
        is_separator = text.startswith("---", start)
        is_member = line["name"] is not None
        if not is_member and not line["value"].strip():
            continue
        # A mapping ends before a line further left, before the next item of its list, before the next document.
        while opened and (is_separator or opened[-1].column > indent):
            yield from _secrets_in(opened.pop(), text)
        column = line.end("dashes") - start if is_member else indent
        if opened and opened[-1].is_holding and opened[-1].column < column:
            opened[-1].values.extend(_value_span(line))
        elif is_member:
            _note_member(opened, column, line)
    for unfinished in opened:
        yield from _secrets_in(unfinished, text)


def _value_span(line: re.Match[str]) -> Iterator[Span]:
    """Yield where a line's value stands, if it has one that does not stand in the lines below."""
    value = line["value"].rstrip()
    if value and not (line["name"] and value[0] in "|>"):
        yield line.start("value"), line.start("value") + len(value)


def _note_member(opened: list[_Mapping], column: int, line: re.Match[str]) -> None:
    """Note what a member says of its mapping: that it is a Secret, that its data follow."""
    if not opened or opened[-1].column < column:
        opened.append(_Mapping(column))
    mapping, name = opened[-1], line["name"]
    # In JSON, which is read above, the quotation marks of a value would go with it.
    if line["quote"] == '"':
        pass
    elif has_value(name):
        mapping.variables = list(_value_span(line))
    elif has_name(name) and means_secret(line["value"].rstrip()[:MAX_NAME_CHARS].strip("\"' ")):
        mapping.named_by = name
    elif name == mapping.named_by:  # the next one of a list without dashes
        mapping.named_by = ""
    mapping.is_holding = name in HOLDERS and not line["value"].rstrip()
    if name == "kind" and line["value"].rstrip().strip("\"' ") == "Secret":
        mapping.is_secret = True


def _secrets_in(done: _Value | _Mapping, text: str) -> Iterator[Span]:
    """Yield the secrets of an object or a mapping that is complete."""
    if done.is_secret:
        yield from done.values
    for variable in done.variables if done.named_by else ():
        if not stands_for_a_secret(text[slice(*variable)].strip("\"' ")):
            yield variable
