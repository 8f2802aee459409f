"""Mails in one text: what one writes is told under the head of that mail, and under no other one's."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import Document, SegmentKind
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, texts_of
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear

WRITERS = ("Ada Ash", "Otto Oak", "Eva Elm", "Bo Birch")
FOOT = f"{'_' * 47}\nBoat-list mailing list\nboat-list@pier.example"


def _mail(
    number: int,
    body: str,
    *,
    envelope: str = "From boat-list-bounces@pier.example  Mon Sep {0:02} 12:06:12 2002\n",
) -> str:
    name = WRITERS[number % len(WRITERS)]
    return (
        f"{envelope.format(number + 1)}Received: from pier{number}.example (pier [127.0.0.1]) by\n\tboats.example (Postfix) with ESMTP id CB{number};\n"
        f"\tMon, 23 Sep 2002 12:06:11 +0100 (IST)\nFrom: {name} <{name[0].lower()}@boats.example>\nTo: boat-list@pier.example\n"
        f"Subject: Re: boat {number}\nDate: Mon, 2{number} Sep 2002 10:00:00 +0200\n\n{body}\n\n"
    )


BODIES = (
    "The oar of boat one is light, and I row it\nevery day.\n\nMatthias",
    "> The oar of boat one is light, and I row it\n> every day.\n\nMine is heavy, since it is made of oak.\n\n# apt-get install oar\n\nMatthias",
    f"The sail of boat three is red.\n\nLance\n\n-- \nEva Elm, keeper of the pier\nBoats are built here.\n\n{FOOT}",
    "Nobody rows boat four.\n\n-- end --\n\nMatthias",
)
ENVELOPES = ["From boat-list-bounces@pier.example  Mon Sep {0:02} 12:06:12 2002\n", "From ada at boats.example  Mon Sep {0:02} 12:06 2002\n", "Message: {0}\n", ""]  # fmt: skip


def _above(document: Document, words: str) -> list[str]:
    index = next(at for at, one in enumerate(texts_of(document)) if words in one)
    return [document.of(one) for one in document.above(index)]


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_what_is_written_hangs_on_who_wrote_it_and_when(envelope: str) -> None:
    document = check_laws(
        "".join(_mail(number, body, envelope=envelope) for number, body in enumerate(BODIES))
    )
    for number, words in enumerate(("I row it", "Mine is heavy", "The sail", "Nobody rows")):
        above = _above(document, words)
        name = WRITERS[number]
        assert f"From: {name} <{name[0].lower()}@boats.example>" in above
        assert f"Date: Mon, 2{number} Sep 2002 10:00:00 +0200" in above
        assert not any(other in one for one in above for other in WRITERS if other != name)
    assert sum(one.kind is SegmentKind.HEADING for one in document.segments) == len(BODIES)


HEAD = ("Received", "From", "Date", "To", "Subject")


def test_a_folded_field_is_kept_whole_and_the_fields_of_its_way_are_marginal() -> None:
    document = check_laws("".join(map(_mail, range(4), BODIES)))
    told = {document.of(at).partition(":")[0]: one.is_marginal for at, one in enumerate(document.segments)}
    assert [name for name, is_marginal in told.items() if not is_marginal and name in HEAD] == ["Subject"]
    assert told["Received"]
    assert any("by\n\tboats.example (Postfix)" in document.of(at) for at in range(len(document.segments)))


def test_signatures_and_the_feet_of_lists_are_marginal() -> None:
    document = check_laws("".join(map(_mail, range(4), BODIES)))
    marginal = [document.of(at) for at, one in enumerate(document.segments) if one.is_marginal]
    assert {"Boats are built here.", "Boat-list mailing list"} <= set(marginal)
    assert not any("sail" in one or "Mine" in one for one in marginal)


RULE = "=" * 50


@pytest.mark.parametrize(
    "body",
    [
        f"{RULE}\nNEWS OF THE BOATS\n{RULE}\n\nThe mast of boat nine is new.",
        f"Hello,\n\n{RULE}\nNEWS OF THE BOATS\n{RULE}\n\nThe mast of boat nine is new.",
        f"The news of the boats\n{RULE}\n- The mast of boat nine is new.",
    ],
)
def test_a_title_between_rules_or_above_one_begins_no_foot(body: str) -> None:
    document = check_laws(_mail(0, f"{body}\n\nMatthias\n\n{FOOT}") + _mail(1, BODIES[0]))
    marginal = [document.of(at) for at, one in enumerate(document.segments) if one.is_marginal]
    assert "Boat-list mailing list" in marginal
    assert not any("mast" in one for one in marginal)
    assert "From: Ada Ash <a@boats.example>" in _above(document, "The mast")


def test_a_summary_names_the_writer_of_what_it_tells() -> None:
    text = "".join(_mail(number, BODIES[number % 4].replace("boat", f"boat{number}")) for number in range(40))
    told = extract(text, 400, "who says that a boat is heavy and made of oak", the_tokenizer()).text
    assert "Mine is heavy" in told
    for part in told.split("From boat-list-bounces")[1:]:
        assert ("Mine is heavy" in part) <= ("From: Otto Oak" in part)


FORWARDED = (
    "Please read this.\n\n-----Original Message-----\nFrom: Ina Ivy <ina@ivy.example>\nSent: Monday\nTo: Ada\nSubject: masts\n\n"
    "The mast is broken.\n"
)


def test_a_mail_within_another_one_has_its_own_writer() -> None:
    document = check_laws(_mail(0, FORWARDED) + _mail(1, BODIES[0]))
    assert "From: Ina Ivy <ina@ivy.example>" in _above(document, "The mast")
    above = _above(document, "Please read")
    assert "From: Ada Ash <a@boats.example>" in above
    assert not any("Ivy" in one for one in above)
    assert not any("Ivy" in one for one in _above(document, "I row it"))


def test_the_signature_of_a_mail_within_another_one_is_no_title() -> None:
    inner = "Forwarded:\n\nFrom: Ina Ivy\nDate: Monday\nSubject: masts\n\nThe mast is broken.\n\n-- \nIna, of the pier\n"
    document = check_laws(_mail(0, inner) + _mail(1, BODIES[0]))
    marginal = [document.of(at) for at, one in enumerate(document.segments) if one.is_marginal]
    assert "Ina, of the pier" in marginal
    assert sum(one.kind is SegmentKind.HEADING for one in document.segments) == 3


@pytest.mark.parametrize("begin", ["```", "~~~~", "    code::"])
def test_what_one_mail_opens_ends_with_it(begin: str) -> None:
    document = check_laws(_mail(0, f"{begin}\nint oar = 1;") + _mail(1, BODIES[0]))
    assert "From: Otto Oak <o@boats.example>" in _above(document, "I row it")


def test_from_at_the_beginning_of_a_line_is_no_quotation() -> None:
    words = "It is light.\n\n>From what I can tell after two days of use, this one breaks nothing\nat all.\n\n> Who else?\n"
    document = check_laws(_mail(0, words) + _mail(1, BODIES[0]))
    assert any("nothing\nat all." in document.of(at) for at in range(len(document.segments)))


@pytest.mark.parametrize(
    "text",
    [
        "The fields of a mail are these:\n\nFrom: who wrote it\nDate: when\n\nThe text follows.\n",
        "From: Ada\nDate: Monday\n\nWords of one mail.\n",
        "name: oar\nfrom: ash\ndate: 2002-09-23\n",
        "".join(f"From: ash {at}\nTo: oak\nDate: 2002-09-23\nSum: {at}\n\n" for at in range(5)),
        "".join(
            f"From: ash {at}\nDate: 2002-09-23\n\nThe boat of ash rows from there.\n\n" for at in range(5)
        ),
    ],
)
def test_fields_alone_make_no_mailbox(text: str) -> None:
    assert not any(one.level < 0 for one in check_laws(text).segments)


@pytest.mark.timed
def test_reading_mails_is_linear() -> None:
    assert is_linear(lambda size: parse("".join(_mail(at % 20, BODIES[at % 4]) for at in range(size))), 50)


THREAD = """\
From: Petra Lindqvist <petra@norrfrakt.example>
To: ops@norrfrakt.example
Cc: Tomasz Biel <tomasz@norrfrakt.example>
Date: Tue, 17 Nov 2026 08:12:44 +0100
Subject: Re: Re: Cold store 3 - compressor swap
Message-ID: <b81f@norrfrakt.example>
User-Agent: Thunderbird 128.4

Hi all,

quick update after yesterday's call. The supplier moved the delivery of the compressor from Thursday to Monday 23 November, since the truck from Gothenburg is full. We therefore have to keep cold store 3 empty over the weekend.

The costs go up by 8,400 SEK (overtime on Monday night). Anna has approved them.

On Mon, 16 Nov 2026 at 17:40, Tomasz Biel <tomasz@norrfrakt.example> wrote:
> Petra,
>
> the compressor will come on Thursday, they promised it. I can start to empty
> store 3 on Wednesday evening.
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
"""


@pytest.mark.parametrize(
    "target, query", [(80, ""), (120, ""), (160, ""), (80, "what was moved to another day?")]
)
def test_of_the_head_of_a_single_mail_it_is_told_who_wrote_it_when_and_about_what(
    target: int, query: str
) -> None:
    told = extract(THREAD, target, query, the_tokenizer()).text
    head, _, body = told.partition("\n\n")
    assert [line.partition(":")[0] for line in head.split("\n")] == ["From", "Date", "Subject"]
    assert "moved the delivery" in body


def test_who_gets_a_mail_is_told_where_it_is_asked_for() -> None:
    told = extract(THREAD, 80, "who gets a copy, Cc?", the_tokenizer()).text
    assert "Cc: Tomasz Biel <tomasz@norrfrakt.example>" in told


def test_it_is_not_counted_how_many_fields_of_a_head_are_left_out() -> None:
    text = "".join(_mail(number, body) for number, body in enumerate(BODIES))
    assert "left out]" not in extract(text, 150, "who rows boat four", the_tokenizer()).text


def test_a_name_in_a_quotation_is_no_title() -> None:
    for text in (THREAD, THREAD.partition("\n\n")[2]):
        document = check_laws(text)
        (name,) = (one for at, one in enumerate(document.segments) if document.of(at) == "Tomasz")
        assert name.kind is SegmentKind.LINE
        assert document.of(name.parent).startswith("On Mon, 16 Nov 2026 at 17:40, Tomasz Biel")


OFFER = """\
On Wed, 11 Jun 2025 at 09:15, Hui Lin <hui@acme.example> wrote:
> Dear Ingrid,
>
> I am afraid the grating did not pass our own test: stray light is 0.06 %
> where we promise 0.02 %. A new one comes from Jena on 24 June.
> That moves the delivery by six days. I am sorry about this.
>
> Please tell me which one you prefer.
>
> Hui Lin
"""
ANSWERED = """\
>
> On Tue, 10 Jun 2025 at 17:02, Ingrid Solberg
> <ingrid@fjordlab.example> wrote:
>> Our lab is closed from 7 July to 28 July. So the instrument must be
>> accepted before the 7th, otherwise the grant lapses.
"""


@pytest.mark.parametrize("answered", ["", ANSWERED])
def test_a_quoted_sentence_is_told_under_who_wrote_it(answered: str) -> None:
    told = extract(OFFER + answered, 70, "stray light", the_tokenizer()).text
    assert told.startswith("On Wed, 11 Jun 2025 at 09:15, Hui Lin <hui@acme.example> wrote:\n\n> I am afraid")
    assert "stray light is 0.06 % where we promise 0.02 %. [...]" in told


REPLY = """\
Hi Hui,

thank you for the call. We agree to the delivery on 3 July.

Paul will book the loading dock from 8 to 11.

Best regards,

Ingrid
--
Ingrid Solberg
Head of Procurement
Tel. +47 22 00 11 22

"""
OUTLOOK = """\
Hi Ingrid,

I checked with Hui, the discount is fine for us.

Paul

{rule}
From: Ingrid Solberg <ingrid@fjordlab.example>
Sent: Friday, June 13, 2025 8:05 AM
Subject: RE: Delivery

Does the dock take a lorry of 12 m? The driver asks.

Ingrid

{rule}
From: Paul Mensah <paul@fjordlab.example>
Sent: Thursday, June 12, 2025 5:31 PM
Subject: Delivery

The dock is booked from 8 to 11.

Paul
"""
SAID = [
    "thank you for the call.",
    "We agree to the delivery on 3 July.",
    "Paul will book the loading dock from 8 to 11.",
]


def _marginal(document: Document) -> list[str]:
    return [document.of(at) for at, one in enumerate(document.segments) if one.is_marginal]


@pytest.mark.parametrize("head", ["", THREAD.partition("\n\n")[0] + "\n\n"])
def test_greetings_closings_and_signatures_say_nothing_alone(head: str) -> None:
    document = check_laws(head + REPLY + OFFER + ANSWERED)
    found = _marginal(document)
    assert found[len(found) - 9 :] == [
        "Hi Hui,",
        "Best regards,",
        "Ingrid",
        "--",
        "Ingrid Solberg",
        "Head of Procurement",
        "Tel. +47 22 00 11 22",
        "Dear Ingrid,",
        "Hui Lin",
    ]
    told = extract(head + REPLY + OFFER, 110, "", the_tokenizer()).text
    assert all(one in told for one in SAID)
    assert not any(one in told for one in ("Hi Hui", "Ingrid\n", "47 22"))


def test_two_dashes_far_above_the_end_of_a_mail_begin_no_signature() -> None:
    said = [f"Boat {number} is mended, and lies at the pier." for number in range(12)]
    document = check_laws(
        f"{THREAD.partition('Hi all')[0]}{SAID[0]}\n\n--\n\n" + "\n\n".join(said) + f"\n\n{OFFER}"
    )
    assert not set(said) & set(_marginal(document))


@pytest.mark.parametrize("rule", ["_" * 32, "-----Original Message-----"])
def test_a_mail_below_a_rule_or_a_line_about_it_is_one_of_its_own(rule: str) -> None:
    document = check_laws(OUTLOOK.format(rule=rule))
    assert _above(document, "Does the dock")[-1] == "From: Ingrid Solberg <ingrid@fjordlab.example>"
    assert _above(document, "The dock is booked")[-1] == "From: Paul Mensah <paul@fjordlab.example>"
    assert {"Hi Ingrid,", "Paul", rule, "Ingrid"} <= set(_marginal(document))


@pytest.mark.parametrize(
    "text",
    [
        "Boats\n\nThe oldest saying of the pier:\n\n> Dear boats,\n>\n> nobody rows you home, and nobody will.\n>\n> Old Oak\n",
        "On 3 July Hui wrote:\n\n> Ash\n>\n> Oak,\n>\n> Elm\n",
        "On 3 July Hui wrote:\n\n> We have these boats, and no other ones:\n>\n> Ash 3, Oak 4\n",
    ],
)
def test_short_lines_say_something_where_nothing_else_is_said_or_nobody_wrote_a_mail(text: str) -> None:
    assert _marginal(check_laws(f"{text}\nAll of the boats are at the pier, and nobody rows them.\n")) == []


def test_where_the_writer_is_found_stands_in_a_closing() -> None:
    closing = "Kind regards\n> Peter Fox\n> Supplier Ltd, 14 Mill Road, Leeds"
    quoted = f"> You are right, we billed 14 seats in place of 12.\n>\n> {closing}\n"
    text = f"Thanks, we got the note.\n\nOn Tue, 17 Nov 2026, Peter Fox wrote:\n{quoted}"
    marginal = {
        one for one, it in zip(texts_of(parse(text)), parse(text).segments, strict=True) if it.is_marginal
    }
    assert marginal == {line.removeprefix("> ") for line in closing.split("\n")}


def test_what_a_list_at_the_end_orders_is_no_closing() -> None:
    order = [
        "Blue paint",
        "Copper nails",
        "12 planks of larch, 4 m each",
        "2 ropes of hemp, 20 m each",
        "40 hooks",
    ]
    head = "From: Tor Berg <tor@example.org>\nSubject: Order\nDate: Mon, 3 Jun 2024 10:00:00 +0200\n"
    document = parse(f"{head}\nPlease order what stands below before Friday.\n\n" + "\n".join(order) + "\n")
    told = " ".join(document.of(at) for at, one in enumerate(document.segments) if not one.is_marginal)
    assert "12 planks of larch" in told
