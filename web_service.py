"""The web tools as a part of the application: where pages are kept, opens web_tools/, joins its tools with the others.

Joins the optional package web_tools/ with the rest, as gateway_service.py does the gateway; it is imported only where it is switched on.
"""

import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from config import Config
from observability import metric_catalogue
from observability.metrics import Family
from protocol.methods import ToolSource
from settings.setting import ConfigError
from storage.errors import CannotOpen
from summarizing.job import MainContent
from summarizing.offload import Offload
from summarizing.text.tokenizer import Tokenizer
from tools.joined_tools import JoinedTools
from tools.web_tool_names import DOTTED, UNDERSCORES, Names

if TYPE_CHECKING:
    from web_tools.web_tools import OpenWebTools

# In the user's own directory: XDG Base Directory Specification; macOS.
FOLDER = "mcp-summarizer"

Measure = Callable[[ToolSource], ToolSource]
"""Wraps tools so that their calls are counted."""


@dataclass(frozen=True)
class WebShare:
    """The open web tools, as the application uses them."""

    web: "OpenWebTools"
    config: Config

    @property
    def main_content(self) -> MainContent:
        """What makes text of a page in HTML that a caller sends."""
        return self.web.main_content

    @property
    def families(self) -> Sequence[Family]:
        """The metrics of the web tools."""
        return metric_catalogue.page_store_metrics(self.web.store)

    @property
    def report(self) -> dict[str, str | None]:
        """What GET /health says of it."""
        ranking = self.config.page_ranking if self.config.embedding_server_url else "words"
        return {"search": self.config.chosen_search_provider or None, "ranking": ranking}

    @property
    def instructions(self) -> str:
        """What clients are told of the web tools, after what they are told of the others."""
        from web_tools.tool_definitions import (  # noqa: PLC0415 - an optional package: what is not switched on is not loaded
            instructions,
        )

        return instructions(self._names)

    @property
    def _names(self) -> Names:
        """What the two tools are called in the list and in all texts (TOOL_NAMES)."""
        return DOTTED if self.config.tool_names == "dotted" else UNDERSCORES

    def joined(self, own: ToolSource, measured: Measure) -> ToolSource:
        """Return the service's own tools and the web tools as one, each measured."""
        from web_tools.handlers import WebTools  # noqa: PLC0415 - as above

        tools = WebTools(
            self.web.parts,
            own,
            names=self._names,
            safe_search=self.config.google_safe_search,
            seconds=self.config.summarize_deadline_seconds,
        )
        return JoinedTools([measured(own), measured(tools)], tools.aliases)


@asynccontextmanager
async def open_web_if_any(
    config: Config, environment: Mapping[str, str], tokenizer: Tokenizer, user_agent: str, offload: Offload
) -> AsyncIterator[WebShare | None]:
    """Open the web tools, if they are switched on. Raises CannotOpen."""
    if not config.web_enabled:
        yield None
        return
    from web_tools.web_tools import open_web_tools  # noqa: PLC0415 - an optional package

    directory = page_directory(config, environment, sys.platform)
    if not (config.data_dir or config.storage_directory):
        _make_users_directory(directory)
    async with open_web_tools(config, directory, tokenizer, user_agent, offload) as web:
        yield WebShare(web, config)


def _make_users_directory(directory: Path) -> None:
    """Make a folder among the user's own data, and what it lies in. Raises CannotOpen."""
    try:
        # "If [...] the destination directory is non-existent an attempt should be made to create it with permission 0700" (XDG).
        directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise CannotOpen(
            f"DATA_DIR: expected a directory for stored pages, since {directory.parent} cannot be made ({problem.strerror}), got nothing"
        ) from problem


def check(config: Config, environment: Mapping[str, str]) -> None:
    """Raise ConfigError where the web tools are switched on and lack a package, or a place for their pages."""
    if not config.web_enabled:
        return
    from web_tools.required_packages import READING_FILE, missing_packages  # noqa: PLC0415 - an optional package

    page_directory(config, environment, sys.platform)
    for file, missing in missing_packages(rendering=config.web_render_pages).items():
        setting = "WEB_ENABLED" if file == READING_FILE else "WEB_RENDER_PAGES"
        raise ConfigError(
            f"{setting}: expected the packages of {file} to be installed (make run-web installs requirements/web.txt), "
            f"got no {', '.join(missing)}"
        )


def page_directory(config: Config, environment: Mapping[str, str], platform: str) -> Path:
    """Return the directory of the stored pages: DATA_DIR, STORAGE_DIRECTORY, or a folder of the user's own. Raises ConfigError."""
    configured = config.data_dir or config.storage_directory
    if configured:
        return Path(configured)
    home = environment.get("HOME", "")
    if platform == "darwin":
        parent = f"{home}/Library/Application Support" if home else ""
    else:
        parent = environment.get("XDG_DATA_HOME") or (f"{home}/.local/share" if home else "")
    if not parent:
        raise ConfigError(
            "DATA_DIR: expected a directory for stored pages, since no home directory is known, got nothing"
        )
    return Path(parent) / FOLDER
