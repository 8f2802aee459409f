"""What a crawl brings that nobody asked for: menus, cookie and subscription notices, link lists, footers.

Pure functions on stretches of text; knows nothing of units, scores or targets. Cautious: only short stretches
are judged by their words, because a page about cookies is not a cookie notice.
"""

import re

# Notices are short. A longer paragraph that mentions one is about it.
MAX_NOTICE_CHARS = 500

# A stretch this short with a single word of a menu in it is an entry of that menu.
MAX_MENU_ENTRY_CHARS = 40

# Links and what joins them ("|", "and") are a menu; with more words than this share outside them, a sentence.
MAX_SHARE_OUTSIDE_LINKS = 0.15

# A single link may stand for itself in a text; from here on they are a list.
MIN_LINKS = 2

_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}+\]\([^()\n]{0,1000}+\)|<?https?://[^<>\s]{1,1000}+>?")
_ONLY_LINK = re.compile(r"[\s>*+\-\u2022\d.)]*+!?\[[^\[\]\n]{0,300}+\]\([^()\n]{0,1000}+\)\W*+")
_IMAGE = re.compile(r"[\s>*_]*+\[?!\[[^\[\]\n]{0,300}+\]\([^()\n]{0,1000}+\)[^\w]{0,9}+")
_COMMENT = re.compile(r"\s*+<!--")
_VALUE = re.compile(r"[:=\d]")
_LETTERS = re.compile(r"\w")

# Each of these says by itself what the stretch is.
_NOTICE = re.compile(
    r"""
    (?:jump|skip) \s to \s (?:main\s)? (?:content|navigation|search)
  | (?:we|site|website|page)\suses?\s(?:\w+\s)?cookies | (?:accept|reject|allow)\s(?:all\s)?(?:\w+\s)?cookies
  | cookie\s(?:settings|preferences|policy|notice|consent) | manage\s(?:your\s)?(?:cookie\s)?preferences
  | subscribe\sto\s(?:our|the|this) | (?:our|weekly|monthly)\s(?:\w+\s)?newsletter
  | unsubscribe\s(?:with|at)\b
  | share\s(?:this|on|via)\b | follow\sus\b | all\srights\sreserved
  | (?:copyright|\(c\)|\u00a9)\s*+(?:\u00a9\s*+)?\d{4}
  | \b(?:was|is)\sthis\s(?:\w+\s)?helpful | back\sto\stop | content\sis\savailable\sunder
  | (?:page|article)\swas\slast\s(?:edited|modified|updated) | you\smust\sbe\slogged\sin
  | sign\sup\sfor\s(?:our|free)
  | wir\sverwenden\scookies | alle\s(?:cookies\s)?akzeptieren | zum\sinhalt\sspringen
  | alle\srechte\svorbehalten
  | war\sdiese[rs]?\s\w+\shilfreich | nous\sutilisons\sdes\scookies | tout\saccepter | aller\sau\scontenu
  | tous\sdroits\sr\u00e9serv\u00e9s | abonnez-vous | utilizamos\scookies | todos\slos\sderechos
  | \u5168\u3066\u306e\u6a29\u5229 | \u7121\u65ad\u8ee2\u8f09 | \u30e1\u30fc\u30eb\u30de\u30ac\u30b8\u30f3
  | (?:\u30af\u30c3\u30ad\u30fc|cookie)\s?\u3092\u4f7f\u7528 | \u7248\u6743\u6240\u6709
  | \u7248\u6a29\u6240\u6709
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Two of these, or one in a stretch that has room for nothing else.
_MENU_WORD = re.compile(
    r"""
    \b(?: log[ ]?(?:in|out) | sign[ ]?(?:in|up|out) | register | create[ ](?:an?[ ])?account
    | (?:un)?subscribe
    | newsletter | advertisement | sponsored | privacy(?:[ ](?:policy|notice))?
    | terms[ ](?:of[ ](?:use|service)|and)
    | contact(?:[ ]us)? | about[ ]us | imprint | cookies | read[ ]more | edit[ ]this[ ]page
    | report[ ]an[ ](?:error|issue)
    | copy[ ]link | print[ ]this | anmelden | registrieren | impressum
    | datenschutz(?:erkl\u00e4rung)? | anzeige
    | se[ ]connecter | s'inscrire | mentions[ ]l\u00e9gales | partager | publicit\u00e9 | aviso[ ]legal )\b
    | \u30ed\u30b0\u30a4\u30f3 | \u5229\u7528\u898f\u7d04 | \u30d7\u30e9\u30a4\u30d0\u30b7\u30fc
    | \u65b0\u898f\u767b\u9332
    | \u5e83\u544a
    """,
    re.VERBOSE | re.IGNORECASE,
)


def is_boilerplate(stretch: str) -> bool:
    """Whether a paragraph, line or list item is a notice, a menu, an image or a comment."""
    if _COMMENT.match(stretch) or _IMAGE.fullmatch(stretch):
        return True
    return (len(stretch) <= MAX_NOTICE_CHARS and _is_notice(stretch)) or is_links(stretch)


def _is_notice(stretch: str) -> bool:
    if _NOTICE.search(stretch):
        return True
    words = len(_MENU_WORD.findall(stretch))
    # subtle: a colon or a digit makes a record of it ("contact: Ann", "12:04 sign in"); a sentence is
    # long enough.
    return 0 < len(stretch) <= MAX_MENU_ENTRY_CHARS * words and not _VALUE.search(stretch)


def is_links(stretch: str) -> bool:
    """Whether a stretch is a list of links and nothing else."""
    if "](" not in stretch and "://" not in stretch:
        return False
    if _ONLY_LINK.fullmatch(stretch):
        return True
    outside, links = _LINK.subn("", stretch)
    if links < MIN_LINKS:
        return False
    return len(_LETTERS.findall(outside)) <= MAX_SHARE_OUTSIDE_LINKS * len(_LETTERS.findall(stretch))
