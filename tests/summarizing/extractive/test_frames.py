"""What says nothing without something else is not chosen by itself: introductory lines, lone numbers, an index's letters."""

from collections.abc import Sequence

import pytest

from summarizing.extractive.concepts import frames
from summarizing.extractive.scored_text import ScoredText
from summarizing.facts.text_reading import Reading
from summarizing.text.document import Document, Segment, SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer


def chosen_alone(text: str) -> list[str]:
    """Return the segments of a text that may be chosen by themselves."""
    reading = Reading(parse(text))
    held = frames(reading.document, reading.facts_of)
    return [
        reading.document.of(index) for index in range(len(reading.document.segments)) if index not in held
    ]


@pytest.mark.parametrize(
    "text",
    [
        '- The "mode" can be:\n- "r" for reading\n- "w" for writing\n',
        "3.\n\nThe third one is about pumps, and what they are for.\n",
        "Jump to: B C F P\n\nThe pump is by the river, and the mill is by the pump.\n",
    ],
)
def test_what_says_nothing_by_itself_is_not_chosen_alone(text: str) -> None:
    found = chosen_alone(text)
    assert found
    assert not any(one.endswith((":", "3.")) or one.startswith("Jump") for one in found)


FENCED = """\
# Install

```sh
npm install pump
```

or

```sh
yarn add pump
```

In other shells, type

```sh
corepack add pump
```

and restart it.
"""


def test_words_between_blocks_of_code_come_with_those() -> None:
    document = parse(FENCED)
    needed = {document.of(index): document.requirements(index) for index in range(len(document.segments))}
    codes = [index for index, one in enumerate(document.segments) if one.kind is SegmentKind.CODE]
    assert not {"or", "In other shells, type"} & set(chosen_alone(FENCED))
    assert codes[0] in needed["or"]
    assert codes[2] in needed["and restart it."]


def test_a_line_that_joins_two_examples_comes_with_the_second() -> None:
    text = "Fill it:\n\n  pump --fill now\n\nor even\n\n  pump --fill later\n\nThe tank is full then.\n"
    assert "or even" not in chosen_alone(text)


def test_values_behind_a_colon_may_be_chosen() -> None:
    assert chosen_alone("Grades: B A C\n\nSizes: 1 2 3\n") == ["Grades: B A C", "Sizes: 1 2 3"]


OPTIONS = """\
BindAddress
  Which address of this machine the connection comes from, where it has more than one.

ConnectTimeout
  The server is waited for 30 seconds, unless something else is said here or on the command line.

ForwardAgent
  Whether the connection to the agent is forwarded to the machine at the other end of it.
"""


@pytest.mark.parametrize(
    "query, bare", [("how long is the server waited for", False), ("which options are there", True)]
)
def test_a_term_comes_without_its_description_only_where_its_kind_is_asked_for(
    query: str, *, bare: bool, tokenizer: Tokenizer
) -> None:
    found = ScoredText(Reading.of(OPTIONS), query, tokenizer).summary(40).text
    assert ("ForwardAgent [...]" in found) is bare
    assert "30 seconds" in found


# After tar(1) and tcp(7).
PERMISSIONS = """\
HANDLING OF FILE ATTRIBUTES

       -p, --preserve-permissions, --same-permissions
              Set permissions of extracted files to those recorded in the archive (default for superuser).

       --same-owner
              Try extracting files with the same ownership as exists in the archive (default for superuser).

       --sort=ORDER
              When creating an archive, sort directory entries according to ORDER, which is one of none, name, or inode.

       tcp_retries1 (integer; default: 3)
              How often a lost segment is sent again before the network layer is told.

COMPRESSION OPTIONS

       -J, --xz
              Filter the archive through xz(1), as the suffix of its name says.
"""


@pytest.mark.parametrize(
    "query, bare",
    [
        ("preserve permissions", ["tcp_retries1 (integer; default: 3)"]),
        # "set" names settings, and may be meant as a verb: what has no other word of the query is no answer either.
        ("set the ownership", []),
        ("which options compress", ["-J, --xz"]),
    ],
)
def test_a_name_alone_answers_nothing_but_a_query_that_asks_for_it(
    query: str, bare: Sequence[str], tokenizer: Tokenizer
) -> None:
    scored = ScoredText(Reading.of(PERMISSIONS), query, tokenizer)
    document, candidates = scored.document, scored.candidates
    named = [document.of(index) for index in range(len(document.segments)) if document.of(index)[:1] in "-t"]
    assert len(named) == 5
    assert [
        document.of(index)
        for index in candidates.worthy(range(len(document.segments)))
        if document.of(index) in named
    ] == bare


@pytest.mark.parametrize(
    "line, is_held",
    [("Fixes of HTTP in 2.35", True), ("Those of HTTP 2.35 are these.", False)],
)
def test_a_title_over_items_comes_with_one_of_them_even_if_its_facts_may_be_asked_for(
    line: str, *, is_held: bool
) -> None:
    item = "* A request that comes late is answered."
    segments = [
        Segment(0, len(line), SegmentKind.LINE),
        Segment(len(line) + 2, len(line) + 2 + len(item), SegmentKind.ITEM, parent=0),
    ]
    document = Document(f"{line}\n\n{item}", segments)
    assert frames(document, [["2.35"], []], asked=[0, 1]) == ({0} if is_held else set())


QUOTED_MAIL = """\
From: Petra Lindqvist <petra@norrfrakt.example>
To: ops@norrfrakt.example
Cc: Tomasz Biel <tomasz@norrfrakt.example>
Date: Tue, 17 Nov 2026 08:12:44 +0100
Subject: Re: Re: Cold store 3 - compressor swap
Message-ID: <b81f@norrfrakt.example>

Hi all,

quick update after yesterday's call. The supplier moved the delivery of the compressor from Thursday to Monday 23 November, since the truck from Gothenburg is full. We therefore have to keep cold store 3 empty over the weekend.

Tomasz, please move the 46 pallets of salmon to store 1 before Friday 14:00. It has room for 60 pallets; the temperature there must not go above -20 °C while you do it.

The costs go up by 8,400 SEK (overtime on Monday night). Anna has approved them.

I still need an answer from you about the alarm contract: it ends on 30 November, and without a renewal nobody is called at night.

Best,
Petra

On Mon, 16 Nov 2026 at 17:40, Tomasz Biel <tomasz@norrfrakt.example> wrote:
> Petra,
>
> the compressor will come on Thursday, they promised it. I can start to empty
> store 3 on Wednesday evening.
>
> Do we need a second forklift? Ours is at the workshop until Friday.
>
> Tomasz
>
> On Mon, 16 Nov 2026 at 09:02, Petra Lindqvist <petra@norrfrakt.example> wrote:
>> Hello Tomasz,
>>
>> the compressor of cold store 3 makes noise again. The technician measured
>> 14 bar instead of 9. He says it may fail within two weeks.
>>
>> Petra

--
Petra Lindqvist
Head of Operations, Norrfrakt AB
Hamngatan 12, Luleå
This e-mail is confidential. If you are not the intended recipient, please delete it.
"""


def test_who_is_greeted_or_signs_in_a_quotation_is_not_chosen_alone() -> None:
    chosen = chosen_alone(QUOTED_MAIL)
    assert "the compressor of cold store 3 makes noise again." in chosen
    assert {"Petra,", "Tomasz", "Hello Tomasz,"}.isdisjoint(chosen)


# After the README of @vitejs/plugin-react.
ALERTS = """\
## Compiler

> [!WARNING]
> Native React Compiler support is experimental.

The `compiler` option uses a port of the compiler, which must be installed as an optional peer dependency of this package.

> [!TIP] Presets
>
> The preset is only a convenient helper with a preconfigured filter, which can be replaced by one of your own.

Restart it then.
"""


def test_the_label_of_an_alert_comes_with_what_it_stands_over_and_with_nothing_else() -> None:
    document = parse(ALERTS)
    label = {document.of(at): at for at in range(len(document.segments)) if "[!" in document.of(at)}
    assert list(label) == ["[!WARNING]", "[!TIP] Presets"]
    assert not label.keys() & set(chosen_alone(ALERTS))
    below = {
        name: [document.of(at) for at, one in enumerate(document.segments) if one.parent == index]
        for name, index in label.items()
    }
    assert below == {
        "[!WARNING]": ["Native React Compiler support is experimental."],
        "[!TIP] Presets": [
            "The preset is only a convenient helper with a preconfigured filter, which can be replaced by one of your own."
        ],
    }
