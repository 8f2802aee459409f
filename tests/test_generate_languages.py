"""What is known of languages is as the script made it, from the packages that are pinned, and the script reads them as they are meant."""

import hashlib

import pytest

from bench.real_texts.archives import Archive, archives
from scripts.generate_languages import (
    MADE,
    PINS,
    currency_nouns,
    currency_signs,
    has_dotted_ordinals,
    listed_abbreviations,
    month_names,
    ordinal_signs,
    percent_words,
    scale_words,
    spelled_numbers,
    stop_lists,
    suppressions,
)

HEAD, SUM_LINE, BODY = MADE.read_text("utf-8").partition("# SHA-256 of all below this line: ")


def test_the_file_was_not_edited_by_hand() -> None:
    digest, _, body = BODY.partition("\n")
    assert digest == hashlib.sha256(body.encode()).hexdigest(), (
        "edited by hand? make language-data makes it anew"
    )


@pytest.mark.parametrize("name, archive", archives(PINS).items())
def test_the_file_names_each_package_with_its_version_and_licence(name: str, archive: Archive) -> None:
    said = " ".join(line.removeprefix("# ") for line in HEAD.splitlines())
    assert f"{archive.package} {archive.version} ({archive.licence})" in said
    assert "make language-data" in said


def calendar(wide: list[str], short: list[str], pattern: str = "d MMMM y") -> dict[str, object]:
    forms = {
        width: {str(at): name for at, name in enumerate(names, 1)}
        for width, names in (("wide", wide), ("abbreviated", short))
    }
    return {"months": {"format": forms, "stand-alone": forms}, "dateFormats": {"long": pattern}}


FRENCH = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]
FRENCH_SHORT = [
    "janv.",
    "févr.",
    "mars",
    "avr.",
    "mai",
    "juin",
    "juil.",
    "août",
    "sept.",
    "oct.",
    "nov.",
    "déc.",
]


def test_a_month_has_its_names_and_three_letters_that_no_other_month_has() -> None:
    names = month_names(calendar(FRENCH, FRENCH_SHORT))
    assert names[0] == ["janvier", "janv", "jan"]
    assert names[4:7] == [["mai"], ["juin"], ["juillet", "juil"]]


@pytest.mark.parametrize(
    "pattern, expected", [("d. MMMM y", True), ("d MMMM y", False), ("MMMM d, y", False)]
)
def test_a_date_pattern_tells_whether_ordinals_have_a_full_stop(pattern: str, *, expected: bool) -> None:
    assert has_dotted_ordinals(calendar(FRENCH, FRENCH_SHORT, pattern)) == expected


def test_a_word_for_a_power_of_ten_has_the_power_without_the_digits_before_it() -> None:
    numbers = {
        "decimalFormats-numberSystem-latn": {
            "long": {"decimalFormat": {"10000000-count-other": "00 Millionen", "1000000000-count-other": "0 mil millones"}},
            "short": {"decimalFormat": {"1000-count-other": "0", "1000000-count-other": "0\u00a0Mio'.'", "100000-count-other": "00万"}},
        }
    }  # fmt: skip
    assert list(scale_words(numbers)) == [("Millionen", 6), ("Mio", 6), ("万", 4)]


def test_a_number_in_words_is_one_word_of_its_own_or_a_compound_before_a_base() -> None:
    rules = {
        "%spellout-numbering-year": [["1100", "elfhundert;"]],
        "%spellout-numbering": [
            ["-x", "minus →→;"],
            ["0", "null;"],
            ["3", "drei;"],
            ["4", "vier;"],
            ["13", "→→zehn;"],
            ["15", "fünfzehn;"],
            ["20", "[→%spellout-cardinal-r→und]zwanzig;"],
            ["100", "←←\u00adhundert[\u00ad→→];"],
            ["200", "←← hundert und →→;"],
            ["300", "←←cent→→;"],
            ["1000000", "eine Million[ →→];"],
        ],
    }
    assert spelled_numbers(rules) == {
        "drei": 3, "vier": 4, "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "zwanzig": 20, "hundert": 100
    }  # fmt: skip


def test_letters_behind_a_number_make_it_an_ordinal() -> None:
    rules = {
        "%digits-ordinal": [["-x", "−→→;"], ["0", "=#,##0=$(ordinal,one{st}two{nd}other{th})$;"]],
        "%other": [],
    }
    assert list(ordinal_signs(rules)) == ["st", "nd", "th"]


def test_percent_is_what_stands_beside_the_number() -> None:
    forms = {"displayName": "pour cent", "unitPattern-count-one": "{0} pour cent"}
    assert list(percent_words({"long": {"concentr-percent": forms}})) == ["pour cent"]


CURRENCIES = {
    "USD": {"symbol": "$", "symbol-alt-narrow": "$", "displayName-count-other": "US dollars"},
    "CAD": {"symbol": "CA$", "symbol-alt-narrow": "$", "displayName-count-other": "Canadian dollars"},
    "MXN": {"symbol": "MX$", "symbol-alt-narrow": "$", "displayName-count-other": "Mexican pesos"},
    "PHP": {"symbol": "₱", "displayName-count-other": "Philippine pesos"},
    "RUB": {"symbol": "RUB", "symbol-alt-narrow": "₽", "displayName-count-other": "Russian rubles"},
    "XXX": {"symbol": "¤", "displayName-count-other": "unknown currency"},
}


def test_a_sign_is_the_currency_that_has_it_bare_or_alone_and_a_noun_that_of_one_sign() -> None:
    signs = currency_signs([CURRENCIES])
    assert signs == {"$": "usd", "₱": "php", "₽": "rub"}
    assert dict(currency_nouns(CURRENCIES, signs, is_first=False)) == {"dollars": "usd", "rubles": "rub"}


def test_abbreviations_and_stop_words_are_read_without_running_their_modules() -> None:
    module = 'class A:\n    ABBREVIATIONS = ["Dr.", "p.ej"]\n    NUMBER_ABBREVIATIONS = ["art"]\n    OTHER = ["x"]\n'
    assert list(listed_abbreviations(module)) == ["dr", "p.ej", "art"]
    assert stop_lists('stoplists = {"de": frozenset("""\n der die\n der""".split())}') == {
        "de": ["der", "die"]
    }
    entries = [{"suppression": "Approx."}, {"suppression": "p.ej."}]
    assert list(suppressions({"segmentations": {"SentenceBreak": {"standard": entries}}})) == [
        "Approx",
        "p.ej",
    ]
