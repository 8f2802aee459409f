"""The other extractive summarizers, in a process of their own: sumy's methods, one JSON line in, one JSON line out.

A process, because LexRank compares every sentence with every other, and what takes too long must be stopped from
outside. Each method has its best: its stemmer and stop words for the language; each line of a text as sentences of its
own or, the second way, paragraphs joined as sumy's own parser joins them; and as many of its best sentences as fit the
target, where sumy itself would be told a number of sentences and know nothing of tokens.

Not here: a choice by schema hint; these methods know none. Punkt is not used: its data comes by download.
"""

import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary

METHODS = {
    "LexRank": ("lex_rank", "LexRankSummarizer"),
    "TextRank": ("text_rank", "TextRankSummarizer"),
    "LSA": ("lsa", "LsaSummarizer"),
    "Luhn": ("luhn", "LuhnSummarizer"),
}
LANGUAGES = {"en": "english", "de": "german", "fr": "french", "ja": "japanese"}

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\W_a-z])|(?<=[。！？])")
_WORD = re.compile(r"[^\W_]+(?:[-'’._][^\W_]+)*")

# Where no spaces part the words, two neighbouring characters stand for a word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class Sentences:
    """The tokenizer that sumy is given: sentences by their ends, words by their letters."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        """Cut where a mark of the end is followed by something that can begin a sentence."""
        return tuple(part.strip() for part in _SENTENCE_END.split(text) if part.strip())

    def to_words(self, sentence: str) -> tuple[str, ...]:
        """Return the words; pairs of characters in Japanese."""
        words: list[str] = []
        for word in _WORD.findall(sentence):
            pairs = [word[at : at + 2] for at in range(len(word) - 1)] if _UNSPACED.search(word) else [word]
            words += pairs
        return tuple(words)


def by_lines(text: str) -> str:
    """Return a text in which sumy's parser joins no two lines: listings, tables and logs keep their rows."""
    return "\n\n".join(line for line in text.splitlines() if line.strip())


def fill(ranked: Iterable[str], sizes: Iterable[int], target: int) -> set[int]:
    """Return the places, in the ranking, of the sentences that fit a target together; what is too long is passed over."""
    chosen: set[int] = set()
    room = target
    for place, (_, size) in enumerate(zip(ranked, sizes, strict=True)):
        # One more for the line end between two.
        if size + 1 <= room:
            chosen.add(place)
            room -= size + 1
    return chosen


class Selection:
    """Given to sumy in place of a number of sentences: takes what fits each target, and remembers the texts."""

    def __init__(self, targets: Sequence[int], count_each: Callable[[Sequence[str]], list[int]]) -> None:
        self._targets = targets
        self._count_each = count_each
        self.texts: list[str] = []

    def __call__(self, infos: Sequence[Any]) -> list[Any]:
        """Choose from the sentences, best first. Nothing goes back to sumy: the texts are what is wanted."""
        ranked = [str(info.sentence) for info in infos]
        sizes = self._count_each(ranked)
        for target in self._targets:
            chosen = fill(ranked, sizes, target)
            kept = sorted((infos[place].order, ranked[place]) for place in chosen)
            self.texts.append("\n".join(sentence for _, sentence in kept))
        return []


def summarize(job: dict[str, Any], tokenizer: Tokenizer) -> dict[str, Any]:
    """Do one job: a method on a text, for several targets at once. Times one run of the method."""
    module, name = METHODS[job["method"]]
    language = LANGUAGES.get(job["language"], "english")
    stemmer = import_module("sumy.nlp.stemmers").Stemmer(language)
    summarizer = getattr(import_module(f"sumy.summarizers.{module}"), name)(stemmer)
    summarizer.stop_words = import_module("sumy.utils").get_stop_words(language)
    parser = import_module("sumy.parsers.plaintext").PlaintextParser
    started = time.perf_counter()
    text = by_lines(job["text"]) if job["lines"] else job["text"]
    selection = Selection(job["targets"], tokenizer.count_each)
    summarizer(parser.from_string(text, Sentences()).document, selection)
    seconds = time.perf_counter() - started
    return {"texts": selection.texts or [""] * len(job["targets"]), "seconds": seconds}


def main() -> None:
    """Answer until the input ends."""
    tokenizer = load_tokenizer(read_vocabulary())
    for line in sys.stdin:
        sys.stdout.write(json.dumps(summarize(json.loads(line), tokenizer)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
