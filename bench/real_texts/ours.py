"""The summarizer without a model as one function, to be measured. If the core's interface changes, this file alone changes."""

from summarizing.extractive.extractive_summary import extract
from summarizing.sanitizing.cleaning import clean_whole
from summarizing.text.tokenizer import Tokenizer


def summarize(text: str, target: int, query: str, tokenizer: Tokenizer) -> tuple[str, bool | None]:
    """Return a summary in at most `target` tokens, and whether anything met the query; None where that is not said."""
    summary = extract(clean_whole(text, for_extraction=False).text, target, query, tokenizer)
    return summary.text, summary.matched if query else None
