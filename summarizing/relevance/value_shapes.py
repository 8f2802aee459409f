"""What can be seen in a line without knowing its words: a date, a sum of money, a person's name, an error code.

Patterns, and how surely each shows that a line has a value of its kind. Refuses to know what was asked for.
"""

import re
from typing import NamedTuple

from summarizing.text.stemming import stem_of

_MONTH = (
    r"(?:Jan|Feb|Mar|M\u00e4r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz]|janv|f\u00e9vr|mars|avril|juin|juil|ao\u00fbt"
    r"|ene|abr|ago|dic)[^\W\d_]{0,7}"
)
# No number is longer: without an end to it, "1.1.1.1..." would be read to its end from each of its digits.
_AMOUNT = r"\d(?:[\d.,'\u00a0\u202f]{0,30}\d)?"
_CURRENCY = (
    r"(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|CNY|INR|SEK|NOK|DKK|[Dd]ollars?|[Ee]uros?|[Pp]ounds?|[Ff]ranken|[Ff]rancs?|[Yy]en"
    r"|cents?|[Gg]old|[Ss]ilver|[Cc]opper|[Cc]oins?|[Cc]rowns?|[Mm]arks?|\u5186|\u5143|[kmb]?[$\u20ac\u00a3\u00a5\u20b9])"
)
_TIME_UNIT = (
    r"(?:ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|nights?|cycles?"
    r"|Sekunden?|Minuten?|Std|Stunden?|Tagen?|Tage?|Wochen?|Monaten?|Monate?|Jahren?|Jahre?|secondes?|heures?|jours?"
    r"|semaines?|mois|ans?|ann\u00e9es?|segundos?|minutos?|horas?|d\u00edas?|semanas?|meses|mes|a\u00f1os?)"
)
_CAPITAL = r"[^\W\d_a-z\u00df-\u00ff]"

_PATTERNS = {
    "date": rf"\b(?:1\d|20)\d\d\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|\d\s?[\u5e74\u6708\u65e5]|\b\d{{1,2}}:\d\d\b"
    rf"|\b(?i:year|jahr|a\u00f1o)\s\d|\b{_MONTH}\.? \d|\b\d{{1,2}}\.?(?:st|nd|rd|th)? (?:de )?(?i:{_MONTH})\b",
    "time": r"\b\d{1,2}:\d\d\b|\b\d{1,2} ?(?:[ap]\.?m\.?|o'clock|Uhr)\b|\b\d{1,2} ?h(?: ?\d\d)?\b",
    "duration": rf"\b\d[\d.,]{{0,30}}+[ \u00a0-]?{_TIME_UNIT}\b"
    r"|\b(?:hourly|daily|weekly|monthly|yearly|annually|quarterly|t\u00e4glich|w\u00f6chentlich|monatlich|j\u00e4hrlich)\b"
    r"|\d ?(?:\u6642\u9593|\u5206|\u79d2|\u9031\u9593|\u304b\u6708)",
    "money": rf"[$\u20ac\u00a3\u00a5\u20b9] ?\d|\b{_AMOUNT}[ \u00a0]?{_CURRENCY}(?!\w)|\b(?:USD|EUR|GBP|CHF|JPY) ?\d",
    "percent": r"\d ?%|\b\d[\d.,]{0,30}+ (?:per ?cent|Prozent|pour cent)\b",
    "quantity": rf"\b{_AMOUNT}[ \u00a0]?(?:[kKMGT]i?[Bb]|[kmcd\u00b5]?[mgl]|[kM]?(?:W|Hz|V|A|Pa|N|J)|mAh|[kM]?Wh|rpm|dB|bar|psi|lbs?|oz|ft|in|inch(?:es)?"
    r"|km/h|mph|kVA|min|ms|h|s|U/min|\u00b0[CF]?|m[\u00b2\u00b3]|litres?|liters?|tons?|tonnes?|m(?:et(?:er|re)s?)?|kilomet(?:er|re)s?|%)(?!\w)|\b\d[\d.,]{0,30}+ [^\W\d_]+ (?:per|pro|par|por|a|an|each) ",
    "version": r"\bv?\d+\.\d+(?:\.\d+)?(?:[-.](?:rc|beta|alpha|dev)\.?\d*)?\b",
    "code": r"\b[A-Z]{1,6}[- ]?\d{1,7}(?:-\d+){0,9}\b|\b[A-Z][a-z]-?\d{1,4}\b|\b(?:HTTP|[Ss]tatus|[Cc]ode) \d{3}\b|\b(?:4[0-2]\d|50\d)\b(?! ?[^\W\d_]{1,4}\b)"
    r"|\b(?:Err|Error|Code|No|Nr|Art|Ref|Fig)[. ] ?\d{1,6}\b|#\d{2,}|\b\d{4}/\d{3,}\b|\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b"
    r"|\b[A-Z0-9]{1,40}+(?:-[A-Z0-9]{1,40}+){0,9}-\d+\b|\b(?!\d{4}-\d\d-\d\d)\d{2,}-\d{2,}(?:-\d+){0,9}\b|\b(?!\d\d\.\d\d\.\d)\d{2,}\.\d{2,}\.\d{2,}\b",
    "person": rf"\b{_CAPITAL}[^\W\d_]+ (?:(?:of|von|van|de|der|da|di|del|la|the) (?:[^\W\d_]+ )?)?{_CAPITAL}[^\W\d_]+"
    rf"|\b(?:Mr|Mrs|Ms|Dr|Herr|Frau|Mme|M)\.? {_CAPITAL}\w+",
    "name": rf"[^\W\d_],? {_CAPITAL}[^\W\d_]+",
    "place": rf"\b(?:in|at|near|from|to|of|bei|aus|nach|\u00e0|en|zu) {_CAPITAL}[^\W\d_]+",
    "url": r"https?://",
    # RFC 1123, section 2.1, with a name of letters at its end; and what stands for one.
    "host": r"\b(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,9}[a-z]{2,24}\b(?!\()|\b\d{1,3}(?:\.\d{1,3}){3}\b",
    "email": r"[\w.+-]{1,64}@[\w-]{1,63}\.\w",
    "phone": r"(?:\+\d|\b0)\d*+(?:[ /()-]{1,2}\d{2,15}){2,9}",
    "path": r"(?:^|[\s\"'`(=])(?:~|\.{1,2})?/[\w.-]++(?:/[\w.-]*+)*+",
    "term": r"`[^`\n]+`|(?<!\w)--?[a-z][\w-]+|\b[a-zA-Z][^\W_]*+_\w++|\b[a-z]+[A-Z]\w*\b|\b[a-z]+(?:\.[a-z]\w*){1,4}\b",
    "vote": r"\b\d{1,3} ?(?:to|:|\u2013|-|gegen|zu|contre|contra|for and|votes?) ?\d{1,3}\b|\bunanim|\beinstimmig",
    "state": r"\b(?:[A-Z][a-z]+){2,40}\b|\b(?:Running|Pending|Failed|Succeeded|Unknown|Ready|NotReady|Evicted|Terminating|Completed|Error"
    r"|open|closed|done|paid|blocked|enabled|disabled|active|inactive)\b",
    "error": r"\b\w*(?:Error|Exception|Failure)\b|\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|WARN(?:ING)?|Warning|[Ff]ailed|[Ff]atal|panic)\b"
    r"|\b(?:[Ee]rror|[Ff]ehler|[Ee]rreur|[Ee]xception): ",
    "change": r"\u2192|->|=>|\u21d2|\b(?:instead of|in place of|replaced by|replaces|renamed|formerly|statt|anstelle|ersetzt|remplac\w+|au lieu)\b",
    "command": r"`[\w./-]+ [^`\n]+`|^\s*\$ \S|\b(?:sudo|kubectl|docker|git|curl|pip|npm|apt|systemctl|journalctl|ssh|make) [\w./-]",
    "number": r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand)\b",
}

# What a stretch with such a value has in any case, as a pattern that is quick to search for; of what is not named here all do.
_NEEDS = {
    **dict.fromkeys(("date", "number"), r"\d"),
    **dict.fromkeys(("person", "name", "place"), rf" {_CAPITAL}"),
    "time": r"\d(?::| ?[apoUh])",
    "duration": r"\d[.,]*+[ \u00a0-]?[mshdwyncSMTWJja\u6642\u5206\u79d2\u9031\u304b]",
    "money": r"[$\u20ac\u00a3\u00a5\u20b9]|\d[ \u00a0]?[A-Zb-gkmpsy\u5186\u5143]|[DFPRY] ?\d",
    "quantity": r"\d[.,]*+[ \u00a0]?[^\W\d_]|\d[ \u00a0]?[\u00b0%]",
    "version": r"\d\.\d",
    "code": r"[\d_]",
    "host": r"\.[a-z\d]",
    "phone": r"\d[ /()-]{1,2}\d\d",
    "term": r"[`_-]|[a-z](?:[A-Z]|\.[a-z])",
    "vote": r"\d ?[:\u2013tgzcfv-]",
    "state": "[a-z][A-Z][a-z]",
}

# What it may have in place of that, or has where no pattern is named: one of these parts, quicker to look for than a pattern.
_PARTS = {
    "duration": "ly lich",
    "percent": "% cent zent",
    "vote": "unanim instimm",
    "url": "://",
    "email": "@",
    "path": "/",
    "state": "Running Pending Failed Succeeded Unknown Ready Evicted Terminating Completed Error open closed done paid blocked abled"
    " active",
    "error": "rror xception ailure ERROR FATAL CRITICAL SEVERE PANIC WARN arning ailed atal panic ehler rreur",
    "change": "\u2192 -> => \u21d2 instead place replace renamed formerly statt anstelle ersetzt remplac lieu",
    "command": "` $ sudo kubectl docker git curl pip npm apt systemctl journalctl ssh make",
    "number": "two three four five six seven eight nine ten leven twelve hundred thousand",
}

# Patterns that look at the digits themselves, and what matches wherever they do when all digits are 0.
_WITH_ANY_DIGITS = {
    "date": (r"(?:1\d|20)", r"\d\d"),
    "code": (r"(?:4[0-2]\d|50\d)", r"\d\d\d"),
    "phone": (r"\b0", r"\b\d"),
}

_TO_ZERO = str.maketrans("123456789", "000000000")

# How surely a line that has one answers; a number is in many lines, and any two capitalised words look like a person.
_SURE = {
    "date": 0.9, "money": 0.9, "vote": 0.9, "duration": 0.8, "percent": 0.8, "email": 0.9, "phone": 0.9, "url": 0.8, "host": 0.8,
    "code": 0.7, "version": 0.7, "quantity": 0.7, "time": 0.7, "person": 0.5, "term": 0.5, "path": 0.6, "state": 0.6,
    "error": 0.8, "change": 0.7, "command": 0.7, "number": 0.35, "place": 0.3, "name": 0.3,
}  # fmt: skip


# Words that ask for such a value itself. Of a compound ("Bestellnummer"), the end does.
_ASKED_BY = {
    "date": "date when deadline due until day year datum wann termin frist bis jahr tag quand \u00e9ch\u00e9ance fecha cuando plazo a\u00f1o",
    "time": "time hour uhrzeit heure hora horaire horario",
    "duration": "often long duration interval timeout frequency period oft dauer intervall frist souvent dur\u00e9e duraci\u00f3n frecuencia",
    "money": "price money cost much budget amount fee sum spend expense salary preis geld kosten betrag summe ausgaben ausgabe geb\u00fchr viel"
    " prix co\u00fbt montant d\u00e9pense combien somme tarif precio coste importe gasto cu\u00e1nto",
    "percent": "percentage percent share prozent anteil pourcentage porcentaje",
    "quantity": "unit weight dimension size measurement much many einheit gewicht gr\u00f6\u00dfe ma\u00df viel unit\u00e9 poids taille combien unidad peso",
    "version": "version release fassung versi\u00f3n",
    "code": "code id number nummer kennung kennzeichen num\u00e9ro r\u00e9f\u00e9rence n\u00famero c\u00f3digo",
    "person": "who whom person people npc character leader member author owner responsible assignee wer wen wem verantwortliche zust\u00e4ndige qui responsable qui\u00e9n",
    "name": "name nom nombre namen",
    "place": "where place ort wo lieu lugar d\u00f3nde",
    "url": "link url website",
    "host": "host hostname domain fqdn dns ip",
    "email": "email mail",
    "phone": "phone telefon telefonnummer t\u00e9l\u00e9phone tel\u00e9fono",
    "path": "path file pfad datei chemin fichier ruta",
    "term": "setting parameter option flag variable field einstellung param\u00e8tre par\u00e1metro",
    "vote": "vote abstimmung stimmen scrutin voto",
    "state": "state status zustand \u00e9tat estado",
    "error": "error exception failure fehler erreur",
    "change": "replace replacement rename migrate substitute successor ersatz nachfolger remplacement sustituto",
    "command": "command shell cli befehl commande comando",
    "number": "number count many much zahl anzahl viel nombre combien n\u00famero cu\u00e1nto",
}

# They ask; in a text they say nothing.
QUESTION_WORDS = (
    "who whom whose when where much many often long until wer wen wem wessen wann wo viel viele oft lange bis qui quand o\u00f9 combien souvent"
    " qui\u00e9n cu\u00e1ndo d\u00f3nde cu\u00e1nto"
)


# Shorter words end others by chance.
MIN_HEAD_CHARS = 5


class Need(NamedTuple):
    """What every stretch with some value has, quick to look for: one of some parts, or what a pattern matches."""

    parts: tuple[str, ...]
    pattern: re.Pattern[str] | None

    def of_parts_in(self, content: str) -> "Need":
        """Return it without what no stretch of a content has."""
        has_pattern = self.pattern is not None and self.pattern.search(content) is not None
        return Need(
            tuple(filter(content.__contains__, self.parts)),
            self.pattern if has_pattern else None,
        )


class Shape(NamedTuple):
    """A kind of value: its pattern, and how surely a line that has one answers who asks for it.

    `like`: a pattern that matches in a stretch `without_digits` wherever `pattern` does in the stretch itself; the same one,
    and only there, where the pattern does not look at the digits themselves. `need`: what every stretch with such a value has,
    with its digits or without.
    """

    pattern: re.Pattern[str]
    sure: float
    asked_by: frozenset[str]
    heads: tuple[str, ...]
    need: Need
    like: re.Pattern[str]

    @property
    def is_blind(self) -> bool:
        """Whether any digits do."""
        return self.like is self.pattern

    def is_asked_by(self, stem: str) -> bool:
        """Whether a word asks for such a value, itself or as the end of a compound ("Bestellnummer")."""
        return stem in self.asked_by or stem.endswith(self.heads)


def without_digits(text: str) -> str:
    """Return a text with a 0 for each digit: lines of a log are often the same then."""
    return text.translate(_TO_ZERO)


def shapes() -> dict[str, Shape]:
    """Return every shape by its name."""
    return {name: _shape(name, pattern) for name, pattern in _PATTERNS.items()}


def _shape(name: str, pattern: str) -> Shape:
    asked_by = frozenset(map(stem_of, _ASKED_BY[name].split()))
    heads = tuple(sorted(word for word in asked_by if len(word) >= MIN_HEAD_CHARS))
    parts = tuple(_PARTS.get(name, "").split())
    need = re.compile(_NEEDS.get(name, "")) if name in _NEEDS or not parts else None
    like = pattern.replace(*_WITH_ANY_DIGITS[name]) if name in _WITH_ANY_DIGITS else pattern
    return Shape(re.compile(pattern), _SURE[name], asked_by, heads, Need(parts, need), re.compile(like))
