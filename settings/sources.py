"""Collects the settings of `python app.py` from its arguments, the environment and .env into one mapping.

Knows only the two settings that have arguments, and starts nothing.
"""

import argparse
from collections import ChainMap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from settings import env_file, value_parsers

# Beside the program, as Compose has it beside its file; a .env in the working directory may belong to another program.
ENV_FILE = Path(__file__).parent.with_name(".env")

ENV_FILE_HELP = (
    "read settings that the environment does not have from FILE, in the syntax of Docker Compose "
    "(default: .env beside the program, where there is one; /dev/null: from none)"
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Exit with one line; the usage is in --help."""
        self.exit(2, f"mcp-summarizer: {message}; --help says what there is\n")


UNSET_NAMES = (
    "values in .env use these, nothing sets them, so they are empty: write $$ where a dollar sign is meant"
)


def read_arguments(arguments: Sequence[str], version: str) -> argparse.Namespace:
    """Parse the arguments; --help, --version and a mistake end the program."""
    parser = _Parser(
        prog="app.py",
        description="Serve the summarizer over MCP until SIGTERM or Ctrl-C.",
        epilog="Settings come from these arguments, from the environment, and from .env, in this order. docs/settings.md and "
        ".env.example list them. Exit status: 0 stopped, 1 the address cannot be listened on, 2 wrong arguments or "
        "settings, 130 interrupted while starting.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "--host", type=_host, help="address to listen on, before MCP_SUMMARIZER_HOST (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        type=_port,
        help="port to listen on, before MCP_SUMMARIZER_PORT (default: 8007; 0 takes a free one)",
    )
    parser.add_argument("--env-file", type=Path, metavar="FILE", help=ENV_FILE_HELP)
    parser.add_argument(
        "--check-gateway",
        action="store_true",
        help="start the servers of MCP_GATEWAY_CONFIG once, print how they are and what their tools cost, and end",
    )
    parser.add_argument(
        "--accept-tools",
        nargs="*",
        metavar="SERVER",
        help="accept the changed definitions of the tools of these servers behind the gateway, none named: of all; print them, and end",
    )
    return parser.parse_args(arguments)


def _host(raw: str) -> str:
    if not raw.strip():
        raise argparse.ArgumentTypeError(f"expected an address or a host name, got {raw!r}")
    return raw


def _port(raw: str) -> str:
    try:
        value_parsers.whole(0, value_parsers.MAX_PORT)(raw)
    except ValueError as expected:
        raise argparse.ArgumentTypeError(f"expected {expected}, got {raw[:40]!r}") from None
    return raw


def settings_of_arguments(options: argparse.Namespace) -> dict[str, str]:
    """Return the settings that the arguments set."""
    given = {"MCP_SUMMARIZER_HOST": options.host, "MCP_SUMMARIZER_PORT": options.port}
    return {name: value for name, value in given.items() if value is not None}


def with_env_file(
    environment: Mapping[str, str], named: Path | None, default: Path | None
) -> tuple[Mapping[str, str], env_file.EnvFile]:
    """Return the environment, with a file's settings as fallbacks, and what the file has; an empty one where there is none.

    The file is `named`, or else `default` if it exists. Raises env_file.EnvFileError.
    """
    path = named or default
    if path is None:
        return environment, env_file.EnvFile({})
    try:
        file = env_file.read(path, environment)
    except FileNotFoundError:
        if named:
            raise env_file.EnvFileError(f"{named}: expected a file with settings, found none") from None
        return environment, env_file.EnvFile({})
    return ChainMap(dict(environment), dict(file.values)), file
