"""Does a summary without a query say what a README is about? Its words are compared with the package's own description; the share is printed.

Run it as `python -m bench.real_texts.descriptions FOLDER`, with a folder in which npm or pip have installed packages, at any depth. Counted
are the content words of each description that the README has, but for the package's name, in summaries of a tenth of its tokens, and in as
many tokens from its beginning. Packages are split into two halves by the hash of their name: `--half 0` is for developing.
"""

import argparse
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from email.parser import Parser
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from bench.output import say
from bench.real_texts.ours import summarize
from summarizing.text.language.language_words import language_words
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary

SHARE = 10
LEAST_TARGET = 150
# Shorter READMEs are hardly longer than their summary.
LEAST_TOKENS, MOST_TOKENS = 900, 20_000
# Of a description, and of the README.
LEAST_WORDS, LEAST_SHARED = 4, 3

_WORD = re.compile(r"[a-z][a-z0-9]{2,}")


class Readme(NamedTuple):
    """A package's README, and what the package says of itself elsewhere."""

    name: str
    description: str
    text: str


def readmes(folder: Path) -> Iterator[Readme]:
    """Yield the READMEs of the packages in a folder, each once."""
    seen: set[str] = set()
    for found in (*_of_npm(folder), *_of_pypi(folder)):
        if found.name not in seen:
            seen.add(found.name)
            yield found


def _of_npm(folder: Path) -> Iterator[Readme]:
    for path in sorted(folder.rglob("node_modules/**/package.json")):
        texts = [one for one in path.parent.iterdir() if one.name.lower() in ("readme.md", "readme")]
        package = json.loads(path.read_text("utf-8")) if texts else {}
        if isinstance(package.get("name"), str) and isinstance(package.get("description"), str):
            text = texts[0].read_text("utf-8", errors="replace")
            yield Readme(package["name"], package["description"], text)


def _of_pypi(folder: Path) -> Iterator[Readme]:
    for path in sorted(folder.rglob("*.dist-info/METADATA")):
        message = Parser().parsestr(path.read_text("utf-8", errors="replace"))
        yield Readme(message["Name"] or "", message["Summary"] or "", str(message.get_payload()))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - language_words().grammar


def shares(readme: Readme, tokenizer: Tokenizer) -> tuple[float, float] | None:
    """Return which share of a description's words the summary has, and the beginning; None where they cannot be compared."""
    tokens = tokenizer.count(readme.text)
    described = _words(readme.description) - _words(readme.name)
    asked = described & _words(readme.text)
    is_described = len(described) >= LEAST_WORDS and len(asked) >= LEAST_SHARED
    if not (is_described and LEAST_TOKENS <= tokens <= MOST_TOKENS):
        return None
    target = max(LEAST_TARGET, tokens // SHARE)
    texts = summarize(readme.text, target, "", tokenizer)[0], tokenizer.cut(readme.text, target)
    summary, beginning = (len(asked & _words(text)) / len(asked) for text in texts)
    return summary, beginning


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the mean shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("0", "1", "all"), default="all")
    options = parser.parse_args(arguments)
    tokenizer = load_tokenizer(read_vocabulary())
    found = [
        share
        for readme in readmes(options.folder)
        if options.half in ("all", str(hashlib.sha256(readme.name.encode()).digest()[-1] % 2))
        and (share := shares(readme, tokenizer))
    ]
    if not found:
        say(f"{options.folder} has no package whose README can be compared with its description")
        return
    summary, beginning = (fmean(column) for column in zip(*found, strict=True))
    say(f"{len(found)} READMEs: {summary:.3f} in summaries without a query, {beginning:.3f} in the beginning")


if __name__ == "__main__":
    main()
