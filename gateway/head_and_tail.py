"""The beginning and the end of a text that is too long, with a mark that says what is missing between them. Pure."""

from summarizing.text.tokenizer import Tokenizer

# Of what is shown, the part that comes from the beginning: what a result is stands there.
HEAD_SHARE = 0.6

# For the mark, with a number of nine digits, and for words that were cut and take more tokens alone.
MARK_TOKENS = 24

LEAST_TOKENS = 2 * MARK_TOKENS


def head_and_tail(text: str, tokens: int, tokenizer: Tokenizer) -> str:
    """Return a text in at most `tokens` tokens, LEAST_TOKENS or more: whole, or its beginning and end, cut at line ends if possible."""
    starts = tokenizer.starts(text)
    if len(starts) <= tokens:
        return text
    room = tokens - MARK_TOKENS
    while True:
        head = max(1, int(room * HEAD_SHARE))
        shortened = _joined(text, starts[head], starts[head - room])
        if room <= 2 or tokenizer.count(shortened) <= tokens:
            return shortened
        room -= MARK_TOKENS  # a cut word, as in scripts without spaces, may take several tokens more


def _joined(text: str, head_end: int, tail_start: int) -> str:
    """Return a text without what is between two places, or a little more, so that lines stay whole."""
    head_end = text.rfind("\n", head_end // 2, head_end) + 1 or head_end
    tail_start = text.find("\n", tail_start, (tail_start + len(text)) // 2) + 1 or tail_start
    return f"{text[:head_end].rstrip()}\n[{tail_start - head_end:,} characters left out]\n{text[tail_start:]}"
