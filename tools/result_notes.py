"""The note over the summary of a tool's result: which tool, how long the result was, and how to get at the whole of it.

Summarizes nothing. The note stands in the same text block as the summary, since some clients keep only the first.
"""

from summarizing.text.tokenizer import Tokenizer

# Less is no summary; a note that leaves less is not counted within the limit.
LEAST_SUMMARY_TOKENS = 16


def note_over(name: str, tokens: int, kept: str, read: str = "") -> str:
    """Return the note; `name` is the tool's, `kept` says how to get at the original, `read` of what part of it the summary is."""
    return f"[{name}: {tokens:,} tokens, summarized{read and f' from {read}'}; {kept}]\n\n"


def tokens_below(note: str, limit: int, tokenizer: Tokenizer) -> int:
    """Return how many tokens a summary may have below its note, of a limit for both."""
    room = limit - tokenizer.count(note)
    return room if room >= LEAST_SUMMARY_TOKENS else limit
