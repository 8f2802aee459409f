"""Reads the gateway's configuration: the `mcpServers` JSON that every client takes, with what the gateway adds to each server. Pure.

Text and environment come in as arguments. `${VAR}` and `${VAR:-default}` are replaced in strings; no message quotes a value that
may be a secret.
"""

import json
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gateway.server_rules import (
    GatewayConfig,
    GatewayServer,
    Isolation,
    MaskingRules,
    SummarizationRules,
    ToolRules,
)
from gateway.server_spec import OAuthGrant, ServerSpec, may_be_forwarded
from protocol.messages import json_type
from settings.misspellings import suggestion
from settings.setting import ConfigError
from settings.value_parsers import EXPECTED_HOST, names_http_server
from tools.schema_validator import MAX_QUOTED_CHARS, Mismatch, Schema, check

# How many members of a file without servers are quoted: other programs' files have a few.
MAX_QUOTED_MEMBERS = 5

# Names stand in URLs (`?servers=`), and before tools' names.
MAX_SERVER_NAME_CHARS = 32
_SERVER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

_VARIABLE = re.compile(r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*+))?\}")

_STRING: Schema = {"type": "string"}
_STRINGS: Schema = {"type": "array", "items": {"type": "string"}}
_NAMED_STRINGS: Schema = {"type": "object"}
_FLAG: Schema = {"type": "boolean"}

_SUMMARIZATION: Schema = {
    "enabled": _FLAG,
    "size_threshold_tokens": {"type": "integer", "minimum": 100},
    "summary_max_token_limit": {"type": "integer", "minimum": 50},
    "model": {"type": "string", "minLength": 1},
    "on_failure": {"enum": ["original", "error", "extractive"]},
    "raw_max_tokens": {"type": "integer", "minimum": 100},
}
_MASKING: Schema = {"enabled": _FLAG, "groups": _STRINGS, "emails": _FLAG, "patterns": _NAMED_STRINGS}
_TOOLS: Schema = {
    "allow": _STRINGS,
    "deny": _STRINGS,
    "rename": _NAMED_STRINGS,
    "description": _NAMED_STRINGS,
    "exact": _STRINGS,
    "pin": _STRINGS,
}
_SERVER: Schema = {
    "command": {"type": "string", "minLength": 1},
    "args": _STRINGS,
    "env": _NAMED_STRINGS,
    "cwd": {"type": "string", "minLength": 1},
    "url": {"type": "string", "minLength": 1},
    "headers": _NAMED_STRINGS,
    "timeout_seconds": {"type": "number", "minimum": 1, "maximum": 86_400},
    "max_concurrency": {"type": "integer", "minimum": 1},
    "max_calls_per_minute": {"type": "integer", "minimum": 1},
    "max_result_bytes": {"type": "integer", "minimum": 1_024},
    "forward_headers": _STRINGS,
    "isolation": {"enum": ["shared", "key", "session"]},
    "mode": {"enum": ["summarize", "observe"]},
    "on_change": {"enum": ["tell", "withhold"]},
    "summarization": {"type": "object"},
    "masking": {"type": "object"},
    "tools": {"type": "object"},
    "auth": {"type": "object"},
}
_AUTH: Schema = {
    "grant": {"enum": ["client_credentials", "refresh_token"]},
    "token_url": {"type": "string", "minLength": 1},
    "client_id": {"type": "string", "minLength": 1},
    "client_secret": _STRING,
    "refresh_token": _STRING,
    "scope": _STRING,
    "resource": _STRING,
}
_BLOCKS: Mapping[str, Schema] = {
    "summarization": _SUMMARIZATION,
    "masking": _MASKING,
    "tools": _TOOLS,
    "auth": _AUTH,
}

# RFC 9110, 5.1.
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class GatewayConfigError(ConfigError):
    """A configuration that cannot be used: the message has a line for each wrong member."""


def read_gateway_config(
    text: str,
    environment: Mapping[str, str],
    name: str = "MCP_GATEWAY_CONFIG",
    *,
    isolation: Isolation = "shared",
) -> GatewayConfig:
    """Return what a file says; `name` is how messages call it, `isolation` that of servers that say nothing of it.

    Raises GatewayConfigError with everything that is wrong.
    """
    given = _parsed(text, name)
    problems: list[str] = []
    notes: list[str] = []
    servers: dict[str, GatewayServer] = {}
    for server, members in given["mcpServers"].items():
        where = f"{name}: {server[:100]}"
        if members.get("disabled") is True:
            notes.append(f"{where}: disabled")
            continue
        reader = _ServerReader(server, {"isolation": isolation, **members}, environment, where)
        read = reader.read()
        if read is not None:
            servers[server] = read
        problems += reader.problems
        notes += reader.notes
    if problems:
        raise GatewayConfigError("\n".join(problems))
    return GatewayConfig(servers, environment, tuple(notes))


def open_config_file(
    path: str, environment: Mapping[str, str], *, isolation: Isolation = "shared"
) -> GatewayConfig:
    """Return what a file says; `isolation` as for `read_gateway_config`. Raises GatewayConfigError."""
    try:
        text = Path(path).read_text("utf-8-sig")
    except OSError as problem:
        raise GatewayConfigError(
            f"MCP_GATEWAY_CONFIG: {path}: expected a file that can be read: {problem.strerror or problem}"
        ) from None
    except UnicodeDecodeError:
        raise GatewayConfigError(f"MCP_GATEWAY_CONFIG: {path}: expected UTF-8, got other bytes") from None
    return read_gateway_config(text, environment, path, isolation=isolation)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise GatewayConfigError(f"{name}: expected JSON, got text that is none: {problem}") from None
    try:
        check({"type": "object"}, given, name)
        if "mcpServers" not in given:
            raise GatewayConfigError(_without_servers(given, name))
        check({"type": "object"}, given["mcpServers"], f"{name}.mcpServers")
        for server, members in given["mcpServers"].items():
            check({"type": "object"}, members, f"{name}: {server[:100]}")
    except Mismatch as problem:
        raise GatewayConfigError(str(problem)) from None
    return dict(given)


def _without_servers(given: Mapping[str, Any], name: str) -> str:
    """Return what is wrong with a file that has no servers: its member may have another case, or another program's name."""
    got = ", ".join(f'"{member[:MAX_QUOTED_CHARS]}"' for member in list(given)[:MAX_QUOTED_MEMBERS])
    return (
        f'{name}: expected a member "mcpServers" (case counts), got {got or "an empty object"}: '
        'write {"mcpServers": {"NAME": {"command": ...} or {"url": ...}}}'
    )


class _ServerReader:
    """Reads one server's members, and collects what is wrong with them."""

    def __init__(
        self, server: str, members: Mapping[str, Any], environment: Mapping[str, str], where: str
    ) -> None:
        self._server = server
        self._members = members
        self._environment = environment
        self._where = where
        self._secrets: list[str] = []
        self.problems: list[str] = []
        self.notes: list[str] = []

    def read(self) -> GatewayServer | None:
        """Return the server, None if there are problems."""
        if len(self._server) > MAX_SERVER_NAME_CHARS or not _SERVER_NAME.fullmatch(self._server):
            self.problems.append(
                f"{self._where}: expected a name of at most {MAX_SERVER_NAME_CHARS} letters, digits and `_.-`"
            )
        own = self._members_of(_SERVER, self._members, self._where)
        blocks = {
            block: self._members_of(schema, own.get(block, {}), f"{self._where}.{block}")
            for block, schema in _BLOCKS.items()
        }
        self._check_transport(own)
        if "auth" in own:
            self._check_auth(own, blocks["auth"])
        if self.problems:
            return None
        return self._server_of(own, blocks)

    def _members_of(self, schema: Schema, given: Any, where: str) -> dict[str, Any]:
        """Return the members that are right, with variables replaced; note what is unknown, and what is wrong."""
        found: dict[str, Any] = {}
        for name, value in given.items() if isinstance(given, dict) else ():
            if name not in schema:
                self._note_unknown(name, schema, where)
                continue
            wrong = list(_mismatches(schema[name], value, f"{where}.{name}"))
            self.problems += wrong
            if wrong:
                continue
            # Those of a block are replaced once it is read by its own schema.
            found[name] = value if name in _BLOCKS else self._replaced(value, f"{where}.{name}")
        return found

    def _note_unknown(self, name: str, schema: Schema, where: str) -> None:
        if schema is not _SERVER:  # a block of ours: no client has members of its own there
            self.problems.append(_unknown_message(name, schema, where))
            return
        known = {member.upper(): member for member in schema}
        meant = suggestion(name, list(known))
        if meant:
            self.problems.append(f"{where}.{name}: not known; did you mean {known[meant]}?")
        elif name not in _OF_CLIENTS:
            self.notes.append(f"{where}.{name}: not known, has no effect")

    def _replaced(self, value: Any, where: str) -> Any:
        """Return a value with the variables in its strings replaced; an unset one is a problem."""
        match value:
            case str():
                return _VARIABLE.sub(partial(self._variable, where), value)
            case list():
                return [self._replaced(each, where) for each in value]
            case dict():
                return {key: self._replaced(each, f"{where}.{key}") for key, each in value.items()}
        return value

    def _variable(self, where: str, found: re.Match[str]) -> str:
        name, default = found["name"], found["default"]
        value = self._environment.get(name)
        if default is not None:  # as in a shell, an empty value counts as none
            value = value or default
        if value is None:
            self.problems.append(f"{where}: expected the environment to have {name}, which is not set")
            return found[0]
        if name in self._environment:
            self._secrets.append(value)
        return value

    def _check_transport(self, own: Mapping[str, Any]) -> None:
        """Check that a server is either run or called, and not told what only the other one has."""
        if ("command" in own) == ("url" in own):
            got = "both" if "url" in own else "neither"
            self.problems.append(f"{self._where}: expected either a command or a url, got {got}")
            return
        if "url" in own:
            self._check_url(own["url"], f"{self._where}.url")
        wrong = ("headers", "forward_headers", "auth") if "command" in own else ("args", "env", "cwd")
        there = "a url" if "command" in own else "a command"
        self.problems += [f"{self._where}.{each}: only with {there}" for each in wrong if each in own]
        for header in own.get("forward_headers", ()):
            if not may_be_forwarded(header):
                self.problems.append(f"{self._where}.forward_headers: {header} is never sent on")
            elif not _HEADER_NAME.fullmatch(header):
                self.problems.append(
                    f"{self._where}.forward_headers: expected names of headers, got another string"
                )

    def _check_url(self, url: str, where: str) -> None:
        """Check that a URL is one of HTTP, unless it has a variable that is not set."""
        has_unset = any(problem.startswith(f"{where}: ") for problem in self.problems)
        if not (has_unset or _is_http_url(url)):
            self.problems.append(f"{where}: {_EXPECTED_URL}")

    def _check_auth(self, own: Mapping[str, Any], auth: Mapping[str, Any]) -> None:
        """Check that tokens can be asked for."""
        where = f"{self._where}.auth"
        needed = {"grant", "token_url", "client_id"}
        needed |= {"client_credentials": {"client_secret"}, "refresh_token": {"refresh_token"}}.get(
            str(auth.get("grant")), set()
        )
        self.problems += [
            f"{where}.{name}: expected a value, got none" for name in sorted(needed) if not auth.get(name)
        ]
        if auth.get("token_url"):
            self._check_url(auth["token_url"], f"{where}.token_url")
        if any(name.lower() == "authorization" for name in own.get("headers", {})):
            self.problems.append(
                f"{where}: not with a header Authorization, which the token takes the place of"
            )

    def _server_of(self, own: Mapping[str, Any], blocks: Mapping[str, Mapping[str, Any]]) -> GatewayServer:
        spec_fields = {name: value for name, value in own.items() if name in _OF_SPEC}
        for name in ("args", "forward_headers"):
            if name in spec_fields:
                spec_fields[name] = tuple(spec_fields[name])
        if auth := blocks["auth"]:
            # RFC 8707; an empty one is not sent.
            spec_fields["auth"] = OAuthGrant(**{"resource": own["url"], **auth})
        return GatewayServer(
            ServerSpec(name=self._server, secrets=tuple(self._secrets), **spec_fields),
            SummarizationRules(**blocks["summarization"]),
            MaskingRules(**_with(blocks["masking"], groups=tuple)),
            ToolRules(
                **_with(blocks["tools"], allow=frozenset, deny=frozenset, exact=frozenset, pin=frozenset)
            ),
            observes=own.get("mode") == "observe",
            withholds_changed=own.get("on_change") == "withhold",
            isolation=own["isolation"],
        )


_EXPECTED_URL = (
    f"expected http:// or https://, then {EXPECTED_HOST}, and a port up to 65535 if any, without spaces and control characters; "
    "got something else"
)


def _is_http_url(url: str) -> bool:
    try:
        return names_http_server(urlsplit(url)) and url.isprintable() and " " not in url
    except ValueError:  # an unclosed bracket, a port over 65535
        return False


_OF_SPEC = frozenset(
    {
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "headers",
        "timeout_seconds",
        "max_concurrency",
        "max_calls_per_minute",
        "max_result_bytes",
        "forward_headers",
    }
)

# What clients have in the same file for themselves.
_OF_CLIENTS = frozenset({"type", "disabled", "autoApprove", "alwaysAllow", "trust", "gallery", "version"})


def _with(members: Mapping[str, Any], **kinds: Any) -> dict[str, Any]:
    """Return members, some of them as another type."""
    return {name: kinds[name](value) if name in kinds else value for name, value in members.items()}


def _unknown_message(name: str, schema: Schema, where: str) -> str:
    """Return what is wrong with a member that a block of ours does not have."""
    close = get_close_matches(name.lower(), list(schema), 1)
    meant = f"; did you mean {close[0]}?" if close else ""
    return f"{where}.{name[:MAX_QUOTED_CHARS]}: expected one of {', '.join(schema)}{meant}"


def _mismatches(schema: Schema, value: Any, where: str) -> Iterator[str]:
    """Yield what is wrong with a member; of an object with strings, each that is none."""
    if schema is _STRINGS and isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _mismatches(_STRING, inner, f"{where}[{position}]")
        return
    try:
        check(schema, value, where)
    except Mismatch as problem:
        yield str(problem) if _is_no_secret(schema) else _without_value(str(problem), value)
        return
    for key, inner in value.items() if schema is _NAMED_STRINGS else ():
        yield from _mismatches(_STRING, inner, f"{where}.{key}")


def _is_no_secret(schema: Schema) -> bool:
    """Whether a wrong value of a member may be quoted: where a number, a flag or one of a few words stands, no secret does."""
    return "enum" in schema or schema.get("type") in ("boolean", "integer", "number")


def _without_value(message: str, value: Any) -> str:
    """Return the message of a mismatch with the kind of the value in place of the value, which may be a secret."""
    return f"{message.partition(', got ')[0]}, got {json_type(value)}"
