"""The levels of log lines: which one a line has, and which a brief asks for.

Who asks a log for its errors does not mean a warning that has more of the brief's other words. The names are those of
syslog (RFC 5424, section 6.2.1) and of the common loggers.
"""

import re
from collections.abc import Iterable

_NAMES = {
    "error": "error err fatal critical crit severe panic emergency emerg alert",
    "warning": "warning warn",
    "info": "info information informational notice",
    "debug": "debug trace verbose fine",
}
_LEVEL_OF = {name: level for level, names in _NAMES.items() for name in names.split()}

# What briefs call them. Not every name of a logger's: a trace id, a notice period and fine print are no levels.
_ASKED = {
    "error": "error errors errored err fatal fatals critical "
    "fehler fehlern fehlermeldung fehlermeldungen erreur erreurs errores",
    "warning": "warning warnings warn warnung warnungen avertissement avertissements advertencia advertencias",
    "info": "info",
    "debug": "debug",
}
_ASKED_LEVEL = {name: level for level, names in _ASKED.items() for name in names.split()}

# A level stands near the beginning of its line, behind a time and perhaps a host; in data it has a key of its own.
_NEAR = 80
_LEVEL = re.compile(
    r"""(?<![\w-])(?i:"?(?:level|lvl|severity|levelname|loglevel)"?\s*[=:]\s*"?([a-z]{3,13})\b)"""
    rf"""|(?<![\w-])({"|".join(map(str.upper, _LEVEL_OF))})(?![\w-])"""
)
_WORD = re.compile(r"[^\W\d_]+")


def level_of(line: str) -> str | None:
    """Return the level of a log line, `error`, `warning`, `info` or `debug`; None for what is none."""
    found = _LEVEL.search(line, 0, _NEAR)
    return _LEVEL_OF.get((found[1] or found[2]).lower()) if found else None


def asked_levels(brief: str) -> frozenset[str]:
    """Return the levels that a brief names; none where it names none of them."""
    words: Iterable[str] = (word.lower() for word in _WORD.findall(brief))
    return frozenset(_ASKED_LEVEL[word] for word in words if word in _ASKED_LEVEL)
