"""What facts are found in any kind of text, and how two spellings meet."""

import time

import pytest
from hypothesis import given

from summarizing.facts.finding import Kind, find
from tests.support.fact_texts import TEXTS, UNITS, repeated

SENTENCE = "It says that "


def keys(text: str, *kinds: Kind) -> list[str]:
    return [fact.key for fact in find(text) if fact.kind in kinds]


def labelled(text: str) -> dict[str, str]:
    return {fact.key: fact.label for fact in find(text) if fact.kind in (Kind.NUMBER, Kind.DATE)}


@pytest.mark.parametrize(
    "text, key",
    [
        ("1,250", "1250"),
        ("1 250", "1250"),
        ("1\u202f250", "1250"),
        ("1.250,5", "1250.5"),
        ("1,250.50", "1250.50"),
        ("1250 kg", "1250 kg"),
        ("1250kg", "1250 kg"),
        ("50 %", "50 %"),
        ("50%", "50 %"),
        ("50 percent", "50 %"),
        ("$5", "5 usd"),
        ("5 USD", "5 usd"),
        ("5.00 €", "5 eur"),
        ("3 GB", "3 gb"),
        ("3 GiB", "3 gib"),
        ("128Mi", "128 mib"),
        ("1.5k", "1500"),
        ("$5.5 million", "5500000 usd"),
        ("-5 °C", "-5 °c"),
        ("0/1", "0/1"),
        ("30-day", "30 d"),
        ("１２３４５", "12345"),
        ("12 apples", "12"),
    ],
)
def test_a_number_is_its_value_with_its_unit(text: str, key: str) -> None:
    assert keys(f"{SENTENCE}{text} was there.", Kind.NUMBER) == [key]


@pytest.mark.parametrize(
    "text, key",
    [
        ("March 3, 2026", "2026-03-03"),
        ("3 March 2026", "2026-03-03"),
        ("3rd of March 2026", "2026-03-03"),
        ("3. März 2026", "2026-03-03"),
        ("3 mars 2026", "2026-03-03"),
        ("3 марта 2026", "2026-03-03"),
        ("2026-03-03", "2026-03-03"),
        ("03.03.2026", "2026-03-03"),
        ("2026年3月3日", "2026-03-03"),
        ("13/03/2026", "2026-03-13"),
        ("03/04/2026", "03/04/2026"),
        ("March 3", "--03-03"),
        ("March 2026", "2026-03"),
        ("2026", "2026"),
        ("2026-03-03T10:00:07.123Z", "2026-03-03t10:00:07"),
        ("9:30", "09:30"),
        ("3:30 pm", "15:30"),
    ],
)
def test_a_date_is_as_much_of_iso_as_it_says(text: str, key: str) -> None:
    assert keys(f"{SENTENCE}{text} was it", Kind.DATE) == [key]


@pytest.mark.parametrize(
    "text, kind",
    [
        ("v1.2.3-rc1", Kind.VERSION),
        ("1.25.3", Kind.VERSION),
        ("https://a.example/b?c=d#e", Kind.URL),
        ("/etc/nginx/nginx.conf", Kind.PATH),
        ("config/app.yaml", Kind.PATH),
        ("main.py", Kind.PATH),
        ("8dadbcd", Kind.ID),
        ("550e8400-e29b-41d4-a716-446655440000", Kind.ID),
        ("ABC-123", Kind.ID),
        ("CVE-2024-12345", Kind.ID),
        ("checkout-7f9c6d-xzqwp", Kind.ID),
        ("kube-proxy-xzqwp", Kind.ID),
        ("john.smith@x.example", Kind.ID),
        ("10.0.0.3:5432", Kind.ID),
        ("SCREAMING_CASE", Kind.TERM),
        ("snake_case", Kind.TERM),
        ("camelCase", Kind.TERM),
        ("--dry-run", Kind.TERM),
    ],
)
def test_a_token_is_what_its_shape_says(text: str, kind: Kind) -> None:
    assert [(fact.kind, fact.key) for fact in find(f"it has {text}, they say")] == [(kind, text.casefold())]


@pytest.mark.parametrize(
    "text", ['"harbour gate"', "«harbour gate»", "« harbour gate »", "`harbour gate`", "„harbour gate“"]
)
def test_a_few_quoted_words_are_a_term_without_their_marks(text: str) -> None:
    assert keys(f"it is {text} here", Kind.TERM) == ["harbour gate"]
    assert keys("彼は「量子計算」と言った", Kind.TERM) == ["量子計算"]


def test_quoted_speech_is_searched_for_facts() -> None:
    assert keys(
        '"we saw 12 of them there, and then Olaf Berg left us," she said', Kind.NUMBER, Kind.NAME
    ) == [
        "12",
        "olaf berg",
    ]


@pytest.mark.parametrize(
    "text, names",
    [
        ("yesterday Marla Voss met O'Brien", ["marla voss", "o brien"]),
        ("the Bank of England and Maria de la Cruz", ["bank of england", "maria de la cruz"]),
        ("we saw Emberwick's walls", ["emberwick"]),
        ("the API is open", ["api"]),
        ("How J. R. R. Tolkien wrote", ["j r r tolkien"]),
        ("они видели, что Мария Иванова там", ["мар иванов"]),
        ("il a vu Émile Zola", ["emil zola"]),
        ("είδε την Μαρία Παπά εκεί", ["μαρ παπ"]),
    ],
)
def test_a_name_is_a_run_of_capitalised_words(text: str, names: list[str]) -> None:
    assert keys(text, Kind.NAME) == names


@pytest.mark.parametrize(
    "text, names",
    [
        ("The gate is open. However, it closed.", []),
        ("When Marla came, it rained.", ["marla"]),
        ("Deploy the app. Sales rose again.", []),
        ("Emberwick fell. They say Emberwick burned.", ["emberwick", "emberwick"]),
        ("Emberwick's walls fell.", ["emberwick"]),
        ("it runs SELECT name FROM boats WHERE x", []),
        ("at ten INFO started, by API", ["api"]),
        ("Deploy Marla Voss. They deploy it.", ["marla voss"]),
        ("- Running it\n- Stopping it\n", []),
        ("Der Hund ist in der Stadt und das Wasser ist mit dem Boot da. Er ist in Hamburg.", ["hamburg"]),
        ("Die Frau ist mit Klaus Meyer im Haus und nicht in der Stadt.", ["klaus meyer"]),
    ],
)
def test_few_words_at_sentence_starts_and_german_nouns_are_taken_for_names(
    text: str, names: list[str]
) -> None:
    assert keys(text, Kind.NAME) == names


@pytest.mark.parametrize(
    "text, key, label",
    [
        ("replicas: 3", "3", "replica"),
        ('{"replicas": 3}', "3", "replica"),
        ('{"replicas": "3"}', "3", "replica"),
        ("replicas=3", "3", "replica"),
        ("- **Max retries**: 3", "3", "max retry"),
        ("it listens on Port 8007 now", "8007", "port"),
        ("she has 12 apples", "12", "appl"),
        ("created: 2026-03-03", "2026-03-03", "creat"),
        ("| Name | Boats |\n|---|---|\n| Olaf | 7 |\n", "7", "boat"),
        ("NAME    READY   RESTARTS   AGE\nweb     yes     4          5d\n", "4", "restart"),
    ],
)
def test_a_number_knows_what_it_stands_under(text: str, key: str, label: str) -> None:
    assert labelled(text)[key] == label


def test_a_listing_gives_its_pods_states_and_counts() -> None:
    text = (
        "NAMESPACE   NAME                    READY   STATUS             RESTARTS   AGE   IP\n"
        "prod        checkout-7f9c6d-xzqwp   0/1     CrashLoopBackOff   12         5d    10.0.3.17\n"
    )
    row = [(fact.kind, fact.key, fact.label) for fact in find(text) if fact.start > text.index("\n")]
    assert row == [
        (Kind.ID, "checkout-7f9c6d-xzqwp", ""),
        (Kind.NUMBER, "0/1", "ready"),
        (Kind.TERM, "crashloopbackoff", ""),
        (Kind.NUMBER, "12", "restart"),
        (Kind.NUMBER, "5 d", "age"),
        (Kind.ID, "10.0.3.17", ""),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-03 10:00:00,123 ERROR db: connection refused",
        "ValueError: expected a positive integer, got 'x'",
        "Caused by: java.io.IOException: broken pipe".replace("IOException", "FileException"),
        "main.c:12:5: error: expected ';'",
        'ts=1 level=error msg="no route"',
        '{"level": "error", "msg": "no route"}',
        "panic: runtime error",
    ],
)
def test_an_error_line_is_one_fact_and_holds_others(line: str) -> None:
    found = [fact for fact in find(f"all is well\n{line}\nall is well") if fact.kind is Kind.ERROR]
    assert [(fact.start, fact.end) for fact in found] == [(12, 12 + len(line))]


@pytest.mark.parametrize("line", ["the error budget is spent", "An Error was found by her", "no ERROR here"])
def test_a_sentence_about_errors_is_no_error_line(line: str) -> None:
    assert keys(line, Kind.ERROR) == []


def test_the_values_of_a_row_are_numbers_each() -> None:
    assert keys("olaf,12,5,8\n", Kind.NUMBER) == ["12", "5", "8"]
    assert keys("it took 1,250,000 steps", Kind.NUMBER) == ["1250000"]


def test_an_address_ends_where_its_text_ends() -> None:
    assert [(fact.start, fact.end) for fact in find("at http://x.example/(a b")] == [(3, 22)]


def test_digits_of_another_script_before_what_looks_like_a_month_are_a_number() -> None:
    assert keys("٣ Maraca", Kind.NUMBER) == ["٣"]


def test_the_key_of_a_record_is_given_once() -> None:
    assert keys('[{"host": 1}, {"host": 2}]', Kind.NAME) == ["host"]


@given(TEXTS)
def test_facts_lie_in_the_text_in_order_and_only_error_lines_hold_others(text: str) -> None:
    last_start = last_end = 0
    for fact in find(text):
        assert 0 <= fact.start < fact.end <= len(text)
        assert fact.start >= last_start
        assert fact.key
        last_start = fact.start
        if fact.kind is not Kind.ERROR:
            assert fact.start >= last_end
            last_end = fact.end


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_repetition_is_searched_at_once(unit: str) -> None:
    text = repeated(unit)
    facts = find(text)
    assert facts == sorted(facts, key=lambda fact: fact.start)
    assert all(0 <= fact.start < fact.end <= len(text) for fact in facts)


def test_numbers_far_behind_a_space_are_read_in_linear_time() -> None:
    def least(lines: int) -> float:
        return min(once(f"{'x' * 30} 12\n" * lines) for _ in range(3))

    def once(text: str) -> float:
        start = time.thread_time()
        find(text, german=False)
        return time.thread_time() - start

    # Of 4 times the text linear work takes 4 times as long, quadratic 16.
    assert least(8_000) < 8 * least(2_000)
