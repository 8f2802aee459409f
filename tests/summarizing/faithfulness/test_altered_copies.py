"""Sentences of a source that are copied with one word swapped."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.facts.text_reading import Reading
from summarizing.faithfulness.altered_copies import COPIED, AlteredCopies, _Copied, _Sentence
from summarizing.faithfulness.source_segments import SourceSegments
from tests.support.guarded_texts import HOUSES, is_kept


@pytest.mark.parametrize(
    "altered",
    [
        "Old hunters swear that the bone weaver fears acid.",
        "The sale of the mill was carried by 7 to 7 votes.",
        "The sale of the mill was carried by 4 to 3 votes.",
        "Ida Kerr, tel. 05 62 28 81 67",
        "market warden: Stellan Hollow",
        "Ida Kerr has been miller since 1851.",
        "Stellan Hollow has been miller since 1990.",
        "market warden: oak doors",
    ],
)
def test_a_sentence_of_the_text_in_which_one_thing_became_another_is_no_fact(altered: str) -> None:
    assert not is_kept(altered)


@pytest.mark.parametrize(
    "told",
    [
        "Old hunters swear that the bone weaver fears oil.",
        "The bone weaver fears oil.",
        "Ida Kerr lives in the Corn Yard and keeps bees.",
        "The sale of the mill: 7 to 0 votes.",
        "The Kerr family paid for the flour store of 1851.",
        "Leader: Stellan Hollow",
        "Market warden is Quentin Kowal, tide warden is Stellan Hollow.",
        "Mill: sold by 7 to 0 votes; well: repaired by 4 to 3 votes",
    ],
)
def test_what_is_told_in_other_words_or_of_two_sentences_at_once_stays(told: str) -> None:
    assert is_kept(told)


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("Ulfar Hawksworn — Copper Ledger", True),
        ("Ulfar Hawksworn – Copper Ledger", True),
        ("Ulfar Hawksworn — Veiled Court", False),
        ("Lyssa Fallow — Veiled Court", True),
        ("Ida Kerr — Salt Guild", True),
        ("Ida Kerr — Copper Ledger", False),
    ],
)
def test_what_a_list_gives_one_name_another_does_not_get(told: str, is_so: bool) -> None:
    """Where the text says elsewhere, in other words, that the name has it, it has."""
    served = ["- Ulfar Hawksworn — Copper Ledger", "- Ida Kerr — Gallery", "Ida Kerr pays the Salt Guild."]
    met = "Players who greet Lyssa Fallow with the sign of the Veiled Court are welcomed."
    assert is_kept(told, [*served, met, *HOUSES]) is is_so


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("The default of `max_redirects` went to `18`.", True),
        ("The default of `max_redirects` went to `25`.", False),
        ("2024: the default of `max_redirects` went to `18`.", True),
    ],
)
def test_a_number_of_a_heading_does_not_take_the_place_of_the_lines_own(told: str, is_so: bool) -> None:
    release = ["# 8.31.25 - 2024-10-13", "The default of `max_redirects` went to `18`."]
    assert is_kept(told, [*release, "# Houses", *HOUSES, "Bulk import is 25 % faster."]) is is_so


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("templates: 5916 items per call", True),
        ("templates: 45 MB per upload", False),
        ("members: 5916 items per call", False),
        ("templates: 30 requests per minute", True),
        ("templates: 12 rows", True),
        ("Port: 8081", True),
    ],
)
def test_a_label_of_one_word_has_the_number_of_its_own_line(told: str, is_so: bool) -> None:
    """Or one that something else of the text gives it; of a label that several lines have, any of theirs."""
    see = "- Templates: see [members](#members)"
    limits = [see, "- templates: 5916 items per call", "- members: 45 MB per upload"]
    told_elsewhere = [
        "Calls to templates are held to 30 requests per minute.",
        "# Templates",
        "12 rows fit a page.",
    ]
    ports = ["# Services", "- Port: 8080", "- Port: 9090", "It moved from 8081."]
    assert is_kept(told, [*limits, *told_elsewhere, *ports, *HOUSES]) is is_so


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("Retries: 5", True),
        ("Retries: 30", False),
        ("Retries: 8007", False),
        ("Timeout: 30 s", True),
        ("Port: 8007", True),
        ("Port: 30", False),
    ],
)
def test_a_label_of_one_word_does_not_get_another_labels_number(told: str, is_so: bool) -> None:
    """Nor where a sentence has that number, too."""
    settings = ["- Retries: 5", "- Timeout: 30 s", "- Port: 8007"]
    cache = "The cache keeps 30 entries of each client and is reached on 8007."
    assert is_kept(told, [*settings, cache, *HOUSES]) is is_so


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("bone weaver: weak to salt", True),
        ("bone weaver: weak to smoke", False),
        ("A grave moth takes double damage from smoke and flees at half health.", True),
        ("A grave moth takes double damage from salt and flees at half health.", False),
        ("A grave moth takes more damage from smoke, and at half health it flees.", True),
        ("The grave moth takes double damage from smoke and flees at half its health.", True),
    ],
)
def test_a_copy_with_one_word_for_another_is_no_fact_however_common_the_word(told: str, is_so: bool) -> None:
    moth = "A grave moth takes double damage from smoke and flees at half health."
    stairs = [f"The salt stairs have {steps} steps more since the flood." for steps in range(12)]
    assert is_kept(told, ["- bone weaver: weak to salt", moth, *stairs, *HOUSES]) is is_so


def test_code_of_the_sentence_before_is_not_what_this_one_names() -> None:
    content = "Since spring `sandbox` replaces `desc_html`. `cc_code` is deprecated; use `media_type`."
    assert not is_kept("`cc_code` is deprecated; use `desc_html`.", (content, *HOUSES))
    assert is_kept("`cc_code` is deprecated; use `media_type`.", (content, *HOUSES))


def test_a_row_is_found_however_many_are_like_it() -> None:
    rows = [f"- Shelf {shelf} holds {jars} jars of jam." for shelf in range(30, 55) for jars in range(60, 85)]
    reading = Reading.of("\n".join([*rows, "", "The road is 52 km long."]))
    copies = AlteredCopies(SourceSegments(reading))
    assert not copies.is_altered("Shelf 54 holds 84 jars of jam now.")
    assert copies.is_altered("Shelf 54 holds 52 jars of jam.")


@given(
    st.lists(st.sampled_from("abcde"), max_size=12),
    st.lists(st.lists(st.sampled_from("abcde"), max_size=12), max_size=4),
)
def test_what_is_changed_in_a_copy_is_what_a_whole_comparison_shows(
    sentence: list[str], texts: list[list[str]]
) -> None:
    copied = _Copied(sentence)
    for text in texts:
        matcher = SequenceMatcher(None, text, sentence, autojunk=False)
        shared, all_words = len(set(text) & set(sentence)), len(set(text)) + len(set(sentence))
        alike = 2 * shared >= COPIED * all_words and matcher.ratio() >= COPIED
        changes = [
            (text[start:end], sentence[there:stop])
            for tag, start, end, there, stop in matcher.get_opcodes()
            if tag != "equal"
        ]
        own = _Sentence(0, text, frozenset(text), frozenset(text))
        assert copied.changes(own) == (changes if alike else [])
