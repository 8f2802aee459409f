"""What is measured: the summarizer without a model, behind one function. A change of the core changes this file alone."""

from summarizing.faithfulness import coverage
from summarizing.text.tokenizer import Tokenizer


def summarize(text: str, target: int, query: str, tokenizer: Tokenizer) -> tuple[str, bool | None]:
    """Return a summary in at most `target` tokens, and whether anything met the query; None where that is not said."""
    return coverage.extract(text, target, query, tokenizer).text, None
