"""Whether an order is told of, not told: in quotation marks, after "they will", among words about attacks.

Pure: a folded text and a place in, yes or no out. Refuses to find orders: they are summarizing/sanitizing/injections.py's.
"""

import re
from bisect import bisect_left, bisect_right

_WORD = re.compile(r"\w{2,40}")

_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|(?<!\w)'[^'\n]{1,400}'(?!\w)|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]|‘[^’\n]{1,400}’"
    r"|「[^」\n]{1,400}」|『[^』\n]{1,400}』|`[^`\n]{1,400}`"
)
_MARK = re.compile("[\"“'«„‘「『`]")
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s|[。！？]|\n\s{0,50}+(?:[-*+#>|]|\d{1,9}\.)\s|\n\n")

# The title of a link or a value in a tag: in quotation marks, and yet no quotation.
_VALUE = re.compile(r"(?:\]\(\S{0,300}\s+|\b(?:alt|title|label|content|summary)=)$")

# Words outside the quotation marks that make it a report; fewer only announce it.
MIN_WORDS_AROUND_QUOTE = 2

# Reported speech, not a command.
_TOLD = re.compile(
    r"(?:\b(?:can|could|may|might|would|cannot|can't|they|we|i|he|she|who|which|that|it|users?|models?|attackers?|people|developers|llms?|agents?"
    r"|(?:not|n't|never)|will|did|does|how|when|why|tries|tried|trying|began|types?|typed|typing|writes?|wrote|assistants?|asistente|assistent|servers?|servidor|serveur|sistema|systeme?|modelo|modele|modell|ki|ia|bot|chatbot|api|programm?|нейросеть|модель|сервер|программа|says|said|wird|konnen|peut|puede|может)\s+(?:\w+ly\s+|simply\s+|just\s+|also\s+|then\s+)?)$"
)
_YOU_WILL = re.compile(r"\byou\s+will\s+(?:\w+ly\s+|simply\s+|just\s+|also\s+|then\s+)?$")
_TO_DO_IT = re.compile(r"\bto\s+(?:\w+ly\s+)?$")
_ASKS_YOU = re.compile(r"\b(?:you|your)\b")
_ABOUT_ATTACKS = re.compile(
    r"\b(?:attacks?|attackers?|(?:prompt|indirect) injections?|jailbreaks?|adversar\w+|malicious|exploits?|payloads?|phrases? (?:like|such as)"
    r"|angreifer\w*|angriff\w*|attaquants?|attaques?|atacantes?|ataques?|атак\w+|злоумышленник\w*)\b|攻击|攻擊|攻撃|注入|インジェクション"
)
REPORT_CHARS = 240

# The words right before an order that say who does it: two at most.
LAST_WORDS_CHARS = 48

# What stands before a fence that shows such an order.
SHOWS = re.compile(
    _ABOUT_ATTACKS.pattern
    + r"|\b(?:examples?|prompts?|such as|looks? like|beispiel|exemple|ejemplo|пример\w*)\b|例"
)


class Reports:
    """A folded text, to ask which of its orders are told of.

    Where its sentences end, and which words tell of attacks, is found once, since each order asks for it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = [stop.end() for stop in _SENTENCE_END.finditer(text)]
        self._attacks = [word.start() for word in _ABOUT_ATTACKS.finditer(text)]

    def tell_of(self, start: int, end: int) -> bool:
        """Whether what stands at start to end is told of, not told to the reader."""
        text, look_at = self._text, max(start - REPORT_CHARS, 0)
        sentences = bisect_right(self._ends, start)
        # subtle: the match itself may begin with the end of the sentence before it.
        begin = max(look_at, self._ends[sentences - 1] if sentences else 0)
        before = text[begin:start]
        last = max(len(before) - LAST_WORDS_CHARS, 0)
        if _TOLD.search(before, last) and not _YOU_WILL.search(before, last):
            return True
        if _TO_DO_IT.search(before, last) and not _ASKS_YOU.search(before):
            return True
        if bisect_left(self._attacks, begin) < bisect_left(self._attacks, start):
            return True
        # subtle: a quotation may hold more than one sentence.
        return is_quoted(text, max(text.rfind("\n", look_at, start) + 1, look_at), start, end)


def is_quoted(text: str, begin: int, start: int, end: int) -> bool:
    """Whether a match stands in quotation marks with a sentence around them."""
    if not _MARK.search(text, begin, start + 1):
        return False
    stop = _SENTENCE_END.search(text, end, end + REPORT_CHARS)
    sentence_end = stop.start() if stop else min(end + REPORT_CHARS, len(text))
    for quote in _QUOTED.finditer(text, begin, min(sentence_end + 2, len(text))):
        in_tag = _VALUE.search(text[begin : quote.start()])
        if quote.start() <= start and end <= quote.end() + 1 and not in_tag:
            around = text[begin : quote.start()] + " " + text[quote.end() : sentence_end]
            return len(_WORD.findall(around)) >= MIN_WORDS_AROUND_QUOTE
    return False
