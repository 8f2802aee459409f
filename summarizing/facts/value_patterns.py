"""The one pattern that finds what may be a fact: it passes over plain words and stops at numbers, tokens, names, quotations.

Does not decide what a stop is: summarizing/facts/fact_finder.py does.
"""

import re
from functools import cache

from summarizing.facts.date_keys import CJK_DATE, CLOCK, ISO, day_first, month_first, ordinal
from summarizing.facts.number_keys import AMOUNT
from summarizing.facts.script_letters import (
    IN_WORD,
    LETTER,
    SPACE,
    UNSPACED_SIGNS,
    capitals,
    currency_signs,
    small,
)
from summarizing.facts.token_shapes import any_of
from summarizing.facts.value_words import value_words

# A longer quotation is speech: it is searched for facts and is not a fact itself.
MAX_QUOTED_CHARS = 60
MAX_QUOTED_WORDS = 4

_TOKEN_END = rf"(?!{IN_WORD}|[-/@+\\]{IN_WORD}|\.{IN_WORD})"
_NUMBER = rf"{AMOUNT}(?:%|°[CF]?|[^\W\d_{UNSPACED_SIGNS}]{{1,5}}+)?+{_TOKEN_END}(?!:\d)"
_JOINT = r"(?:[-._/@+~\\]{1,3}+|::)"
_TOKEN = rf"{IN_WORD}++(?:{_JOINT}{IN_WORD}++)*+(?::\d{{1,5}}+(?![\w:]))?+(?:\(\))?+"


def _quotation(opening: str, closing: str) -> str:
    """Write a pattern for a few words between two marks."""
    word = rf"[^\s{opening}{closing}]{{1,{MAX_QUOTED_CHARS}}}+"
    return rf"{opening} ?{word}(?: {word}){{0,{MAX_QUOTED_WORDS - 1}}}+ ?{closing}"


_QUOTED = "|".join(
    [
        (
            rf'(?<!\w)"(?=[^\s,;:)\]}}])[^\s"]{{1,{MAX_QUOTED_CHARS}}}+'
            rf'(?: [^\s"]{{1,{MAX_QUOTED_CHARS}}}+){{0,{MAX_QUOTED_WORDS - 1}}}+"(?!\w)'
        ),
        (
            rf"(?<!\w)'(?=[\w/.$@#~<*-])[^\s']{{1,{MAX_QUOTED_CHARS}}}+"
            rf"(?: [^\s']{{1,{MAX_QUOTED_CHARS}}}+){{0,{MAX_QUOTED_WORDS - 1}}}+'(?!\w)"
        ),
        r"``(?!`)[^`\n]{1,100}+``|`(?!`)[^`'\n]{1,60}+'(?!\w)|`(?!`)[^`\n]{1,100}+`",
        rf"「[^「」\n]{{1,{MAX_QUOTED_CHARS}}}+」|『[^『』\n]{{1,{MAX_QUOTED_CHARS}}}+』|《[^《》\n]{{1,{MAX_QUOTED_CHARS}}}+》",
        *(_quotation(*marks) for marks in ("«»", "»«", "“”", "„“", "„”", "‘’", "‚‘")),
    ]
)
_STOP_SIGNS = r"\"'`«»“„‘‚「『《§#$@~/\\−+.-"
# One match is one step that no other thread can interrupt: after so many plain parts, some tenths of a millisecond, it pauses.
MOST_PLAIN = 2_000


def _plain() -> str:
    """Return the pattern of plain words and what is between them: nothing to stop at. Where it fails, reading resumes at the last word."""
    return (
        # Most words are of ASCII with a blank behind them: what is tried first costs a third of what the general pattern of words does.
        rf"(?:[a-z]++[ ,\n]++"
        rf"|{small()}++(?:['’-]{small()}++){{0,4}}+(?![\w({currency_signs()}@/\\]|::|:\d|:[a-z]{{2}}|://|[.+~-]{IN_WORD})"
        rf"|[^\w{currency_signs()}{_STOP_SIGNS}]++"
        rf"|[\u3041-\u309f\u3005-\u3007\u3400-\u7b2b\u7b2d-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]++"
        rf"|\.(?!\.?/)|[-−+](?!-?\w)|/(?!\.?{IN_WORD}))"
    )


def title_pattern() -> str:
    """Return the pattern of a title before a name."""
    return f"(?:{'|'.join(value_words().titles)})"


def _name() -> str:
    particle = f"(?:{'|'.join(value_words().name_particles)})"
    word = (
        rf"[{capitals()}](?:\.(?={SPACE}?[{capitals()}])|{LETTER}*+(?:['’\-‑]{LETTER}++){{0,4}}+(?!{IN_WORD}|[@/\\=(]"
        rf"|::|[.+:-]{IN_WORD}))"
    )
    return rf"(?:{title_pattern()}\. )?{word}(?:[ \u00a0](?:{particle} ){{0,2}}{word}){{0,9}}+"


def _stops_at_digit() -> dict[str, str]:
    return {
        "column": r"\d++(?=\n)(?:\n\d++(?=\n)){8,}+",
        # subtle: the look-ahead stands after each number; after the last one alone, a run would be tried again from each of its numbers.
        "list": r"\d{1,6}+(?:(?:,?[ \t]|[,;|])\d{1,6}+(?![\w.])){7,}+",
        "count": r"\d++(?=[\n)\]}\"|;,](?!\d)|  )",
        "date": rf"(?:{ISO})|(?=\d{{1,4}}(?:[:aApP년年月.]|{ordinal()}|{SPACE}|-[A-Za-z]))(?:{day_first()}|{CJK_DATE}|{CLOCK})",
        "number": _NUMBER,
        "digits_of_cell": r"\d++(?:\.\d++)?+(?=,)",
        "token": _TOKEN,
        "digits": r"\d++",
    }


def _stops_at_letter() -> dict[str, str]:
    return {
        "url": r"(?:[a-z][a-z0-9+.]{0,15}+://|www\.)[^\s<>\"'`|\\^{}«»“”「」，。、）]++",
        "call": rf"(?={small()})[a-z_]\w{{2,40}}+(?=\()(?!\((?:s|es|e|n|en)\))(?:\(\)|\(\d[a-z]?\))?+",
        "command": r"[a-z][a-z\d_-]{1,40}+(?::[a-z][a-z\d_-]{1,40}+){1,9}+(?![\w:./@\\(])",
        "token_of_small": rf"(?={small()}){_TOKEN}",
        "path_of_drive": r"[A-Z]:\\[^\s\"<>|]++",
        "date_of_month": month_first(),
        "name": _name(),
        "token_of_letters": rf"(?![{UNSPACED_SIGNS}]){_TOKEN}",
        "katakana": "[\u30a1-\u30fa\u30fc-\u30ff]++(?:[・＝][\u30a1-\u30ff]++)*+",
        "article": r"第 ?[\d〇零一二三四五六七八九十百千]{1,8}+[\u3400-\u9fff]",
    }


def _money() -> str:
    words = value_words()
    scale = "|".join(sorted((*words.scales, *words.scale_signs), key=len, reverse=True))
    signs = currency_signs()
    return rf"(?<!\d)(?:(?<![\w)])[-−+])?(?:[{signs}]|(?<!\d )[{signs}] ){AMOUNT}(?: ?(?:{scale})\b)?+"


_STOPS_AT_SIGN = {
    "quoted": _QUOTED,
    "signed": rf"(?<![\w)])[-−+]{_NUMBER}",
    "flag": r"(?<![\w/-])--[A-Za-z0-9][\w-]*+|(?<![\w/.+*-])-[A-Za-z][\w-]*+(?![/.@])",
    "path": rf"(?<![\w<])(?:~|\.{{1,2}})?/\.?{IN_WORD}[\w.@+~/%*-]*+",
    "variable": r"\$\{?[A-Za-z_]\w*+\}?",
    "scope": r"@[a-z][\w-]*+(?:[/.]\w[\w.-]*+)?",
    "section": r"§§? ?\d+\w?|#\d+\b",
    # A run of one character is skipped at once, except for its end, which may belong to what follows.
    "other": rf"(?s:第|[{UNSPACED_SIGNS}]++|\w++|(?P<mark>.)(?:(?P=mark)(?=(?P=mark){{2}}))*+)|\Z",
}


@cache
def stop_pattern() -> re.Pattern[str]:
    # Compiled for the first text, as that takes a while.
    plain = _plain()
    return re.compile(
        rf"{plain}{{0,{MOST_PLAIN}}}+(?:(?P<pause>(?={plain}))|(?=\d)(?:{any_of(_stops_at_digit())})"
        rf"|(?=[^\W\d])(?:{any_of(_stops_at_letter())})|{any_of({'money': _money()} | _STOPS_AT_SIGN)})"
    )
