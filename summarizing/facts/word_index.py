"""A text's words and tokens, to look up whether it has what another text says: as it is written, or in other forms and another order.

Each index is built when it is first needed, once, in time linear in the text. Knows nothing of facts: summarizing/facts/fact_index.py does.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from itertools import pairwise

from summarizing.facts.script_letters import UNSPACED_SIGNS, folded
from summarizing.text.language.stemming import SIGNS, Stems, blanked, blanks_for, parts_of, stem_of

# Words that may stand among those of a name: "Voss, captain Marla" states Marla Voss, "Ann and Bert Voss" does not state Ann Voss.
SLACK_WORDS = 1

# Of the places of a word in the text, at most this many are looked at.
MAX_PLACES = 200

_WORD = re.compile(rf"[^\W_{UNSPACED_SIGNS}]+|[{UNSPACED_SIGNS}]+")
UNSPACED_SIGN = re.compile(f"[{UNSPACED_SIGNS}]")
_POSSESSIVE = re.compile(r"['’]s\b")
_TOKEN = re.compile(r"[^\s\"'`<>()\[\]{}|,;=«»“”‘’「」]+")
# In ASCII a word ends at any sign, a token at one of these, and both at white space.
_WORD_ENDS = blanks_for(SIGNS)
_TOKEN_ENDS = blanks_for(b"\"'`<>()[]{}|,;=")
# Signs around a token that are none of its own.
_MARKS = ".:!?*_"


class WordIndex:
    """The words of a text; what is looked up is folded (script_letters.py)."""

    def __init__(self, text: str, stems: Stems) -> None:
        """`stems`: of other texts with the same words."""
        self._text, self._known_stems = text, stems
        self._together: dict[str, bool] = {}

    # --- What the text has ---

    @cached_property
    def written(self) -> list[str]:
        """The words in their order, as they are written."""
        return _words_of(self._folded_text)

    @cached_property
    def different(self) -> frozenset[str]:
        """The different words, as they are written."""
        return frozenset(self.written)

    @cached_property
    def _pairs(self) -> set[tuple[str, str]]:
        """The words that stand next to each other, as they are written."""
        return set(pairwise(self.written))

    @cached_property
    def _stem_of(self) -> dict[str, str]:
        """The stem of each word."""
        known = self._known_stems.known
        return {word: known.get(word) or stem_of(word) for word in self.different}

    @cached_property
    def _stems(self) -> list[str]:
        """The words in their order, as stems."""
        return list(map(self._stem_of.__getitem__, self.written))

    @cached_property
    def _different_stems(self) -> frozenset[str]:
        return frozenset(self._stem_of.values())

    @cached_property
    def _at(self) -> dict[str, list[int]]:
        """Where each stem stands."""
        places: dict[str, list[int]] = defaultdict(list)
        for at, stem in enumerate(self._stems):
            places[stem].append(at)
        return places

    @cached_property
    def _folded_text(self) -> str:
        return folded(self._text)

    @cached_property
    def _folded(self) -> str:
        return " ".join(self._folded_text.split())

    @cached_property
    def _tokens(self) -> set[str]:
        return {token.strip(_MARKS) for token in _tokens_of(self._folded_text)}

    @cached_property
    def _tokens_in_order(self) -> list[str]:
        return sorted(self._tokens)

    # --- As it is written ---

    def has_letters(self, part: str) -> bool:
        """Whether the text has these characters, be it within a longer word."""
        return part in self._folded

    def has_part(self, part: str) -> bool:
        """Whether the text has these characters, and not within a longer word."""
        at, step = self._folded.find(part), 0
        while at >= 0:
            end = at + len(part)
            around = self._folded[max(at - 1, 0) : at], self._folded[end : end + 1]
            if not any(map(_is_in_word, around)):
                return True
            # The next place may overlap with this one ("b/b" in "1b/b/b"), and begins after a sign that parts words.
            step = step or next(
                (number for number, sign in enumerate(part, 1) if not _is_in_word(sign)), len(part)
            )
            at = self._folded.find(part, at + step)
        return False

    def states(self, part: str) -> bool:
        """Whether the text has a part as it is: several words anywhere, one as a part or a token of its own."""
        if " " in part:
            return part in self._folded
        return self._may_have(part) and (self.has_part(part) or part in self._tokens)

    def has_token(self, token: str) -> bool:
        """Whether one of the text's tokens is this one, but for signs around it."""
        # Most of those that are looked for have a word that the text does not have: all of its tokens are needed seldom.
        return self._may_have(token) and token in self._tokens

    def has_token_with(self, beginning: str) -> bool:
        """Whether one of the text's tokens begins so."""
        # Tokens are sorted: if any begins so, the first one at or after its beginning does.
        at = bisect_left(self._tokens_in_order, beginning)
        return any(token.startswith(beginning) for token in self._tokens_in_order[at : at + 1])

    def _may_have(self, part: str) -> bool:
        """Whether each two neighbouring words of a part are neighbours in the text, too: a closer look is needed only then.

        `part` begins and ends with whole words.
        """
        if part.isascii() and part.isalnum():
            return part in self.different
        if not part.isascii() and UNSPACED_SIGN.search(part):
            return True
        words = _words_of(part)
        return self.different.issuperset(words) and (
            len(words) < 2 or self._pairs.issuperset(pairwise(words))
        )

    # --- By its stems ---

    def has_stem(self, stem: str) -> bool:
        """Whether a word of the text has this stem."""
        return stem in self._different_stems

    def says(self, key: str) -> bool:
        """Whether the text has these words beside each other, in any order and with other endings."""
        known = self._together.get(key)
        if known is None:
            known = self._together[key] = self._has_words(key)
        return known

    def _has_words(self, key: str) -> bool:
        if not key.isascii() and UNSPACED_SIGN.search(key):
            return key in self._folded
        stems = self._stems_in(key)
        return bool(stems) and self._stand_together(stems)

    def _stems_in(self, key: str) -> list[str]:
        if "'" in key or "’" in key:
            key = _POSSESSIVE.sub("", key)
        known = self._known_stems.known
        return [known.get(word) or stem_of(word) for word in _words_of(key)]

    def _stand_together(self, stems: list[str]) -> bool:
        needed = set(stems)
        if len(needed) == 1 or not needed <= self._different_stems:
            return needed <= self._different_stems
        rarest, other, *_ = sorted(needed, key=lambda stem: len(self._at[stem]))
        width = len(stems) + max(SLACK_WORDS, len(stems) // 2)
        all_stems, reach = self._stems, width - 1
        for at in self._at[rarest][:MAX_PLACES]:
            first = at - reach if at > reach else 0
            near = all_stems[first : at + width]
            # Of two words that is all there is to see; of more no stretch of the width may have all.
            if other in near and (
                len(needed) == 2
                or (needed.issubset(near) and self._has_stretch_with(needed, first, at, width))
            ):
                return True
        return False

    def _has_stretch_with(self, needed: set[str], first: int, last: int, width: int) -> bool:
        """Whether one of the stretches of so many words that begin at `first` to `last` has all of some stems."""
        starts = range(first, last + 1)
        return any(needed.issubset(self._stems[start : start + width]) for start in starts)


def _words_of(text: str) -> list[str]:
    """Return the words of a text; "_" is none of their letters."""
    # Many keys are one word: no pattern is needed to see that.
    if text.isalnum() and (text.isascii() or not UNSPACED_SIGN.search(text)):
        return [text]
    return parts_of(blanked(text, _WORD_ENDS), _WORD)


def _tokens_of(text: str) -> set[str]:
    """Return what stands between white space, brackets, quotation marks and the like."""
    return set(parts_of(blanked(text, _TOKEN_ENDS), _TOKEN))


def _is_in_word(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_") and not UNSPACED_SIGN.match(sign)
