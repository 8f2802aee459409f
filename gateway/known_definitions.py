"""Which definitions of servers' tools are accepted, and which have changed since. Pure: definitions come in masked.

The first definition that is seen of a tool is accepted by itself; another one is a change until it is accepted, or taken back. What is
compared is a hash of the canonical JSON; the text is kept to show the old one beside the new one.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tools.placeholders import without_digests

# Of a longer definition only the hash is kept: its change is reported without the old and the new text.
MAX_KEPT_CHARS = 64 * 1024

# A server that makes up names must not fill the file: no server has as many tools.
MAX_TOOLS = 10_000

# How much of a member is shown on either side, and how much of what stands before the difference.
MAX_SHOWN_CHARS = 300
CHARS_BEFORE = 40


class Fingerprint(NamedTuple):
    """A definition: the hash of its canonical JSON, and that itself; "" if it is very long."""

    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class KnownDefinition:
    """What is known of a tool."""

    accepted: Fingerprint
    changed: Fingerprint | None = None
    """What the server says now, if that is not what was accepted."""


def fingerprint(definition: Mapping[str, Any]) -> Fingerprint:
    """Return the same for the same definition, however its members are ordered, and whatever key its secrets were masked with."""
    text = without_digests(json.dumps(definition, sort_keys=True, ensure_ascii=True, separators=(",", ":")))
    return Fingerprint(hashlib.sha256(text.encode()).hexdigest(), text if len(text) <= MAX_KEPT_CHARS else "")


class KnownDefinitions:
    """The definitions by server and tool."""

    def __init__(self, known: Mapping[str, Mapping[str, KnownDefinition]] | None = None) -> None:
        self._known = {server: dict(tools) for server, tools in (known or {}).items()}

    def review(self, server: str, current: Mapping[str, Fingerprint]) -> tuple[list[str], bool]:
        """Take in what a server says now; return the tools that have changed since it was last asked, and whether anything is new."""
        before = self._known.get(server, {})
        after = {
            **before,
            **{tool: _reviewed(before.get(tool), each) for tool, each in current.items()},
        }
        if len(after) > MAX_TOOLS:
            after = {tool: known for tool, known in after.items() if tool in current}
        self._known[server] = after
        changed = [tool for tool in current if after[tool].changed and after[tool] != before.get(tool)]
        return changed, after != before

    def changed(self, server: str) -> dict[str, KnownDefinition]:
        """Return the tools of a server whose definitions are not the accepted ones."""
        return {tool: known for tool, known in self._known.get(server, {}).items() if known.changed}

    def accept(self, servers: Iterable[str]) -> list[tuple[str, str]]:
        """Accept the changed definitions of some servers; return each such server and tool."""
        accepted = [(server, tool) for server in servers for tool in self.changed(server)]
        for server, tool in accepted:
            changed = self._known[server][tool].changed
            if changed:
                self._known[server][tool] = KnownDefinition(changed)
        return accepted

    def take_accepted(self, others: "KnownDefinitions") -> None:
        """Take over what others, such as the command that accepts, have written meanwhile: their accepted definitions count."""
        for server, tools in others.by_server.items():
            own = self._known.setdefault(server, {})
            for tool, known in tools.items():
                now = own[tool].changed or own[tool].accepted if tool in own else known.changed
                own[tool] = _reviewed(known, now) if now else known

    @property
    def by_server(self) -> Mapping[str, Mapping[str, KnownDefinition]]:
        """All that is known, by server and tool."""
        return self._known

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {
            "version": 1,
            "servers": {
                server: {
                    tool: [known.accepted, known.changed] if known.changed else [known.accepted]
                    for tool, known in tools.items()
                }
                for server, tools in self._known.items()
            },
        }


def read_known_definitions(value: Any) -> KnownDefinitions:
    """Return what `as_json` gave. Raises ValueError."""
    try:
        if value["version"] != 1:
            raise ValueError(f"expected version 1, got {str(value['version'])[:20]}")
        return KnownDefinitions(
            {
                server: {
                    tool: KnownDefinition(*(_fingerprint_of(each) for each in kept))
                    for tool, kept in tools.items()
                }
                for server, tools in value["servers"].items()
            }
        )
    except (KeyError, TypeError, AttributeError) as problem:
        raise ValueError("expected definitions of tools, got other JSON") from problem


def differences(known: KnownDefinition) -> dict[str, dict[str, str]]:
    """Return the members that differ, each with its old and its new JSON, cut to where they differ."""
    if known.changed is None or not (known.accepted.text and known.changed.text):
        return {}
    old, new = json.loads(known.accepted.text), json.loads(known.changed.text)
    return {
        member: _beside(_json_of(old, member), _json_of(new, member))
        for member in sorted({*old, *new})
        if old.get(member) != new.get(member)
    }


def _reviewed(before: KnownDefinition | None, now: Fingerprint) -> KnownDefinition:
    if before is None or before.accepted.sha256 == now.sha256:
        return KnownDefinition(now)
    return KnownDefinition(before.accepted, now)


def _fingerprint_of(kept: Any) -> Fingerprint:
    sha256, text = kept
    if not isinstance(sha256, str) or not isinstance(text, str):
        raise TypeError
    return Fingerprint(sha256, text)


def _json_of(definition: Mapping[str, Any], member: str) -> str:
    return json.dumps(definition[member], ensure_ascii=False) if member in definition else ""


def _beside(old: str, new: str) -> dict[str, str]:
    start = max(0, _chars_alike(old, new) - CHARS_BEFORE)
    return {"old": _cut(old, start), "new": _cut(new, start)}


def _chars_alike(old: str, new: str) -> int:
    """Return how many characters two texts have in common at their beginnings, by halving: one by one, 64,000 would hold the interpreter."""
    least, most = 0, min(len(old), len(new))
    while least < most:
        middle = (least + most + 1) // 2
        if old[least:middle] == new[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _cut(text: str, start: int) -> str:
    end = start + MAX_SHOWN_CHARS
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
