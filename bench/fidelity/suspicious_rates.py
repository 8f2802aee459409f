"""How many public injected texts are marked, and how many harmless pages about language models: both rates, printed.

Run it as `python -m bench.fidelity.suspicious_rates COLLECTIONS PAGES`, two folders as public_texts.py explains them. `--list` prints
what was marked of the pages, to be read by hand. Names and texts are split into two halves by their hash: `--half 0` is for developing.
"""

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

from bench.fidelity.public_texts import COLLECTIONS, pages, payloads
from bench.output import say
from summarizing.sanitizing.suspicious import find_suspicious


def is_in(half: str, text: str) -> bool:
    """Whether a text belongs to a half: "0", "1" or "all"."""
    return half == "all" or str(hashlib.sha256(text.encode()).digest()[-1] % 2) == half


def print_found(folder: Path, half: str) -> None:
    """Print for each collection how many of its texts are marked."""
    found = payloads(folder)
    for each in COLLECTIONS:
        texts = [text for text in found.get(each.name, []) if is_in(half, text)]
        marked = sum(bool(find_suspicious(text)) for text in texts)
        say(f"{each.name} ({each.source}, {each.version}, {each.licence}): {marked} of {len(texts)} marked")


def print_harmless(folder: Path, half: str, *, is_listing: bool) -> None:
    """Print how many harmless pages are marked."""
    marked = total = 0
    for page in pages(folder):
        if not is_in(half, page.name):
            continue
        passages = find_suspicious(page.text)
        total, marked = total + 1, marked + bool(passages)
        for passage in passages if is_listing else ():
            say(f"  {page.name}: {passage.wording}: {page.text[passage.start : passage.end]!r}")
    say(f"harmless pages: {marked} of {total} marked")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collections", type=Path)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--half", choices=("0", "1", "all"), default="all")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    print_found(options.collections, options.half)
    print_harmless(options.pages, options.half, is_listing=options.list)


if __name__ == "__main__":
    main()
