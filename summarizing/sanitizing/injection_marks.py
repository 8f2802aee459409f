"""Marks that part roles, texts and calls for a model, found in a text where they have no business; and orders in base64.

Pure: a text in, spans out. Refuses to read sentences: that is summarizing/sanitizing/injections.py's work.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator

from summarizing.sanitizing.injection_folding import readings
from summarizing.sanitizing.injection_index import RULES
from summarizing.sanitizing.injection_wording import ALONE, Span

# The signs by which chat formats and agents part roles, texts and calls. They are read in the text as it stands.
_TOKENS = re.compile(
    r"""
    [<\[](?:(?<=<)\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|begin_of_text|start_header_id|end_header_id|end|eom_id)\|>
  | /?(?-i:INST)\] | (?<=<)</?SYS>> | (?<=<)(?:start|end)_of_turn>
  | (?<=<)/?(?:tool_call|tool_response|function_calls?|function_results|tool_use|antml:\w+|system-reminder|system_prompt)\b[^<>\n]{0,200}>
  | (?<=<)invoke\ name=)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Lines that begin with a mark; which marks mean something is asked of these alone.
_MARKED_LINE = re.compile(r"\n[ \t]*+([-=#*<\[\"'`{][^\n]{2,1000})")
_LINE_SIGN = re.compile(
    r"""
    ={3,}[ \t]*(?:(?:end|begin|start)(?:[ ]of)?[ ])?(?:the[ ])?(?:user[ ]|system[ ])?(?:text|document|content|input|prompt|instructions?)(?:[ ][0-9a-f]{4,64}[ \t]*={3,}|(?<=ns|nt|pt|xt|ut)[ \t]*={5,})
  | [-\#*<\[=]{2,}[ \t]*(?:end|begin|start|new)[ ](?:of[ ])?(?:the[ ])?(?:user[ ]|system[ ]|untrusted[ ])?(?:text|document|content|input|prompt|instructions?|context|message)\b[^\w\n]{2,}
  | ["'`]{3}[ \t]*end\ of\ (?:the\ )?(?:text|document|content|input)\b
  | \#{1,6}[ ]*(?:instruction[ \t]*:?|(?:system|response|human|assistant|user|new\ instructions?|instructions?)[ \t]*:|system[ ](?:message|prompt))[ \t]*$
  | \[(?:system|system\ (?:message|note|prompt|override|instruction)s?|assistant|admin|developer\ message|new\ instructions?)\](?!\()[ ][^\n]*?\b(?:you|your|ignore|respond|reply|must|output|summar|instruction|task|now|do\ not)
  | \{\s*"(?:tool|tool_name|function_call|tool_calls)"\s*:
  | \{\s*"name"\s*:\s*"[^"\n]{1,80}"\s*,\s*"(?:arguments|parameters|input)"\s*:\s*\{
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ROLE_LINE = re.compile(
    r"""\n[ \t>*_]*+(?:system|assistant|developer|ai|sistema|système|systeme|system-?nachricht|система|ассистент|系统|系統|助手|システム|アシスタント)[*_]*[ ]?[:：][*_]*\s*(?:\S[^\n]{0,300})?\b
    (?:you\ (?:are|must|will|should|shall|have)|your\ (?:task|job|role|answer|summary|reply|response|output|instruction|new|only|goal)|respond|reply|output|instructions?|prompt|summar|do\ not|override|ignore|disregard|from\ now\ on
      |answer|new\ (?:task|rule)|as\ requested|comply|only\ say|say\ |print\ |du\ |sie\ |vous\ |tu\ |debes|ответ|игнорир|теперь)
      |\n[ \t>*_]*+(?:系统|系統|システム|助手|アシスタント)[:：][^\n]{0,100}(?:你|您|あなた|忽略|回答|回复|無視|答え|出力|输出)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# A closing tag whose opening tag nobody has seen: somebody else's, so it was meant to close ours.
_CLOSING = re.compile(
    r"<(/?)(text|document|content|context|input|data|source|system|instructions?|prompt|user|assistant|article|user_input|untrusted|message|chunk)\b[^<>\n]{0,200}>",
    re.IGNORECASE,
)
_ROLE_TAG = ("system", "instructions", "instruction", "prompt", "assistant")
# What is an order inside a tag that is named for orders.
_TO_YOU = re.compile(
    r"\b(?:you (?:are|must|will|should)|your\b|ignore|respond|reply|summar|do not|disregard)", re.IGNORECASE
)

_BLOB = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}")
MIN_BLOB_CHARS = 24
# So much of a blob shows whether it is text.
_BLOB_HEAD_CHARS = 64


def signs(text: str) -> Iterator[Span]:
    """Yield where signs and role lines stand."""
    # subtle: the first line has no line end before it and gets one, so places behind it are one too far.
    yield from (mark.span() for mark in _TOKENS.finditer(text))
    if ":" in text or "：" in text:
        yield from ((mark.start(), mark.end() - 1) for mark in _ROLE_LINE.finditer("\n" + text))
    for line in _MARKED_LINE.finditer("\n" + text):
        if sign := _LINE_SIGN.match(line[1]):
            yield line.start(1) - 1, line.start(1) - 1 + sign.end()


def stray_tags(text: str) -> list[Span]:
    """Return closing tags that close nothing, and opening tags of a role with an order behind them."""
    strays: list[Span] = []
    if "<" not in text:
        return strays
    open_tags: dict[str, int] = {}
    for tag in _CLOSING.finditer(text):
        name, is_closing = tag[2].lower(), bool(tag[1])
        if not is_closing:
            open_tags[name] = open_tags.get(name, 0) + 1
            if name in _ROLE_TAG and _TO_YOU.search(text, tag.end(), tag.end() + 200):
                strays.append(tag.span())
        elif open_tags.get(name, 0):
            open_tags[name] -= 1
        else:
            strays.append(tag.span())
    return strays


def hidden_orders(text: str) -> Iterator[Span]:
    """Yield the blobs that say such things once they are decoded."""
    if len(max(text.split(), key=len, default="")) < MIN_BLOB_CHARS:
        return
    for blob in _BLOB.finditer(text):
        decoded = _decoded(blob[0])
        if decoded and _speaks_to_model(decoded):
            yield blob.span()


def _decoded(blob: str) -> str:
    """Return the text that a blob of base64 stands for, "" where it stands for none."""
    blob = blob.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    if not _as_text(blob[:_BLOB_HEAD_CHARS]):
        return ""
    return _as_text(blob)


def _as_text(blob: str) -> str:
    whole = blob[: len(blob) // 4 * 4] if len(blob) % 4 == 1 else blob + "=" * (-len(blob) % 4)
    try:
        decoded = b64decode(whole, validate=True).decode("utf-8", "ignore")
    except (binascii.Error, ValueError):
        return ""
    return (
        decoded
        if 4 * len(decoded) >= 2 * len(blob) and " " in decoded and not _CONTROLS.search(decoded)
        else ""
    )


_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffd]")


def _speaks_to_model(text: str) -> bool:
    ways = readings([text], RULES)
    return any(
        rule.pattern.search(reading.text) for reading in ways for rule in reading.rules if rule.kind is ALONE
    )
