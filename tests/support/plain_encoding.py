"""cl100k_base as tiktoken has it, to hold the service's own against; its loader would download the same vocabulary."""

import tiktoken

from summarizing.text.tokenizer import read_ranks, read_vocabulary

# tiktoken_ext/openai_public.py, cl100k_base().
PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)


def plain_encoding() -> tiktoken.Encoding:
    """Return the encoding with tiktoken's own pattern; the service has a faster one."""
    ranks = read_ranks(read_vocabulary())
    return tiktoken.Encoding("cl100k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})
