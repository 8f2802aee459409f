"""Messages and bytes with something wrong in them. Not here: what HTTP adds around them (spoilt_http.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.support.fuzzing.inputs import TASK_ID
from tests.support.fuzzing.json_trees import Object, Raw, tree
from tests.support.messages import LEGACY, MODERN


def nested(opening: str, closing: str, depth: int) -> Raw:
    return Raw(opening * depth + "1" + closing * depth)


NAMES = (
    *("jsonrpc", "id", "method", "params", "result", "error", "_meta", "name", "arguments", "cursor", "uri"),
    *("content", "max_output_tokens", "taskId", "notifications", "progressToken", "inputResponses"),
    *("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"),
    *("io.modelcontextprotocol/logLevel", "io.modelcontextprotocol/tasks", "requestState", "extensions"),
    *("__proto__", "__class__", "", "\ud800", "x" * 3_000),
)
METHODS = (
    *("tools/call", "tools/list", "ping", "initialize", "server/discover", "tasks/get", "tasks/update"),
    *("notifications/initialized", "prompts/get", "completion/complete", "resources/read"),
    *("TOOLS/LIST", "tools/call ", "tools/call\u0000", "rpc.discover", "__init__", "notifications/x"),
)
SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 15, 16, 2**31, 2**53 + 1, -(2**63), 10**60, 0.5, 1.0, -0.0, 1e308, 800.0),
    *("", " ", "1", "a", "\x00", "\r\n", "é", "字😉", "\u2028", "\ud800", "a\udfff", "null", "2.0", "1.0"),
    *("v9",),
    *(MODERN, *LEGACY, TASK_ID, *METHODS, "summarize", "info", "semantic", "../../etc/passwd"),
    *("{0.__class__}",),
    *("%s%n", "${x}", "a" * 101, "x" * 30_000, "字" * 5_000, "\ud83d" * 200),
)
NUMBERS = tuple(
    map(
        Raw,
        ("1e999", "-1E999", "NaN", "Infinity", "-Infinity", "01", "+1", ".5", "1.", "0x10", "1e", "-", "1_0"),
    )
)
BROKEN = tuple(
    map(
        Raw,
        (
            *("", "truE", "undefined", "'a'", '"\\x"', '"\n"', '"', '"\\', '"\\ud800\\u0041"', '"\\u12"'),
            *("{,}", "[1,]"),
            *("{1:2}", '{"a"}', '{"a":}', "[", "]", "}", "/*c*/1", "1 2", '{"a":1,"a":[]}'),
            *('"\\ud83d\\ude09"',),
        ),
    )
)
DIGITS = (100, 4_300, 4_301, 50_000)
DEPTHS = (10, 50, 64, 65, 100, 500, 1_000, 5_000, 100_000)


def _big(random: Random) -> Any:
    return random.choice(
        (
            lambda: [None] * 2_000,
            lambda: [[]] * 500,
            lambda: Object([f"k{number}", number] for number in range(500)),
            lambda: ["file:///a"] * 1_025,
            lambda: Raw("7" * random.choice(DIGITS)),
            lambda: Raw("0." + "3" * random.choice(DIGITS)),
            lambda: nested("[", "]", random.choice(DEPTHS)),
            lambda: nested('{"a":', "}", random.choice(DEPTHS)),
            lambda: nested("[", "", random.choice(DEPTHS)),
            lambda: Raw("[" + "{}," * 100_000 + "1]"),
        )
    )()


def odd_value(random: Random) -> Any:
    """Return a value that hardly belongs where it is put."""
    kinds: tuple[tuple[float, Callable[[], Any]], ...] = (
        (0.72, lambda: random.choice(SCALARS)),
        (0.80, lambda: random.choice(([], [[]], Object(), [None], Object([["a", []]]), [Object()]))),
        (0.86, lambda: random.choice(NUMBERS)),
        (0.92, lambda: random.choice(BROKEN)),
        (1.00, lambda: _big(random)),
    )
    at = random.random()
    return next(make for limit, make in kinds if at < limit)()


def _containers(value: Any) -> Iterator[list[Any]]:
    """Yield every object and array in a tree."""
    if isinstance(value, list):
        yield value
        for item in value:
            yield from _containers(item[1] if isinstance(value, Object) else item)


@dataclass
class Slot:
    """A place in a tree: a member of an object or an item of an array."""

    holder: list[Any]
    at: int

    @property
    def value(self) -> Any:
        return self.holder[self.at][1] if isinstance(self.holder, Object) else self.holder[self.at]

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(self.holder, Object):
            self.holder[self.at][1] = value
        else:
            self.holder[self.at] = value


def _drop(slot: Slot, random: Random) -> None:
    del slot.holder[slot.at]


def _duplicate(slot: Slot, random: Random) -> None:
    again = tree(slot.holder[slot.at : slot.at + 1])[0] if not isinstance(slot.holder, Object) else None
    if isinstance(slot.holder, Object):
        name, value = slot.holder[slot.at]
        again = [name, odd_value(random) if random.random() < 0.5 else tree(value)]
    slot.holder.insert(random.randint(0, len(slot.holder)), again)


def _retype(slot: Slot, random: Random) -> None:
    value = slot.value
    others: tuple[Any, ...] = (str(value)[:200], [value], Object([["x", value]]), bool(value), 1.0, 1, None)
    slot.value = random.choice(others)


def _replace(slot: Slot, random: Random) -> None:
    slot.value = odd_value(random)


def _rename(slot: Slot, random: Random) -> None:
    if isinstance(slot.holder, Object):
        name = slot.holder[slot.at][0]
        slot.holder[slot.at][0] = random.choice((*NAMES, name.upper(), name + " ", name[:-1]))


def _add(slot: Slot, random: Random) -> None:
    new = odd_value(random)
    slot.holder.append([random.choice(NAMES), new] if isinstance(slot.holder, Object) else new)


OPERATIONS = (_drop, _duplicate, _retype, _replace, _replace, _rename, _add)


def spoilt(message: Any, random: Random) -> Any:
    """Return a message with something else at one place, however deep."""
    if random.random() < 0.03:
        return odd_value(random)
    message = tree(message)
    slots = [Slot(holder, at) for holder in _containers(message) for at in range(len(holder))]
    if not slots:
        return odd_value(random)
    # A value in a batch of a hundred is as likely as in a request: the first are as good as any.
    slot = random.choice(slots[:60])
    if random.random() < 0.1:
        slot.value = tree(random.choice(slots[:60]).value)
    else:
        random.choice(OPERATIONS)(slot, random)
    return message


# --- Bytes -----------------------------------------------------------------------------------------------------


def garbled(data: bytes, random: Random) -> bytes:
    """Return bytes with something wrong in them."""
    at, end = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
    noise = random.randbytes(random.randint(1, 8))
    mistakes: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + noise + data[at:],
        lambda: data[:at] + noise + data[at + len(noise) :],
        lambda: data[:at] + data[end:],
        lambda: data[:end] + data[at:],
        lambda: data + data,
        lambda: data + b"\n" + data,
        lambda: data + random.choice((b"\x00", b",", b"}", b"]", b" \r\n\t ", b"\xff", b"//")),
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: data.decode("utf-8", "replace").encode("utf-32-be"),
        lambda: b" " * random.choice((1, 1_000, 300_000)) + data,
        lambda: data.replace(b'"', b"'"),
        lambda: bytes(byte ^ 0x80 if random.random() < 0.01 else byte for byte in data[:10_000]),
        lambda: random.randbytes(random.randint(0, 2_000)),
        lambda: b"",
    )
    return random.choice(mistakes)()
