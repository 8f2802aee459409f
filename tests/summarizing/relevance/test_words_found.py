"""Which words of a query a text has: in one part of it, and in several together."""

import pytest

from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.words_found import WordsFound, found_together
from summarizing.text.parsing import parse
from tests.support.parts import the_tokenizer


def found(text: str, query: str, values: tuple[str, ...] = ()) -> WordsFound:
    return Scorer(parse(text), query, [values] if values else (), the_tokenizer().rarity).found


@pytest.mark.parametrize(
    "query, parts, is_unrelated",
    [
        ("zebra walrus otter ibex", ["A zebra.", "A walrus."], False),
        ("zebra walrus otter ibex", ["A zebra.", "A zebra."], True),
        ("zebra walrus otter ibex", ["A gnu.", "A zebra and a walrus."], False),  # together
        ("zebra walrus otter ibex gnu moose", ["A zebra.", "A walrus."], True),
        ("zebra walrus", ["A gnu.", "A moose."], True),
        ("zebra", ["A gnu.", "A moose."], False),  # one word may be said otherwise
        ("", ["A gnu.", "A moose."], False),
        ("zebras of 2024, 30771 and 40,881", ["A gnu of 2,024.", "Of 30,771 and 40,881."], False),
        ("zebras, ibex and walruses with 404", ['"GET /gnu" 404 37'], False),
        ("zebras, ibex and walruses of 1998", ["A gnu, 1998."], True),
        ("zebras, ibex and walruses with 12", ["A gnu, 12."], True),
        ("zebras, ibex and 2,024 gnus in 2025", ["In 2024.", "In 2,024."], True),
        ("\u30bf\u30a4\u30e0\u30a2\u30a6\u30c8 zebra", ["\u30bf\u30a4\u30e0", "\u30a2\u30a6\u30c8"], True),  # halves of a word
    ],
)  # fmt: skip
def test_the_parts_of_a_text_are_judged_together(query: str, parts: list[str], *, is_unrelated: bool) -> None:
    assert found_together([found(part, query) for part in parts]).is_unrelated is is_unrelated


@pytest.mark.parametrize(
    "query, having, segments, is_unrelated",
    [
        ("walrus otter zebra", 30, 40, False),  # the subject of the text
        ("walrus otter zebra", 2, 40, True),
        ("which are the most common walrus otter zebra", 30, 40, False),
        ("walrus zebra", 1, 40, False),  # of two words one may be said otherwise
        ("walrus otter zebra", 1, 1, True),  # a short text has all of its words everywhere
        ("percentage of walrus in zebra", 12, 40, False),
    ],
)
def test_words_that_stand_apart_have_to_run_through_a_text(
    query: str, having: int, segments: int, *, is_unrelated: bool
) -> None:
    lines = ["- A zebra."] * having + ["- A gnu."] * (segments - having)
    assert found("\n".join(lines), query).is_unrelated is is_unrelated


@pytest.mark.parametrize(
    "query, last, is_unrelated",
    [
        ("projects that invite users", "- A user.", True),
        ("projects with users", "- A user.", False),  # nothing is missing
        ("projects that invite users", "- A project has a user.", False),
        ("user_project that invites", "- A user.", False),  # of two words as they are written
        ("zebra otter ibex walrus gazelle", "- A walrus, an ibex.", False),
    ],
)
def test_of_a_longer_query_one_missing_word_is_enough_where_the_others_are_seldom_and_apart(
    query: str, last: str, *, is_unrelated: bool
) -> None:
    lines = ["- A project.", "- A zebra.", *["- A gnu."] * 40, "- An otter.", last]
    assert found("\n".join(lines), query).is_unrelated is is_unrelated


@pytest.mark.parametrize(
    "line, is_unrelated",
    [
        ("- Walrus until 15 January.", False),
        ("- Walrus.", True),
    ],
)
def test_a_value_that_is_asked_for_stands_beside_a_word_as_another_word_does(
    line: str, *, is_unrelated: bool
) -> None:
    text = "\n".join([line, *["- A gnu."] * 40, "- A gnu on 3 March."])
    document = parse(text)
    values = [
        {"date"} if any(map(str.isdecimal, text[segment.start : segment.end])) else set[str]()
        for segment in document.segments
    ]
    query = "deadlines of walrus, otters and zebras"
    assert Scorer(document, query, values, the_tokenizer().rarity).found.is_unrelated is is_unrelated


def test_how_often_words_occur_is_added_up_over_the_parts_of_a_text() -> None:
    parts = ["- A zebra.\n- A gnu.\n- A zebra.", "- A walrus.\n- A zebra."]
    together = found_together([found(part, "zebra walrus otter") for part in parts])
    assert (together.having, together.segments) == ({"zebra": 3, "walrus": 1}, 5)


def test_a_word_that_another_part_has_is_not_named_by_values() -> None:
    query = "percentage of zebras and walrus"
    parts = [found("Of it 12 %.", query, ("num %",)), found("A percentage.", query)]
    assert [one.named for one in parts] == [{"percentage"}, set()]
    together = found_together(parts)
    assert together.named == set()
    assert together.present == {"percentage": 1.0}
    assert (parts[0].names, together.names) == ((), ("percentage",))


def test_a_word_that_names_values_which_the_text_has_is_not_one_that_it_lacks() -> None:
    query = "percentages of walrus and gnu, zebra, otter, ibex, gazelle, moose, lynx, badger, heron"
    assert found("A walrus and a gnu: some.", query).is_unrelated
    assert not found("A walrus and a gnu: 12 %.", query, ("num %",)).is_unrelated


@pytest.mark.parametrize(
    "query, text, names",
    [
        ("(zebras), walrus?", "A zebra.", ("zebras",)),
        ("retryPolicy of the zebra", "Retry a zebra.", ("retry", "zebra")),
        ("retryPolicy of the zebra", "A retryPolicy.", ("retryPolicy",)),
        ("version v1.2.3", "It is 2.", ()),
        ("version v1.2.3", "Of v1 ships.", ("v1",)),
        ("cars of 2024", "Of 2,024 ships.", ("2024",)),
        ('{"type": "object", "properties": {"zebra": {"type": "string"}, "gnu": {}}}', "A zebra.", ("zebra",)),
        ("\u9867\u5ba2\u306e\u30bf\u30a4\u30e0\u30a2\u30a6\u30c8", "\u30bf\u30a4\u30e0\u30a2\u30a6\u30c8\u3060\u3002", ("\u30bf\u30a4\u30e0\u30a2\u30a6\u30c8",)),
        ("walrus", "A zebra.", ()),
    ],
)  # fmt: skip
def test_words_that_were_found_are_named_as_the_query_has_them(
    query: str, text: str, names: tuple[str, ...]
) -> None:
    assert found(text, query).names == names
