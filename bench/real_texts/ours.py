"""What is measured: the summarizer without a model, behind one function. A change of the core changes this file alone."""

from summarizing.extractive.extraction import extract
from summarizing.sanitizing.cleaning import clean
from summarizing.text.html_text import is_html, text_of_html
from summarizing.text.tokenizer import Tokenizer


def summarize(text: str, target: int, query: str, tokenizer: Tokenizer) -> tuple[str, bool | None]:
    """Return a summary in at most `target` tokens, and whether anything met the query; None where that is not said."""
    shown = text_of_html(text) if is_html(text) else text
    summary = extract(clean(shown, for_extraction=False).text, target, query, tokenizer)
    return summary.text, summary.matched
