"""Characters that nobody sees: control characters, a terminal's sequences, Unicode's invisible characters without an effect.

Pure, and linear. Joiners, marks and selectors that Persian, Hindi or an emoji need stay where they have an effect.
"""

import re
from collections.abc import Callable
from typing import NamedTuple


class Shown(NamedTuple):
    """The text that a reader sees, and how many hidden stretches were dropped."""

    text: str
    dropped: int


_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n\r\f")

# A terminal's colours, titles and links (ECMA-48, 5.4 and 8.3.89) are dropped whole: nothing of "\x1b[31m" is visible. A letter that is
# printed twice at its place is bold (nroff, "overstriking"), one over "_" is underlined.
_CONTROL = re.compile(
    r"([^\s\x08])\x08(?=\1)|_\x08|\x1b\[[0-?]{0,32}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,100000}+(?:\x07|\x1b\\)"
    r"|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]{1,100000}+"
)
# None of them is longer; the character behind may count as well.
MAX_CONTROL_CHARS = 100_010

# Unicode's default ignorables and bidi controls that have no effect of their own between letters.
_ALWAYS = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAGS = "\U000e0020-\U000e007f"
# Joiners, marks and selectors: some letters need them, between others they only hide.
_JOINING = f"\u061c\u200b-\u200f{_SELECTORS}{_TAGS}"
_IGNORABLE = re.compile(f"[{_ALWAYS}{_JOINING}]")
_NEVER_SEEN = re.compile(f"[{_ALWAYS}]+")
_JOINING_RUN = re.compile(f"[{_JOINING}]+")
# Between Latin letters none of them has an effect. A text can have one after each letter: these are dropped without a call for each.
_BETWEEN_LETTERS = re.compile(f"(?<=[A-Za-z \n])[{_JOINING}]++(?=[A-Za-z \n])")
_LETTER = re.compile(r"[A-Za-z \n]")

# Dropping what is hidden in so many characters takes some milliseconds at most.
STEP_CHARS = 100_000

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Arabic and its neighbours, the scripts of India and around it, Mongolian.
_JOINED = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1cff\ua800-\ua9ff\uaa00-\uaaff"
                     "\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]")  # fmt: skip
# Scripts without spaces between words: U+200B says where a line may end.
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u1aaf\ua980-\ua9df\uaa00-\uaadf]")
_EMOJI = re.compile("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]")
# UTS 51, 1.4.6: a black flag, the tags of a region ("gbeng", "usca"), the cancel tag.
_FLAG = "\U0001f3f4"
_REGION = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_SELECTOR = re.compile(f"[{_SELECTORS}]")
_NO_BASE = re.compile(r"[A-Za-z\s]")
_HAN = re.compile("[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_IDEOGRAPHIC_SELECTOR = "\U000e0100"


def without_controls(text: str) -> Shown:
    """Drop control characters; ASCII text is scanned at the speed of a copy."""
    if text.isascii():
        ascii_bytes = text.encode()
        if len(ascii_bytes.translate(None, _CONTROLS)) == len(ascii_bytes):
            return Shown(text, 0)
    return _in_stretches(text, _controls_dropped)


Stretch = tuple[str, int, int]
"""A stretch without what is hidden, how many times something was dropped from it, and its end in the text."""


def _in_stretches(text: str, drop: Callable[[str, int, int], Stretch]) -> Shown:
    """Drop what is hidden, a stretch at a time: what is kept of one is joined before the next one is read."""
    parts, dropped, at = list[str](), 0, 0
    while at < len(text):
        shown, count, at = drop(text, at, min(at + STEP_CHARS, len(text)))
        parts.append(shown)
        dropped += count
    return Shown("".join(parts), dropped) if dropped else Shown(text, 0)


def _controls_dropped(text: str, at: int, stop: int) -> Stretch:
    """Return a stretch without the control sequences that begin in it, their number, and the end of the stretch.

    Each search is a step that no other thread can interrupt, and a sequence that goes on behind the stretch is found whole.
    """
    kept, dropped = list[str](), 0
    while at < stop:
        found = _CONTROL.search(text, at, stop + MAX_CONTROL_CHARS)
        if found is None or found.start() >= stop:
            kept.append(text[at:stop])
            return "".join(kept), dropped, stop
        kept.append(text[at : found.start()])
        dropped, at = dropped + 1, found.end()
    return "".join(kept), dropped, at


def without_invisible(text: str) -> Shown:
    """Drop invisible characters, except those that shape their neighbours."""
    if text.isascii() or not _has_ignorable(text):
        return Shown(text, 0)
    seen = _dropping(_NEVER_SEEN, text)
    between = _dropping(_BETWEEN_LETTERS, seen.text)
    working = _in_stretches(between.text, _idle_joiners_dropped)
    return Shown(working.text, seen.dropped + between.dropped + working.dropped)


def _has_ignorable(text: str) -> bool:
    """Whether a text may have something to drop. Searched a stretch at a time: one search of 16 MB held the interpreter for half a second."""
    return any(_IGNORABLE.search(text, at, at + STEP_CHARS) for at in range(0, len(text), STEP_CHARS))


def _idle_joiners_dropped(text: str, at: int, stop: int) -> Stretch:
    """Return a stretch without the joiners, marks, selectors and tags that have no effect; a run that begins in it, or behind it, ends in it."""
    if over := _JOINING_RUN.match(text, stop):
        stop = over.end()
    kept, dropped = list[str](), 0
    for run in _JOINING_RUN.finditer(text, at, stop):
        before, after = text[max(run.start() - 1, 0) : run.start()], text[run.end() : run.end() + 1]
        working = _working(before, run[0], after)
        if working != run[0]:
            kept += text[at : run.start()], working
            dropped, at = dropped + 1, run.end()
    kept.append(text[at:stop])
    return "".join(kept), dropped, stop


def _dropping(pattern: re.Pattern[str], text: str) -> Shown:
    """Drop what a pattern finds, a stretch at a time: each is one step that no other thread can interrupt.

    Stretches end with a Latin letter or white space: none of what the pattern finds has it. The one before a stretch is read again with it.
    """
    parts, dropped, at = list[str](), 0, 0
    while at < len(text):
        last = _LETTER.search(text, at + STEP_CHARS)
        end = last.end() if last else len(text)
        before = min(at, 1)
        left, count = pattern.subn("", text[at - before : end])
        parts.append(left[before:])
        dropped, at = dropped + count, end
    return Shown("".join(parts), dropped) if dropped else Shown(text, 0)


def _working(before: str, run: str, after: str) -> str:
    """Return the part of a run of joiners, marks, selectors and tags that has an effect between two characters."""
    if before == _FLAG and (region := _REGION.match(run)):
        return region[0]
    selector = run[0] if _selects(before, run[0]) else ""
    return selector + next((sign for sign in run[len(selector) :] if _joins(before, sign, after)), "")


def _selects(base: str, sign: str) -> bool:
    """Whether a variation selector follows a character with variants."""
    if not base or not _SELECTOR.match(sign) or _NO_BASE.match(base):
        return False
    return sign < _IDEOGRAPHIC_SELECTOR or _HAN.match(base) is not None


def _joins(before: str, sign: str, after: str) -> bool:
    """Whether a joiner, a direction mark or a line break opportunity has an effect between two characters."""
    if sign in "\u200c\u200d":
        shapes = bool(_JOINED.match(before) or _JOINED.match(after))
        return shapes or (sign == "\u200d" and bool(_EMOJI.match(before) and _EMOJI.match(after)))
    if sign == "\u200b":
        return bool(_UNSPACED.match(before) and _UNSPACED.match(after))
    return sign in "\u061c\u200e\u200f" and bool(_RIGHT_TO_LEFT.match(before) or _RIGHT_TO_LEFT.match(after))
