"""The parts of the service that an optional package builds on, as app.py has opened them. Does nothing itself."""

from dataclasses import dataclass

from protocol.methods import ToolSource
from summarizer import Summarizer
from summarizing.offload import Offload
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import OriginalAccess


@dataclass(frozen=True)
class ServiceParts:
    """Parts of the service that are not the package's own."""

    summarizer: Summarizer
    tokenizer: Tokenizer
    offload: Offload
    originals: OriginalAccess
    tools: ToolSource
    """The service's own."""
