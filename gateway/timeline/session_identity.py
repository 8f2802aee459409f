"""Which session a call is of: the one that its client names, else that of its MCP session, else one for each key, client and day. Pure.

A client that names its sessions in `_meta` knows best what belongs together. The same client without names gets a session a day, which
is what its user would look for.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from gateway.call_context import ID_KEYS, MAX_ID_CHARS
from gateway.server_selection import Selection
from gateway.timeline.timeline import SessionKey

# As it stands in `_meta`.
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"

ID_HEX_DIGITS = 24


class GivenIds(NamedTuple):
    """What a call says of the work it is part of, in the order of ID_KEYS; None where it says nothing that can be used."""

    session: str | None
    stage: str | None
    execution: str | None


def ids_of(meta: Mapping[str, Any], mask: Callable[[str], str]) -> GivenIds:
    """Return the ids in a call's `_meta`; `mask` is used on each, since they are shown."""
    return GivenIds(*(_masked_id(meta.get(name), mask) for name in ID_KEYS.values()))


def _masked_id(given: Any, mask: Callable[[str], str]) -> str | None:
    return mask(given) if isinstance(given, str) and 0 < len(given) <= MAX_ID_CHARS else None


class Caller(NamedTuple):
    """Who calls, as far as a call says."""

    owner: str
    meta: Mapping[str, Any]
    mcp_session: Sequence[str]
    """The values of its session header."""


def session_of(
    caller: Caller, given: str | None, selection: str, now: float, mask: Callable[[str], str]
) -> SessionKey:
    """Return the session of a call. `given`: the id that it names; `now`: calendar time in seconds."""
    owner = caller.owner
    if given is not None:
        return SessionKey(_digest(owner, "named", given), owner, given, selection)
    info = caller.meta.get(CLIENT_INFO)
    client = info.get("name") if isinstance(info, dict) else None
    client = _masked_id(client, mask) or ""
    if any(caller.mcp_session):
        # Whoever has the id of an MCP session could use it, so it is shown nowhere.
        return SessionKey(_digest(owner, "mcp", caller.mcp_session[0]), owner, client, selection)
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    name = f"{client} {day}".strip()
    return SessionKey(_digest(owner, "day", f"{name}\n{selection}"), owner, name, selection)


def selection_json(selection: Selection) -> str:
    """Return a choice of servers as the header that makes it says it."""
    servers = [
        {"name": name} if tools is None else {"name": name, "tools": sorted(tools)}
        for name, tools in selection.servers.items()
    ]
    return json.dumps({"servers": servers}, ensure_ascii=False)


def _digest(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:ID_HEX_DIGITS]
