"""The relevance of segments to a query: own words, what stands above, the block, the neighbours."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.exclusions import split_query
from summarizing.relevance.query_terms import QueryTerms
from summarizing.text.language.stemming import stem_of
from summarizing.text.parsing import parse
from tests.support.handmade_documents import document
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear


def _best(query: str, *lines: str) -> str:
    source = document(*lines)
    relevance = Scorer(source, query, rarity_of=the_tokenizer().rarity).relevance
    return source.of(max(range(len(relevance)), key=relevance.__getitem__))


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    lines = [f"$ port {number} is open" for number in range(9)]
    assert _best("open sockets", *lines, "$ two sockets", "$ nothing of it") == "$ two sockets"


def test_a_line_under_a_heading_that_meets_the_query_comes_before_one_under_another() -> None:
    source = document("# Streams", "$ ERR_A is thrown", "", "# Files", "$ ERR_B is thrown")
    relevance = Scorer(source, "streams").relevance
    assert relevance[1] > 5 * relevance[3]


def test_a_heading_over_everything_tells_nothing_apart() -> None:
    source = document("# Streams", *(f"$ line {number}" for number in range(50)), "$ a stream of bytes")
    relevance = Scorer(source, "streams").relevance
    assert relevance[51] > 5 * relevance[25]


@pytest.mark.parametrize(
    "query, line",
    [
        ("stream", "$ ERR_STREAM_PREMATURE_CLOSE"),
        ("retry policy", "$ maxRetryPolicy"),
        ("version", "$ versions"),
        ("Kündigung", "$ kündigen"),
        ("secure", "$ security"),
        ("天気", "$ 今日の天気は良い"),
    ],
)
def test_words_meet_across_endings_and_inside_identifiers(query: str, line: str) -> None:
    assert _best(query, "$ nothing", line, "$ other") == line


@pytest.mark.parametrize(
    "query, line",
    [
        ("HTTP/2", "$ a leak when HTTP/2 is used"),
        ("HTTP/2", "$ a limit in http2_max_field_size"),
        ("SHA-256", "$ sums in sha256 are checked"),
        ("3.0.11", "$ changes between 3.0.10 and 3.0.11"),
        ("(v3.0.11)", "$ release 3.0.11 of the tool"),
        ("C++11", "$ the C++11 library"),
    ],
)
def test_a_short_number_within_a_name_is_found_in_that_name_alone(query: str, line: str) -> None:
    others = ["$ Studio 11 is served", "$ version 0.2.3 of the tool", "$ in 25 of 300 cases"]
    assert [bool(own) for own in Scorer(document(*others, line), query).own] == [False] * 3 + [True]


def test_a_short_number_that_is_asked_for_by_itself_is_found_anywhere() -> None:
    lines = ["$ part 2 is served", "$ HTTP/2 is served", "$ nothing is"]
    assert [bool(own) for own in Scorer(document(*lines), "2 or HTTP/2").own] == [True, True, False]


@pytest.mark.parametrize(
    "name", ["http-errors", "@types/http-errors", "node_modules/errors/index.js", "es-errors@1.3.0"]
)
def test_a_word_by_itself_comes_before_one_in_the_name_of_a_package(name: str) -> None:
    lines = [f"$ silly placeDep ROOT {name}" for _ in range(20)]
    error = "$ error code ERESOLVE of the tree"
    assert _best("errors", *lines, error, *lines) == error
    assert Scorer(document(*lines), "errors").is_met


@pytest.mark.parametrize(
    "line, share", [("$ glob@13.0.6", 1.0), ("$ es-glob@1.3.0", 0.6), ("$ glob@next", 0.6)]
)
def test_a_version_behind_a_name_makes_it_no_part_of_another(line: str, share: float) -> None:
    assert Scorer(document(line), "glob").own == [{0: share}]


def test_function_words_of_another_language_than_the_query_s_are_asked_for() -> None:
    # "war" is the German for "was".
    assert (
        _best("the story of the war", "$ years of peace", "$ war in the north", "$ it was cold")
        == "$ war in the north"
    )
    assert QueryTerms("timeline of the war").terms == ("timelin", "war")
    assert QueryTerms("wann war der Krieg").terms == ("krieg",)


def test_words_that_share_but_their_beginning_do_not_meet() -> None:
    assert not any(Scorer(document("Each recipient accepts it."), "recipes").scores)


def test_a_query_of_words_that_weigh_nothing_is_not_met_by_a_text_without_them() -> None:
    source = document("The ferry sails at noon.", "The crew has lunch.")
    assert not Scorer(source, "f b p", rarity_of=lambda _: 0.0).is_met


def test_nothing_is_relevant_where_nothing_meets_the_query() -> None:
    scorer = Scorer(document("# Terms", "The licence is granted."), "recipes for apple pie")
    assert scorer.relevance == [0.0, 0.0]
    assert not scorer.is_met


@pytest.mark.parametrize(
    "query, is_met",
    [
        ("mortgage rates for first-time buyers", False),  # one word of it occurs, by chance
        ("opening hours of the municipal swimming pool", False),  # two do, but never together
        ("rates of the licence", True),
        ("warranty of the program", True),
        ("warranty", True),
        ("who grants a warranty of the program, and which courts decide", True),  # two of five, together
        ("rates, warranty and the swimming pools of towns by rivers", True),  # half of them, apart
        ("rates, warranty and the fees of swimming lessons in towns by rivers", False),
        ("apple", False),
    ],
)
def test_a_query_is_met_where_enough_of_it_occurs_together(query: str, *, is_met: bool) -> None:
    source = document(
        "# Licence",
        "The rates of the licence.",
        "",
        "# Warranty",
        "The program has none.",
        "",
        "$ opening",
        "",
        "$ a pool",
    )
    assert Scorer(source, query, rarity_of=the_tokenizer().rarity).is_met is is_met


@pytest.mark.parametrize(
    "query, is_unrelated",
    [
        ("recipes for apple pie", True),
        ("vocabulary", False),  # one word may be said in another
        ("the vocabulary of the licence", False),
        ("explain the main points", False),
        ("", False),
        ("长颈鹿有多高", True),
        ("トマトの水やり", True),
        ("用法", False),
        ("タイムアウト", False),  # one word each, whatever its parts
        ("getValue", False),
        ("v1.2.3", False),
        ("2,024", False),
        ("getValue, setValue", True),
        ("getValue、setValue", True),
        ("Kubernetes和Docker", True),
    ],
)
def test_a_text_is_about_something_else_where_it_lacks_two_words(query: str, *, is_unrelated: bool) -> None:
    scorer = Scorer(document("# Licence", "The rates of the licence.", "用語の一覧"), query)
    assert scorer.found.is_unrelated is is_unrelated


@pytest.mark.parametrize("query", ["2024", "2,024", "boats, 2.024"])
@pytest.mark.parametrize("line", ["In 2024 boats.", "Of 2,024 boats.", "2\u202f024 boats", "2'024 boats"])
def test_a_number_is_found_with_marks_between_its_thousands_or_without_them(query: str, line: str) -> None:
    scorer = Scorer(document("A harbour.", "", f"$ {line}", "", "Of 22,024 cars."), query)
    assert scorer.is_met
    assert scorer.scores[1] == max(scorer.scores) > scorer.scores[2]


@pytest.mark.parametrize("line, is_met", [("$ type 2", False), ("$ diabetes type", True)])
def test_common_words_do_not_meet_a_query_because_they_stand_together(line: str, *, is_met: bool) -> None:
    scorer = Scorer(document(line), "treatment of type 2 diabetes", rarity_of=the_tokenizer().rarity)
    assert scorer.is_met is is_met


@pytest.mark.parametrize(
    "query, words",
    [
        ("怎么设置和使用，出错了怎么办", ("设置", "使用", "出错")),
        ("要点是什么", ()),
        ("どこにありますか", ()),
        ("どうやって設定して使うのですか", ("設定", "使う")),
        ("エラーコードの一覧", ("エラーコード", "一覧")),
        ("鮭の焼き方", ("鮭", "焼き", "方")),
        ("はしか", ("はし", "しか")),
        ("nginx の設定", ("nginx", "設定")),
    ],
)
def test_a_query_without_spaces_is_divided_at_grammar(query: str, words: tuple[str, ...]) -> None:
    assert tuple(dict.fromkeys(QueryTerms(query).in_words)) == words


@pytest.mark.parametrize(
    "query, is_met",
    [
        ("アップルパイ", False),  # of its syllables the text has two
        ("アップロード", True),
        ("鮭の焼き方", False),
        ("鮭の漁", True),
    ],
)
def test_syllables_of_a_word_are_no_word(query: str, *, is_met: bool) -> None:
    assert Scorer(document("ファイルをアップロードする。", "鮭の漁は秋です。"), query).is_met is is_met


def test_the_letters_of_a_long_word_in_katakana_do_not_outweigh_two_words() -> None:
    lines = ["$ ディレクトリを開く。", "$ 更新日を書く。", *(f"$ 行 {number}" for number in range(9))]
    assert _best("ディレクティブと更新日", *lines) == "$ 更新日を書く。"


@pytest.mark.parametrize(
    "query, is_met",
    [
        ("the best time of the year to plant tulips", False),  # its common words stand in any text
        ("interest rates on savings accounts", False),  # only words of the same families do
        ("packages that were upgraded, with old and new version", True),  # its rare words do
    ],
)
def test_of_words_that_stand_apart_the_rarer_ones_count_more(query: str, *, is_met: bool) -> None:
    source = document(
        "$ the best one",
        "",
        "$ time",
        "",
        "$ a year",
        "",
        "$ interested",
        "",
        "$ accountant",
        "",
        "$ an upgrade",
        "",
        "$ package",
    )
    assert Scorer(source, query, rarity_of=the_tokenizer().rarity).is_met is is_met


@pytest.mark.parametrize(
    "query",
    [
        "what is it about?",
        "Give me an overview of the main points",
        "What is most important here?",
        "Worum geht es, und was ist das Wichtigste?",
        "De quoi s'agit-il ?",
        "¿De qué se trata?",
    ],
)
def test_a_query_of_function_words_asks_for_nothing(query: str) -> None:
    assert not Scorer(document("It is what it is."), query).terms


@pytest.mark.parametrize(
    "query, terms",
    [
        ("when did it snow, and how much came down", ("snow",)),
        ("don't the company's browsers have it yet?", ("company", "browser")),
        ("What can I still do without a licence?", ("licenc",)),
        (
            '{"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}',
            ("pric",),
        ),
        ("packages with priority required", ("packag", "priority", "requir")),
    ],
)
def test_words_of_closed_classes_are_not_asked_for(query: str, terms: tuple[str, ...]) -> None:
    assert Scorer(document("It is what it is."), query).terms.terms == terms


@given(st.lists(st.sampled_from(["# apple", "$ pie", "= apple pie", "| pear", "An apple.", ""]), max_size=20))
def test_relevance_is_never_negative_and_zero_without_a_query(lines: list[str]) -> None:
    source = document(*lines)
    assert all(score >= 0 for score in Scorer(source, "apple pie").relevance)
    assert Scorer(source, "").relevance == [0.0] * len(source.segments)


def test_scores_and_own_terms_are_known_where_the_query_is_not_met() -> None:
    scorer = Scorer(document("# Streams", "$ a zebra", "$ a gnu"), "lamps of zebras by the northern pier")
    assert not scorer.is_met
    assert not any(scorer.relevance)
    assert max(scorer.scores) == scorer.scores[1] > 0
    assert [list(counts) for counts in scorer.own] == [[], [scorer.terms.terms.index("zebra")], []]


def test_a_part_of_a_name_that_was_asked_for_counts_whole() -> None:
    joined, apart = (
        Scorer(document(f"$ The spare key has number {name}", "$ other"), "KX-77").relevance[0]
        for name in ("KX-77", "KX 77")
    )
    assert joined >= apart > 0


def test_the_time_grows_with_how_often_a_word_stands_in_names_alone() -> None:
    assert is_linear(lambda count: Scorer(document("$ " + "http-errors " * count), "errors"), 2_000)


@pytest.mark.parametrize(
    "query",
    [
        "licenses other than MIT",
        "packages with a license other than MIT or the Apache one",
        "licenses, except for MIT",
        "a license, not an MIT one",
        "license außer MIT",
        "licenses autres que MIT",
    ],
)
def test_what_a_query_excludes_comes_last(query: str) -> None:
    lines = [f"$ package{number} has the license MIT" for number in range(9)]
    assert _best(query, *lines, "$ package9 has the license ISC", *lines) == "$ package9 has the license ISC"


def test_what_stands_under_what_a_query_excludes_comes_last_too() -> None:
    source = document("# MIT", "$ license of one", "# ISC", "$ license of two")
    relevance = Scorer(source, "licenses other than MIT").relevance
    assert relevance[3] > 5 * relevance[1]
    assert Scorer(source, "licenses other than MIT").meeting == [3]


@pytest.mark.parametrize(
    "query, wanted, excluded",
    [
        ("names other than Ann or Bert, and dates", "names , and dates", ("Ann", "Bert")),
        ("all but the last", "all but the last", ()),
        ("errors except timeouts with their codes", "errors  with their codes", ("timeouts",)),
        ("exceptional costs", "exceptional costs", ()),
        ("dates excluding 2024; prices", "dates ; prices", ("2024",)),
    ],
)
def test_a_query_without_what_it_excludes(query: str, wanted: str, excluded: tuple[str, ...]) -> None:
    assert split_query(query) == (wanted, excluded)


@pytest.mark.timed
@pytest.mark.parametrize("phrase", ["other than ", "other than MIT, "])
def test_many_phrases_that_exclude_are_read_in_linear_time(phrase: str) -> None:
    assert is_linear(lambda size: split_query(phrase * size), 400)


@pytest.mark.timed
def test_many_words_in_capitals_are_read_in_linear_time() -> None:
    assert is_linear(lambda size: QueryTerms(f"{'WHERE ' * size}a"), 1_000)


@pytest.mark.parametrize("written", [str.lower, str.upper, str.title])
def test_the_words_that_a_query_excludes_do_not_depend_on_its_case(written: Callable[[str], str]) -> None:
    query = QueryTerms(written("licenses other than mit or gpl with their dates"))
    assert query.excluded == {"mit", "gpl"}
    assert stem_of("dates") in query.terms


def test_a_word_that_is_asked_for_elsewhere_is_not_excluded() -> None:
    assert QueryTerms("monarchies, not a constitutional monarchy").excluded == {"constitutional"}


@pytest.mark.parametrize(
    "query, is_met",
    [
        ("percentages", True),
        ("percentages that sales rose by", True),
        ("percentage of fat", True),  # of one word that does not occur another may be said
        ("percentage of fat in milk", False),
        ("salary budget", False),  # of what it names it has no value
        ("mortgage rates for buyers of old houses", False),
    ],
)
def test_a_value_stands_for_the_word_that_names_its_kind(query: str, *, is_met: bool) -> None:
    source = document("$ Sales rose by 12 %.", "$ Nothing else happened.")
    scorer = Scorer(source, query, [("num %",), ()], the_tokenizer().rarity)
    assert scorer.is_met is is_met
    assert list(scorer.meeting) == ([0] if is_met else [])


def test_values_count_only_where_no_word_meets_the_query() -> None:
    source = document("$ Oracle: a fix (#12)", "$ MySQL: a fix (#13)", "$ Nothing.")
    scorer = Scorer(source, "Oracle numbers", [("id",), ("id",), ()])
    assert list(scorer.meeting) == [0]


RECORDS = "".join(
    f"Tongue{number}:\n  type: {'prose' if number % 9 == 4 else 'code'}\n  colour: shade{number}\n  mode: plain\n"
    f"  wrapped: shown{number}\n  extensions:\n    - .x{number}\n"
    for number in range(40)
)


def test_members_of_a_record_are_found_by_another_member_of_it() -> None:
    source = parse(RECORDS)
    relevance = Scorer(source, "extensions of tongues of type prose").relevance
    of_prose: list[float] = []
    others: list[float] = []
    for index in range(len(source.segments)):
        if source.of(index).startswith("- .x"):
            number = int(source.of(index).removeprefix("- .x"))
            (of_prose if number % 9 == 4 else others).append(relevance[index])
    assert len(of_prose) == 4
    assert min(of_prose) > 1.2 * max(others)


def test_what_most_records_have_lifts_none_of_their_members() -> None:
    source = parse(RECORDS.replace("prose", "code"))
    relevance = Scorer(source, "code").relevance
    shade = next(index for index in range(len(source.segments)) if source.of(index) == "colour: shade7")
    assert relevance[shade] < 0.5 * max(relevance)


@pytest.mark.parametrize(
    "query, line",
    [
        ("what a client MUST do", "$ A client MUST wait."),
        ("requirements with MUST NOT", "$ A server MUST NOT wait."),
        ("statements with WHERE", "$ select rows WHERE they are"),
        ("costs of IT", "$ they pay for IT"),
    ],
)
def test_function_words_in_capitals_are_asked_for_as_they_are_written(query: str, line: str) -> None:
    assert _best(query, "$ where it must not be", "$ nothing", line, "$ it must be where we are") == line


def test_a_query_in_capitals_asks_for_what_it_asks_for_in_small_letters() -> None:
    assert QueryTerms("WHERE ARE THE ERRORS").terms == QueryTerms("where are the errors").terms
