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

# Each notice has one of these in it, and each word of a menu one of those, in lower case and with single spaces: a look for
# letters is far quicker than the pattern.
_NEEDED_BY_NOTICES = (
    *("jump to ", "skip to ", "cookie", "preferences", "subscribe to ", "unsubscribe ", "newsletter", "share ", "follow us"),
    *("all rights reserved", "copyright", "(c)", "\u00a9", "helpful", "back to top", "content is available under", "was last "),
    *("must be logged in", "sign up for ", "alle akzeptieren", "zum inhalt", "alle rechte", "hilfreich", "tout accepter", "aller au"),
    *("tous droits", "abonnez-vous", "todos los derechos", "\u5168\u3066\u306e\u6a29\u5229", "\u7121\u65ad\u8ee2\u8f09"),
    *("\u30e1\u30fc\u30eb\u30de\u30ac\u30b8\u30f3", "\u30af\u30c3\u30ad\u30fc", "\u7248\u6743", "\u7248\u6a29"),
)  # fmt: skip
_NEEDED_BY_MENU_WORDS = (
    *("login", "log in", "logout", "log out", "signin", "sign in", "signup", "sign up", "signout", "sign out", "register"),
    *("create a", "subscribe", "newsletter", "advertisement", "sponsored", "privacy", "terms of ", "terms and", "contact"),
    *("about us", "imprint", "cookies", "read more", "edit this ", "report an ", "copy link", "print this", "anmelden"),
    *("registrieren", "impressum", "datenschutz", "anzeige", "se connecter", "s'inscrire", "mentions l", "partager", "publicit"),
    *("aviso legal", "\u30ed\u30b0\u30a4\u30f3", "\u5229\u7528", "\u30d7\u30e9\u30a4", "\u65b0\u898f", "\u5e83\u544a"),
)  # fmt: skip

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
    if "!" in stretch and (_COMMENT.match(stretch) or _IMAGE.fullmatch(stretch)):
        return True
    return (len(stretch) <= MAX_NOTICE_CHARS and _is_notice(stretch)) or is_links(stretch)


def _is_notice(stretch: str) -> bool:
    folded = _folded(stretch)
    if any(map(folded.__contains__, _NEEDED_BY_NOTICES)) and _NOTICE.search(stretch):
        return True
    # subtle: a colon or a digit makes a record of it ("contact: Ann", "12:04 sign in"); a sentence is
    # long enough.
    if _VALUE.search(stretch) or not any(map(folded.__contains__, _NEEDED_BY_MENU_WORDS)):
        return False
    return 0 < len(stretch) <= MAX_MENU_ENTRY_CHARS * len(_MENU_WORD.findall(stretch))


def _folded(stretch: str) -> str:
    """Return a stretch in lower case, with single spaces; to patterns without regard to case a dotless i is an i."""
    folded = stretch.casefold() if stretch.isascii() else stretch.casefold().replace("\u0131", "i")
    return " ".join(folded.split())


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
