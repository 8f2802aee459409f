"""The judge of real texts: what a mail says stands under its own head, and what it quotes has the signs of that."""

import pytest

from bench.real_texts.checks import faults
from bench.real_texts.source_layout.layout import read

ENVELOPE = "From list@pier.example  Mon Sep {0:02} 12:06:12 2002\n"


def _mails(envelope: str) -> str:
    return "".join(
        f"{envelope.format(at)}Received: from pier.example by boats.example with ESMTP id 2{at}F4A5B6C7D8;\n\tMon, 23 Sep 2002 12:06:11 +0100\n"
        f"From: {name} <a@pier.example>\nDate: {at} Sep 2002\n\nThe oar of {name} is light.\n\n"
        f"> Is the sail of {name} red?\n\n# apt-get install sails\n\nMatthias\n\n"
        for at, name in enumerate(("Ada", "Otto", "Eva"), 1)
    )


MAILS = _mails(ENVELOPE)
HEADS = [ENVELOPE.format(at) + f"From: {name} <a@pier.example>\nDate: {at} Sep 2002\n\n" for at, name in enumerate(("Ada", "Otto", "Eva"), 1)]  # fmt: skip


@pytest.mark.parametrize(
    "summary",
    [
        f"{HEADS[0]}# apt-get install sails\n\n{HEADS[1]}The oar of Otto is light.",
        f"{HEADS[0]}Matthias\n\n{HEADS[2]}> Is the sail of Eva red?",
        f"{ENVELOPE.format(1)}Received: from pier.example by boats.example with ESMTP id 21F4A5B6C7D8;\n\tMon, 23 Sep 2002 12:06:11 +0100",
    ],
)
def test_a_mail_under_its_own_head_is_right(summary: str) -> None:
    found = faults(read(MAILS), summary)
    assert (found.attributions, found.broken) == ([], [])


@pytest.mark.parametrize(
    "summary",
    [
        f"{HEADS[0]}The oar of Otto is light.",
        f"{HEADS[0]}The oar of Ada is light.\n\n> Is the sail of Eva red?",
        f"{HEADS[0]}Is the sail of Ada red?",
        f"{HEADS[0]}> The oar of Ada is light.",
        f"{ENVELOPE.format(1)}From: Otto <a@pier.example>",
    ],
)
def test_a_mail_under_the_head_of_another_one_or_with_its_signs_is_wrong(summary: str) -> None:
    assert faults(read(MAILS), summary).attributions


def test_mails_without_envelopes_begin_with_the_first_field() -> None:
    source = read(_mails("").replace("Received", "X-Pier's: x\nReceived", 1))
    assert sum(line.heading > 0 for line in source.lines) == 3


def test_the_fields_of_one_head_are_no_titles() -> None:
    assert not any(line.heading for line in read("From: Ada\nDate: 1 Sep 2002\n\nAn oar.\n").lines)


INDENTED = (
    "> Hello,\n>\n>       I have just built a boat of ash, and I think that it has\n> everything that a boat should have.\n>\n"
    ">       I tried to row it to the other pier in the evening, and I\n> have lost an oar at sea.\n>\n> The oars:\n>   One is of ash.\n"
)


def test_the_first_line_of_a_paragraph_hangs_on_nothing_by_its_indentation() -> None:
    source = read(INDENTED)
    kept = "> Hello,\n\n>       I tried to row it to the other pier in the evening, and I have lost an oar at sea."
    assert not faults(source, kept).attributions
    assert faults(source, "> Hello,\n\n>   One is of ash.").attributions
