"""What is shown of texts and JSON values in the timeline: masked first, then cut to so many tokens."""

import json
from collections.abc import Mapping
from typing import Any

from gateway.call_context import KIND_OF_SECRETS, MAX_MANIFEST_CHARS
from gateway.masking_interface import MaskingFailed, without_half_secret
from gateway.server_rules import GatewayServer
from gateway.timeline.recorder_dependencies import RecorderParts
from summarizing.offload import SHORT_CHARS
from tools.call_results import chars_of, json_of

# Of each text that is shown: the seeds' limit for storage.
SHOWN_TOKENS = 8_000

# What of a text is looked at for that: eight characters for each token, more than most texts have.
SHOWN_CHARS = 8 * SHOWN_TOKENS


class ShownTexts:
    """Masks and cuts what is shown."""

    def __init__(self, parts: RecorderParts) -> None:
        self.parts = parts

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        """Return a JSON value with its secrets masked; in place of one that cannot be, a text that says so."""
        try:
            return await self.parts.masking.masked(value, server)
        except MaskingFailed as problem:
            return f"[withheld: {problem}]"

    async def masked_text(self, text: str, server: GatewayServer) -> tuple[str, bool]:
        """Return what is shown of a text with its secrets masked, and whether that is less than all of it."""
        is_cut = len(text) > SHOWN_CHARS
        masked = str(await self.masked(text[:SHOWN_CHARS], server))
        if is_cut:
            masked = without_half_secret(masked, self.parts.masking.longest_known_chars)
        shown, is_short = await self.shown(masked)
        return shown, is_cut or is_short

    async def shown(self, text: str) -> tuple[str, bool]:
        """Return what of a text is shown, and whether that is less than all of it."""
        # A token is at least one byte in UTF-8.
        if len(text) <= SHOWN_TOKENS and len(text.encode("utf-8", "surrogatepass")) <= SHOWN_TOKENS:
            return text, False
        shown: str = await self.parts.of_timeline.worker(
            self.parts.tokenizer.cut, text[:SHOWN_CHARS], SHOWN_TOKENS
        )
        return shown, len(shown) < len(text)

    async def masked_json(self, value: Mapping[str, Any], server: GatewayServer) -> tuple[str, bool]:
        """Return what is shown of a JSON value with its secrets masked, and whether that is less than all of it."""
        if chars_of(dict(value)) > SHORT_CHARS:
            text: str = await self.parts.of_timeline.worker(json_of, dict(value))
            if KIND_OF_SECRETS not in text:
                return await self.masked_text(text, server)
            if len(text) > MAX_MANIFEST_CHARS:
                return f"[withheld: {len(text):,} characters that may have a Secret in them]", True
        masked = await self.masked(dict(value), server)
        return await self.shown(masked if isinstance(masked, str) else json.dumps(masked, ensure_ascii=False))
