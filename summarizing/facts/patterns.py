"""One pattern that passes over plain words and stops at what may be a fact, and the pieces it is made of.

Every repetition is possessive or bounded, so that no text takes more than linear time. Refuses to say what a stop is:
summarizing/facts/finding.py does, with summarizing/facts/shapes.py for single tokens.
"""

import re
from collections.abc import Iterable
from functools import cache

# A longer quotation is speech, and is searched for facts instead of being one.
MAX_QUOTED_CHARS = 60
MAX_QUOTED_WORDS = 4


def any_of(names: Iterable[str]) -> str:
    """Write a pattern for any of these texts, the longest first."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


# Scripts without spaces between words: what touches their characters is no part of the same token.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
CAPITALS = "A-Z" + "".join(
    chr(code)
    for codes in (range(0x80, 0x590), range(0x1E00, 0x2000))
    for code in codes
    if chr(code).isupper()
)
IN_WORD = rf"[^\W{UNSPACED}]"
SMALL = rf"[^\W\d_{CAPITALS}{UNSPACED}]"
LETTER = rf"[^\W\d_{UNSPACED}]"
_TOKEN_END = rf"(?!{IN_WORD}|[-./@+\\]{IN_WORD})"
_PLAIN_END = rf"(?!{IN_WORD}|[@/\\=:]|[.+-]{IN_WORD})"
# The beginnings of the months' names; `MONTHS` has the last word.
_MONTH = (
    r"(?:[Jj](?:an|än|u[inl]|anv)|[FfE](?:eb|év|ne)|[Mm](?:a[riy]|är|ay)|[Aa](?:pr|vr|br|u[gs]|oû|go)|[Ss]ep|[Oo][ckt]t|[Nn]ov"
    rf"|[Dd](?:e[cz]|éc|ic)|[яфмаисонд](?:нв|ев|ар|пр|ая|юн|юл|вг|ен|кт|оя|ек)){LETTER}*+\.?"
)
GAP = "[ \u00a0\u202f]"
CURRENCY = "[$€£¥₽]"
_GROUPS = "|".join(rf"(?:{mark}\d{{3}}(?!\d))+" for mark in (",", r"\.", "'", "’", " ", "\u00a0", "\u202f"))
AMOUNT = rf"\d{{1,3}}(?=[,.'’ \u00a0\u202f]\d)(?:{_GROUPS})(?:[.,]\d++)?|\d++(?:[.,]\d++)?"

_UNSIGNED = rf"(?:{AMOUNT})(?:[^\W\d_{UNSPACED}]{{1,5}}+|%|°[CF])?{_TOKEN_END}(?!:\d)"
NUMBER = rf"(?:(?<![\w)])[-−+])?(?:US)?{CURRENCY}?{_UNSIGNED}"
DAY_FIRST = (
    rf"\d{{1,2}}(?:st|nd|rd|th|er)?\.?{GAP}(?:of |de )?{_MONTH}(?:,?{GAP}(?:de )?\d{{4}})?(?!{IN_WORD})"
    r"|\d{4}(?:年|년) ?\d{1,2}(?:月|월)(?: ?\d{1,2}(?:日|일))?|\d{1,2}月\d{1,2}日"
    rf"|\d{{1,2}}(?::\d\d)?{GAP}?(?i:[ap]\.?m)\b|\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?Z?(?!{IN_WORD}|[-.:/]{IN_WORD})"
)
MONTH_FIRST = (
    rf"{_MONTH}{GAP}(?:\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?{GAP}\d{{4}})?|\d{{4}})(?!{IN_WORD}|[-./:]\d)"
)
_NAME_WORD = (
    rf"(?:[{CAPITALS}](?:\.(?={GAP}?[{CAPITALS}])|{LETTER}*+(?:['’\-‑]{LETTER}++){{0,4}}+(?!{IN_WORD}|[@/\\=]|[.+:-]{IN_WORD}))"
    r"|(?:Dr|Mr|Mrs|Ms|Prof|St)\.(?= ))"
)
_NAME = (
    rf"{_NAME_WORD}(?:[ \u00a0](?:(?:of|the|de|la|las|del|der|den|von|van|zu|da|di|du|des|dos|le|al|bin|ibn|&)"
    rf"[ \u00a0]){{0,2}}{_NAME_WORD})*+"
)
_KEY = r"[^\W\d_][\w./()%-]*+(?: [\w./()%-]++){0,3}+"
_KEY_LINE = (
    rf"\n[ \t>]*+(?:[-*+•][ \t]++|\d{{1,3}}[.)][ \t]++)?+[*_`\"']{{0,3}}+{_KEY}"
    r"[*_`\"']{0,3}+[ \t]{0,20}+(?::(?=[*_]{0,2}+(?:\s|\Z))|=(?=[ \t]))"
)
# subtle: a closing quote is no opening one, so what is quoted starts with a word or with what a path or flag starts with.
_INSIDE = r"(?=[\w/.$@#~<+*(\[-])"


def _quotation(opening: str, closing: str) -> str:
    """Write a pattern for a few words between two marks."""
    word = rf"[^\s{opening}{closing}]{{1,{MAX_QUOTED_CHARS}}}+"
    space = "[ \u00a0\u202f]?" if opening == "«" else ""  # as the French set it
    return rf"{opening}{space}{word}(?: {word}){{0,{MAX_QUOTED_WORDS - 1}}}+{space}{closing}"


_QUOTED = "|".join(
    [
        rf"(?<!\w)(?={chr(34)}{_INSIDE}){_quotation(chr(34), chr(34))}(?!\w)",
        rf"(?<!\w)(?='{_INSIDE}){_quotation(chr(39), chr(39))}(?!\w)",
        r"`{1,2}+(?!`)[^`\n]{1,120}+`{1,2}+",
        *(_quotation(*marks) for marks in ("«»", "»«", "「」", "『』", "“”", "„“", "„”", "‘’", "‚‘")),
    ]
)

# The end of a pod's name, where it happens to have no digit.
_RANDOM = rf"[bcdfghjklmnpqrstvwxz]{{5}}(?!{IN_WORD})"

# A longer key is data.
_KEY_CHARS = 120

# Words without capitals, digits and joints, and what stands between words: nothing to stop at.
# subtle: whatever is given up here is read again from its second word on, so joints are few and marks go one by one.
_PLAIN = (
    rf"(?:{SMALL}++(?:['’-](?!{_RANDOM}){SMALL}++){{0,4}}+{_PLAIN_END}|[^\w\n.\"'`«»“„‘‚「『{CURRENCY[1:-1]}~/−+-]++|[{UNSPACED}]++"
    rf"|\n(?!{_KEY_LINE[2:]})|\.(?!\.?/)|[-−+](?!-?[\w{CURRENCY[1:-1]}])|/(?!{IN_WORD}))*+"
)
_JOINED = rf"{IN_WORD}++(?:[-._/@+~\\]{{1,3}}+{IN_WORD}++)*+"
_TOKEN = rf"{IN_WORD}++(?:(?:[-._/@+~\\]{{1,3}}+|(?<=\d):(?=\d)){IN_WORD}++)*+"

# What may start with a digit, what with a letter, and what with a mark, each in the order in which it is tried. Two
# patterns for one thing differ in what their names have after "_of_".
_DIGIT_STOPS = {
    "count": r"\d++(?=[\n)\]}\"|;]|  |,[\s\"]| \|)",
    "stamp": rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{{1,9}}+)?(?:Z|[-+]\d\d:?\d\d)?{_TOKEN_END}(?!:\d)",
    "date": rf"(?=\d{{1,4}}+(?:[: \u00a0\u202faApPsnrte年년月]|\.{GAP}))(?:{DAY_FIRST})",
    "list": rf"(?!\d{{1,3}}(?:,\d{{3}})++(?!,?\d))\d++(?:,\d++{_TOKEN_END}){{2,}}+",
    "number": _UNSIGNED,
    "token": _TOKEN,
}
_LETTER_STOPS = {
    "token_of_small": rf"(?={SMALL})(?!www\.){_JOINED}(?![=:])",
    "url": r"(?:[a-z][a-z0-9+.]{0,15}+://|www\.)[^\s<>\"'`|\\^{}«»“”「」]++",
    "date_of_month": MONTH_FIRST,
    "number_of_dollars": f"(?=U){NUMBER}",
    "key": rf"[^\W\d{UNSPACED}][\w.-]{{0,{_KEY_CHARS}}}+(?:=(?![=>~])|:(?=[ \d\"]))(?<!\.[:=])",
    "name": _NAME,
    "path_of_drive": r"(?<!\w)[A-Z]:\\[^\s\"<>|]++",
    "token_of_letters": _TOKEN,
}
_OTHER_STOPS = {
    "line_key": _KEY_LINE,
    "number_of_sign": rf"(?=[-−+{CURRENCY[1:-1]}]){NUMBER}",
    "quoted": _QUOTED,
    "flag": r"(?<!\w)--[a-z][\w-]*+",
    "path": rf"(?<![\w<])(?:~|\.{{1,2}})?/{IN_WORD}[\w.@+~/%-]*+",
    # One mark again and again is passed over at once, but for what may belong to what follows.
    "other": r"(?s:\w++|(?P<mark>.)(?:(?P=mark)(?=(?P=mark){2}))*+)|\Z",
}


def named(patterns: dict[str, str]) -> str:
    """Write a pattern for the first of these that fits, as a group of its name."""
    return "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())


@cache
def stop() -> re.Pattern[str]:
    """Return the pattern; it is compiled for the first text, as that takes a tenth of the service's start."""
    return re.compile(
        rf"{_PLAIN}(?:(?=\d)(?:{named(_DIGIT_STOPS)})|(?=[^\W\d])(?:{named(_LETTER_STOPS)})|{named(_OTHER_STOPS)})"
    )


LINE_START = re.compile(r"\n[ \t>]*+(?:[-*+•][ \t]++|\d{1,3}[.)][ \t]++)?+[*_`\"']{0,3}+")
