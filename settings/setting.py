"""One setting: its name, parser and meaning, and how its value is read from the environment or, if it is a secret, from a file.

config.py lists the settings. The formats of values are in settings/value_parsers.py.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from settings.value_parsers import SecretValueError

# A hundred of the longest keys; a larger file is a log or a device that was named by mistake.
MAX_SECRET_FILE_BYTES = 64 * 1024

# kubernetes.io, "Discovering services": a Pod gets NAME_PORT=tcp://ADDRESS:PORT for each Service of its namespace.
SERVICE_LINK = re.compile(r"(?:tcp|udp|sctp)://")
SERVICE_LINK_HINT = (
    ", which Kubernetes sets for a Service named mcp-summarizer: give the Pod `enableServiceLinks: false`, "
    "or set MCP_SUMMARIZER_PORT in its container"
)

T = TypeVar("T")

ReadFile = Callable[[str], bytes]
"""Returns a file's content, or at least its first MAX_SECRET_FILE_BYTES + 1 bytes. Raises OSError."""


class ConfigError(Exception):
    """A setting has a wrong value: the message names it, what was expected and what was given."""


@dataclass(frozen=True)
class Setting:
    """The metadata of a field of Config; `parse` raises ValueError with what was expected."""

    name: str
    parse: Callable[[str], Any]
    meaning: str
    secret: bool = False

    @property
    def file_name(self) -> str:
        """The name of the setting that names a secret's file."""
        return f"{self.name}_FILE"

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which it can be set."""
        return (self.name, self.file_name) if self.secret else (self.name,)

    def value_in(self, env: Mapping[str, str], read: ReadFile) -> Any:
        """Return the value that is set, None where none is. Raises ConfigError."""
        name, raw = self._raw_value(env, read)
        return self._parsed(name, raw) if raw else None

    def _raw_value(self, env: Mapping[str, str], read: ReadFile) -> tuple[str, str]:
        """Return the name by which it is set, and its text, "" if it is not set."""
        raw = env.get(self.name, "").strip()
        path = env.get(self.file_name, "").strip() if self.secret else ""
        if not path:
            return self.name, raw
        if raw:
            raise ConfigError(f"{self.file_name}: expected either it or {self.name}, got both")
        return self.file_name, _read_secret(self.file_name, path, read)

    def _parsed(self, name: str, raw: str) -> Any:
        try:
            return self.parse(raw)
        except ValueError as expected:
            hide = self.secret or isinstance(expected, SecretValueError)
            given = "one that is not shown here" if hide else repr(raw)
            hint = SERVICE_LINK_HINT if name == "MCP_SUMMARIZER_PORT" and SERVICE_LINK.match(raw) else ""
            raise ConfigError(f"{name}: expected {expected}, got {given}{hint}") from None


def setting_field(
    name: str, default: T, parse: Callable[[str], T], meaning: str, *, secret: bool = False
) -> T:
    """Return a setting as a field of a dataclass."""
    return field(
        default=default, repr=not secret, metadata={"setting": Setting(name, parse, meaning, secret)}
    )


def read_file(path: str) -> bytes:
    """Read a secret's file; of one that is too large, just enough to see that."""
    with Path(path).open("rb") as file:
        return file.read(MAX_SECRET_FILE_BYTES + 1)


def _read_secret(name: str, path: str, read: ReadFile) -> str:
    def refuse(reason: object) -> ConfigError:
        return ConfigError(f"{name}: expected a text file that can be read, got {path!r}: {reason}")

    try:
        data = read(path)
    except (OSError, ValueError) as problem:  # ValueError: a path with a null byte
        raise refuse(getattr(problem, "strerror", None) or problem) from None
    if len(data) > MAX_SECRET_FILE_BYTES:
        raise refuse(f"it has more than {MAX_SECRET_FILE_BYTES} bytes")
    try:
        raw = data.decode("utf-8-sig").strip()  # -sig: some editors write a byte order mark
    except UnicodeDecodeError:
        raise refuse("it is not UTF-8") from None
    if not raw:  # an empty NAME means the default, but an empty file is a mistake
        raise refuse("it is empty")
    return raw
