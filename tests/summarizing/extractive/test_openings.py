"""Where nothing is asked for, the opening of a text is in its summary, be it at its beginning or behind front matter."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.importance import LEAD_IMPORTANCE, importance
from summarizing.extractive.line_kinds import NO_KINDS
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

FRONT = """\
Frequently Asked Questions about tarn

This file contains questions and the answers to them.

Vic Abell <abe@example.org>
October 13, 2014

Table of Contents:

1.1\tWhat is it?
1.2\tWhere do I get it?
1.3\tWhich ports does it need?
"""

QUESTIONS = """\

1.1\tWhat is it?

\tTarn is a tool for ponds.  Its name stands for Two Arms and a
\tNet, and it does just that.

1.2\tWhere do I get it?

\tFrom ftp://tarn.example.org/pub/tools/tarn of the University of Ashmere, since 12 May 2009.

1.3\tWhich ports does it need?

\tTCP 4117 and UDP 4118 from 10.17.4.9, and TCP 4119 for the status page of version 4.89.

"""
MORE = "".join(
    f"2.{number}\tWhy does port {4200 + number} fail?\n\n\tError E{number}17 of version 4.{number} means that"
    f" /etc/tarn/{number}.conf has no line for port {4200 + number}.\n\n"
    for number in range(1, 40)
)


def test_a_summary_without_a_query_says_what_the_text_is_about(tokenizer: Tokenizer) -> None:
    contents = "".join(f"2.{number}\tWhy does port {4200 + number} fail?\n" for number in range(1, 40))
    text = extract(FRONT + contents + QUESTIONS + MORE, 200, "", tokenizer).text
    assert "Tarn is a tool for ponds." in text


LOGO = """\
<p align="center">
  <a href="https://tarn.example.org/">
    <picture>
      <source media="(prefers-color-scheme: dark)" srcset="https://tarn.example.org/dark.svg">
      <img
        src="https://tarn.example.org/light.svg"
        alt="A pond"
      />
    </picture>
  </a>
</p>

"""
FIELDS = (
    "".join(
        f"Classifier: Use in {place}, 12 May 20{year}\n"
        for year, place in enumerate(("ponds", "lakes", "seas", "mills"), 10)
    )
    + "\n"
)
BADGES = "|tests| |version|\n\n.. |tests| image:: https://tarn.example.org/tests.svg\n\n"


@pytest.mark.parametrize(
    "front, opening",
    [
        ("", "Keep ponds clean and calm."),
        ("", "**Keep your ponds clean and calm.**"),
        ("", "> Clean and calm ponds"),
        (LOGO, "Keep ponds clean and calm."),
        (BADGES, "Keep ponds clean and calm."),
        (FIELDS, "Keep ponds clean and calm."),
    ],
)
def test_an_opening_without_any_value_is_told_though_the_rest_has_many(
    front: str, opening: str, tokenizer: Tokenizer
) -> None:
    text = extract(f"{front}{opening}\n\n{QUESTIONS}{MORE}", 200, "", tokenizer).text
    assert opening in text.split("1.1")[0]
    assert "<" not in text


@pytest.mark.parametrize(
    "contents, openings",
    [
        ("", "Ann Boats Chapter"),
        ("- Boats\n- Oars\n- Sails\n- Masts\n- Hulls\n", "Ann Boats Chapter These They And"),
        # What stands before it is more.
        ("- Boats\n- Oars\n", "Ann Boats Chapter"),
    ],
)
def test_behind_a_table_of_contents_that_is_longer_than_what_stands_before_it_a_text_opens_again(
    contents: str, openings: str
) -> None:
    front = "Ann Lee wrote this book.\n\nBoats of all kinds are in it.\n\nChapter one is about boats.\n\n"
    titles = "".join(
        f"# {title}\n\nThese are old. They are in the mill. And the mill is old.\n\nNobody knows it.\n\n"
        for title in ("Boats", "Oars", "Sails", "Masts", "Hulls")
    )
    document = parse(front + contents + "\n" + titles)
    found = importance(document, NO_KINDS)
    best = [document.of(index) for index, worth in enumerate(found) if worth == max(found)]
    assert " ".join(text.split()[0] for text in best) == openings


@pytest.mark.parametrize("sign", ["# {}", "**{}**", "{}:\n----------", "# {}: the pond"])
@pytest.mark.parametrize("title", ["Summary", "Executive Summary"])
def test_what_stands_below_a_title_of_a_summary_matters_as_an_opening_does(sign: str, title: str) -> None:
    text = "The pond is north of the mill. It is deep. It is cold. Nobody swims in it."
    document = parse(f"{sign.format('Ponds')}\n\n{text}\n\n{sign.format(title)}\n\n{text}\n")
    matters = importance(document, NO_KINDS)
    assert [matters[at] for at, one in enumerate(document.segments) if one.kind is SegmentKind.SENTENCE] == [
        *[LEAD_IMPORTANCE] * 3,
        1.0,
        *[LEAD_IMPORTANCE] * 4,
    ]


def test_what_a_readme_folds_away_is_no_summary_of_it() -> None:
    """The tag of its title is called so, in any case of its letters."""
    text = (
        "# tarn\n\nTells ponds from lakes. It makes nets that only catch what lives in ponds.\n\n## Usage\n\nCall it with a name.\n\n"
        "## About\n\n<details>\n<summary><strong>Running tests</strong></summary>\n\nReviewing the tests is a great way to get familiar with it.\n\n</details>\n"
    )
    for written in (text, text.replace("summary>", "Summary>").replace("details>", "DETAILS>")):
        document = parse(written)
        weights = dict(
            zip(map(document.of, range(len(document.segments))), importance(document, NO_KINDS), strict=True)
        )
        assert weights["It makes nets that only catch what lives in ponds."] == LEAD_IMPORTANCE
        assert weights["Reviewing the tests is a great way to get familiar with it."] < LEAD_IMPORTANCE


MINUTES = """\
# Harbour software group, 12 November 2026

The meeting opened at 10:02 in room 4. Bo had trouble with his microphone and joined again at 10:06. Coffee was served in the break.

## Pilot booking service

Dagny showed the new calendar. Emil asked if the colours could be changed for people who cannot tell red from green. Dagny said she would look at
it when she has time. Fay mentioned that the pilots in Lund liked the old list view. After some discussion it was agreed to switch the booking
service to the new calendar on 1 February 2027.

## Tide data

Bo reported that the tide API was down for 40 minutes on 3 November. The provider has apologised. Cyril knows somebody who works there. We agreed to
cache tide tables for 14 days. Emil told a story about a tide table from 1911.

## Budget

Ada presented figures. Hosting cost 1,240 euros in October, against 1,180 in September. Fay asked about the price of the map tiles. Nobody knew. It
was decided to cancel the second staging cluster by the end of the month, which saves 310 euros a month.

## Any other business

The Christmas lunch is on 17 December. The plants in the corridor need water. Bo will bring the ladder back.

- Action: Cyril writes to the pilots by 20 November.

The meeting closed at 11:31.
"""


def test_of_minutes_it_is_told_what_was_decided(tokenizer: Tokenizer) -> None:
    told = extract(MINUTES, 220, "", tokenizer).text
    assert "new calendar on 1 February 2027" in told
    assert "We agreed to cache tide tables for 14 days." in told
    assert "It was decided to cancel the second staging cluster" in told
    assert "Cyril writes to the pilots by 20 November." in told


README = (
    """\
# tarn

Tarn counts the fish of a pond from its pictures. It runs on a telephone, and needs no network.

## Features

"""
    + "".join(
        f"- Knows kind {number} of fish, which is seldom seen in ponds of more than {number * 7} square metres.\n"
        for number in range(20)
    )
    + """
## Installation

```sh
npm install tarn
```

## Usage

```js
const tarn = require('tarn')
const fish = await tarn.count('pond.jpg')
```

## Options

"""
    + "".join(
        f"- `--option-{number}`: changes limit {number} of the count, by default {number * 13}.\n"
        for number in range(20)
    )
)


def test_of_a_readme_it_is_told_what_it_is_how_it_is_got_and_how_it_is_used(tokenizer: Tokenizer) -> None:
    told = extract(README, 160, "", tokenizer).text
    assert "Tarn counts the fish of a pond from its pictures." in told
    assert "## Installation\n\n```sh\nnpm install tarn\n```" in told
    assert "const fish = await tarn.count('pond.jpg')" in told


def test_a_title_that_names_something_else_beside_its_use_gives_way_to_one_that_does_not(
    tokenizer: Tokenizer,
) -> None:
    others = (
        "## Do not install this way\n\n```sh\ncurl http://tarn.example | sh\n```\n\n"
        "## Terms of use\n\n```\nNo warranty.\n```\n\n## Features\n"
    )
    told = extract(README.replace("## Features\n", others), 90, "", tokenizer).text
    assert "npm install tarn" in told
    assert "tarn.count('pond.jpg')" in told


def importances(text: str) -> dict[str, float]:
    document = parse(text)
    said = map(document.of, range(len(document.segments)))
    return dict(zip(said, importance(document, NO_KINDS), strict=True))


@pytest.mark.parametrize(
    "head, decision",
    [
        ("Minutes of the harbour board", "The board has finally decided on a second crane."),
        (
            "Protokoll der Hafensitzung, Sitzung 4",
            "Der Vorstand hat nach langem Reden einen zweiten Kran beschlossen.",
        ),
        ("Team meeting on Monday", "**Action**: Emil orders a second crane."),
        (
            "R\u00e9union du port",
            "Apr\u00e8s un d\u00e9bat, le comit\u00e9 a enfin adopt\u00e9 une seconde grue.",
        ),
    ],
)
def test_minutes_in_other_words_have_what_was_decided_first(head: str, decision: str) -> None:
    talk = "".join(
        f"The members talked of pier {at} for long. Somebody showed slides of it.\n\n" for at in range(9)
    )
    assert importances(f"# {head}\n\n{talk}{decision}\n\n{talk}")[decision] == LEAD_IMPORTANCE
    told = importances(f"# Walks by the sea\n\n{talk}{decision}\n\n{talk}")[decision]
    assert told < LEAD_IMPORTANCE


@pytest.mark.parametrize("said", ["She agreed to meet him at gate {}.", "**Action:** click on button {}"])
def test_what_much_of_a_text_has_tells_no_decision(said: str) -> None:
    parts = [f"{said.format(at)}\n\nThe rain fell on town {at}.\n\n" for at in range(20)]
    weights = importances(f"# The meeting\n\n{''.join(parts)}")
    assert weights[said.format(12)] < LEAD_IMPORTANCE
