"""The judge of summaries: what counts as kept, and what as invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fidelity.gold import Document, Gold
from bench.fidelity.judge import kept, recall, unsupported

TEXT = """# Port report

Marla Voss has been harbour master since 4 March 2019. She answers to Tomas Brandt.

| Setting | Value |
| --- | --- |
| timeout_ms | 30000 |
| retries | 3 |

pod checkout-7f9c is in CrashLoopBackOff, see https://ops.example/runs/42 or mail ops@port.example.
Version 4.2.1 took 1,250 ms on 12.5 % of all calls; the log is in /var/log/port/app.log.
"""
GOLD = (
    Gold(("Marla Voss", "harbour master"), "Marla Voss has been harbour master since 4 March 2019."),
    Gold(("timeout_ms", "30000"), "| timeout_ms | 30000 |"),
    Gold(("retries", "3"), "| retries | 3 |"),
    Gold(("checkout-7f9c", "CrashLoopBackOff"), "pod checkout-7f9c is in CrashLoopBackOff"),
)
REPORT = Document("report", "wiki", "en", TEXT, "people, settings, failing pods", GOLD, ())


def is_kept(summary: str, *parts: str) -> bool:
    return kept(Document("x", "wiki", "en", "", "", (Gold(parts, ""),), ()), summary) == [True]


def test_a_document_keeps_all_of_itself_and_an_empty_summary_nothing() -> None:
    assert recall(REPORT, TEXT) == 1.0
    assert unsupported(REPORT, TEXT) == []
    assert recall(REPORT, "") == 0
    assert kept(REPORT, "Marla Voss is the harbour master.") == [True, False, False, False]


@pytest.mark.parametrize(
    "summary",
    [
        "marla  VOSS is the **harbour** master",
        "Marla Voss works here. The harbour master is busy.",
        "## Marla Voss\n- post: harbour master",
        "# Staff\n## Harbour master\n\nSince long ago it is Marla Voss.",
        "Harbour master:\n\n- Marla Voss",
        "| Harbour master |\n| --- |\n| Marla Voss |",
        "harbour master:\n  - name: Marla Voss",
    ],
)
def test_parts_that_stand_together_are_kept(summary: str) -> None:
    assert is_kept(summary, "Marla Voss", "harbour master")


@pytest.mark.parametrize(
    "summary",
    [
        "Marla Voss is here.\n\nThe harbour master is busy.",
        "Marla Voss is here. It rains. The harbour master is busy.",
        "## Marla Voss\n- a\n## Others\n- harbour master",
        "Marla Brandt is the harbour master.",
        "Marla Vossen is the harbour master.",
    ],
)
def test_parts_that_stand_apart_or_are_others_are_not_kept(summary: str) -> None:
    assert not is_kept(summary, "Marla Voss", "harbour master")


@pytest.mark.parametrize("summary", ["30", "3.5", "1.3", "13", "3rd", "v3", "4.2.1.3", "0,3"])
def test_a_number_is_kept_only_as_a_whole(summary: str) -> None:
    assert not is_kept(f"retries: {summary}", "retries", "3")


@pytest.mark.parametrize("summary", ["30000", "30,000", "30 000", "`30000`", "30000 ms", "30000."])
def test_a_number_is_kept_in_any_spelling(summary: str) -> None:
    assert is_kept(f"timeout_ms is {summary}", "timeout_ms", "30000")


def test_an_id_or_version_is_kept_only_as_a_whole() -> None:
    assert is_kept("checkout-7f9c failed", "checkout-7f9c")
    assert not is_kept("checkout-7f9c-x2 failed", "checkout-7f9c")
    assert not is_kept("4.2.1 is out", "4.2")


def test_characters_without_spaces_between_words_are_found() -> None:
    assert is_kept("港長は山田花子です。", "山田花子", "港長")


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_swapped_value_is_not_kept(true: int, false: int) -> None:
    assert is_kept(f"- the limit is {true}.", "limit", str(true))
    assert is_kept(f"- the limit is {false}.", "limit", str(true)) == (true == false)


@pytest.mark.parametrize(
    "summary",
    [
        "The timeout is 30,000 ms.",
        "It took 1250 milliseconds on 12.5 percent of calls.",
        "## People\n- Marla Voss (since 2019-03-04)\n\n## Key Facts\n- three retries",
        "## Failing Pods\n1. checkout-7f9c: CrashLoopBackOff\n2. see /var/log/port/app.log",
        "On March 4, 2019 Marla Voss came. Voss answers to Brandt.",
        "Harbour Master Marla Voss, version 4.2.1, https://ops.example/runs/42.",
    ],
)
def test_what_the_document_says_in_another_spelling_is_supported(summary: str) -> None:
    assert unsupported(REPORT, summary) == []


@pytest.mark.parametrize(
    "summary, claim",
    [
        ("The timeout is 300 ms.", "300 ms"),
        ("It took 1250 minutes.", "1250 minutes"),
        ("She came on 5 March 2019.", "5 march 2019"),
        ("She came on 4 March 2018.", "4 march 2018"),
        ("See https://evil.example/x now", "https://evil.example/x"),
        ("Mail root@port.example.", "root@port.example"),
        ("It is in /etc/port/app.log.", "/etc/port/app.log"),
        ("The pod checkout-8a1b failed.", "checkout-8a1b"),
        ("Version 4.2.2 is out.", "4.2.2"),
        ("It was signed by Marla Brandt.", "Marla Brandt"),
        ("We asked Karla about it.", "Karla"),
        ("- Helga Quist: harbour master", "Helga Quist"),
    ],
)
def test_what_the_document_does_not_say_is_found(summary: str, claim: str) -> None:
    assert claim in unsupported(REPORT, summary)


def test_a_line_known_to_be_invented_is_found_whatever_it_says() -> None:
    line = "The harbour is closed on Sundays"
    assert unsupported(REPORT, f"- {line.upper()}.", invented=[line, "not there"])[-1:] == [line]


def test_german_nouns_are_no_names() -> None:
    german = Document("d", "minutes", "de", "Der Kran steht still.", "", (), ())
    assert unsupported(german, "Im Hafen ruht die Arbeit.") == []
    assert unsupported(german, "Im Hafen arbeitet Anke Böhme.") == ["Anke Böhme"]


@pytest.mark.parametrize("mark", ["[77 rows left out]", "[8 items and 77 members left out]", "[...]"])
def test_what_says_how_much_is_left_out_claims_nothing(mark: str) -> None:
    assert unsupported(REPORT, f"| timeout_ms | 30000 |\n{mark}") == []
    assert unsupported(REPORT, "77 rows were left out") == ["77"]
