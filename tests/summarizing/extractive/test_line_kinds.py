"""Without a query, what is rare in a log is told: one line of each kind before a second of a common one."""

import json
import re
from random import Random

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.line_kinds import NO_KINDS, line_kinds
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

RARE = (
    "ERROR [pool-2] PaymentService - charge for order 88213 was declined: card expired (gateway code 54)",
    "WARN [sched] CacheJob - prices are 400 s old, the supplier did not answer",
)


def log(lines: int = 700) -> list[str]:
    """Return a log of a service: requests, orders, connections, and two rare lines in the midst of them."""
    random = Random(14)
    found = []
    for number in range(lines):
        thread, order = random.randint(1, 8), random.randint(10_000, 99_999)
        text = random.choice(
            [
                f"INFO [http-{thread}] AccessLog - GET /api/orders/{order} 200 in {random.randint(2, 90)} ms",
                f"INFO [http-{thread}] OrderService - order {order} stored for customer {order % 999}",
                f"DEBUG [pool-{thread}] ConnectionPool - {random.randint(1, 20)} of 20 connections in use",
                f"INFO [pool-{thread}] PaymentService - charge for order {order} accepted",
            ]
        )
        found.append((number * 17, text))
    found[431] = (431 * 17, RARE[0])
    found[555] = (555 * 17, RARE[1])
    return [f"2026-03-04 {at // 3600:02}:{at // 60 % 60:02}:{at % 60:02},512 {text}" for at, text in found]


@pytest.mark.parametrize("stamp", ["2026-03-04 ", "Mar  4 ", "127.0.0.1 - 2026-03-04T"])
def test_the_one_error_of_a_long_log_is_told(stamp: str, tokenizer: Tokenizer) -> None:
    text = "\n".join(line.replace("2026-03-04 ", stamp) for line in log())
    summary = extract(text, 300, "", tokenizer).text
    for line in RARE:
        assert line in summary


@pytest.mark.parametrize("target", [20, 60, 150])
@pytest.mark.parametrize("rare", ["failed: the disk is full", "Note:", "see below,"])
def test_each_line_is_shown_or_counted_where_two_share_a_segment(
    rare: str, target: int, tokenizer: Tokenizer
) -> None:
    lines = ["ok"] * 400 + [rare] + ["ok"] * 300
    found = extract("\n".join(lines), target, "", tokenizer).text.splitlines()
    counts = [int(mark[1]) for line in found if (mark := re.fullmatch(r"\[(\d+) .*left out\]", line))]
    shown = [line for line in found if not line.startswith("[")]
    assert counts
    assert len(shown) + sum(counts) == len(lines)


def test_each_common_kind_of_line_is_told_too(tokenizer: Tokenizer) -> None:
    summary = extract("\n".join(log()), 300, "", tokenizer).text
    for kind in ("AccessLog", "OrderService", "ConnectionPool", "accepted"):
        assert kind in summary


def test_lines_that_differ_in_values_are_of_one_kind() -> None:
    document = parse("\n".join(log()))
    templates, rarity, *_ = line_kinds(document)
    orders = {kind for at, kind in templates.items() if "stored for" in document.of(at)}
    assert orders == {("*", "INFO", "*", "OrderService", "-", "order", "*", "stored", "for", "customer", "*")}
    assert sum(rarity.values()) == pytest.approx(len(rarity))
    assert max(rarity, key=rarity.__getitem__) in (431, 555)


def test_a_log_of_one_kind_of_line_is_even() -> None:
    document = parse("".join(f"2026-03-04 08:00:{at:02} tick {at} of all\n" for at in range(60)))
    assert set(line_kinds(document).rarity.values()) == {1.0}


def test_a_text_without_stamps_has_no_templates() -> None:
    assert line_kinds(parse("One sentence.\n\n- An item\n- Another\n")) == NO_KINDS


def test_a_log_is_told_from_its_first_line_to_its_last_with_the_number_of_lines_of_each_kind(
    tokenizer: Tokenizer,
) -> None:
    lines = log()
    found = extract("\n".join(lines), 300, "", tokenizer).text.split("\n")
    assert found[0] == lines[0]
    shown = [line for line in found if not line.startswith("[")]
    assert shown[-1] == lines[-1]
    for kind in ("AccessLog", "OrderService", "ConnectionPool", "accepted"):
        last = max(number for number, line in enumerate(found) if kind in line)
        missing = sum(kind in line for line in lines) - sum(kind in line for line in shown)
        assert found[last + 1] == f"[{missing} lines like this left out]"


@pytest.mark.unmeasured
def test_the_marks_of_a_log_add_up_to_what_it_lacks(tokenizer: Tokenizer) -> None:
    lines = log()
    for target in range(60, 400, 40):
        found = extract("\n".join(lines), target, "", tokenizer).text.split("\n")
        counts = [int(line[1:].split()[0]) for line in found if line.startswith("[")]
        assert sum(counts) + len(found) - len(counts) == len(lines)


FAILED = ("test_orders_case_17", "test_prices_case_34")


def results_of_tests(of: str) -> str:
    """Return what a runner of tests prints, a line for each; two of 150 have failed."""
    names = [f"test_{'orders' if number % 2 else 'prices'}_case_{number}" for number in range(150)]
    return "".join(of.format(name=name, result="FAIL" if name in FAILED else "ok") for name in names)


@pytest.mark.parametrize(
    "of",
    [
        "{name} (shop.tests.Orders.{name}) ... {result}\n",
        "tests/shop.py::{name} {result}\n",
        "--- {result}: {name} (0.01s)\n",
        "tests/shop.py::{name} {result}          [ 50%]\n",
    ],
)
@pytest.mark.parametrize("query", ["", "what did not pass?"])
def test_of_what_tests_print_the_failures_are_told(of: str, query: str, tokenizer: Tokenizer) -> None:
    summary = extract(results_of_tests(of), 150, query, tokenizer).text
    for name in FAILED:
        assert name in summary


LISTING = "NAMESPACE   NAME                   READY   STATUS             RESTARTS\n" + "".join(
    f"{'shop' if number % 3 else 'ops':11} web-{number * 7919 % 1000:03}{'':15} {'1/1' if number % 61 else '0/1':7} "
    f"{'Running' if number % 61 else 'CrashLoopBackOff':18} {number % 4}\n"
    for number in range(1, 200)
)
ORDERS = "id,customer,status,note\n" + "".join(
    f"{number},c{number * 31 % 97},{'paid,' if number % 61 else 'REFUSED,card expired'}\n"
    for number in range(1, 200)
)
RECORDS = json.dumps(
    [{"name": f"web-{number}", "status": "up" if number % 61 else "LOST"} for number in range(1, 200)]
)


@pytest.mark.parametrize(
    "text, rare", [(LISTING, "CrashLoopBackOff"), (ORDERS, "REFUSED,card expired"), (RECORDS, '"LOST"')]
)
def test_of_a_listing_a_table_and_records_what_differs_from_the_rest_is_told(
    text: str, rare: str, tokenizer: Tokenizer
) -> None:
    assert extract(text, 250, "", tokenizer).text.count(rare) == text.count(rare) == 3


def orders(of: str, *, rare: str) -> str:
    """Return 900 orders, nearly each another combination of country, channel, product and status; one of a status of its own."""
    random = Random(5)
    rows = [
        of.format(
            number=1000 + number,
            country=random.choice(("DE", "FR", "US", "GB", "JP", "BR")),
            channel=random.choice(("web", "app", '"shop, phone"')),
            product=random.choice(("books", "toys", "food", "garden", "music")),
            status=rare if number == 611 else random.choice(("paid", "open", "shipped", "returned")),
            amount=random.randint(100, 99_999) / 100,
        )
        for number in range(900)
    ]
    return "".join(rows)


CSV = "{number},{country},{channel},{product},{status},{amount}\n"
JSON_LINES = '{{"id": {number}, "country": "{country}", "product": "{product}", "status": "{status}", "amount": {amount}}}\n'


@pytest.mark.parametrize("of, rare", [(CSV, "fraud"), (JSON_LINES, "fraud"), (CSV, "502")])
def test_a_rare_category_is_told_though_each_combination_of_categories_is_rare(
    of: str, rare: str, tokenizer: Tokenizer
) -> None:
    head = "id,country,channel,product,status,amount\n" if of is CSV else ""
    text = head + orders(of, rare=rare)
    row = next(line for line in text.splitlines() if line.startswith(("1611", '{"id": 1611')))
    assert row.replace(": ", ":").replace(", ", ",") in extract(text, 400, "", tokenizer).text.replace(
        ", ", ","
    )


def test_values_of_which_each_is_rare_are_not_rare() -> None:
    table = "id,name,amount\n" + "".join(f"{number},c{number * 7},{number * 3}\n" for number in range(200))
    assert set(line_kinds(parse(table)).rarity.values()) == {1.0}


def test_rare_lines_of_several_kinds_are_not_counted_as_alike(tokenizer: Tokenizer) -> None:
    lines = [f"test_case_{number} ... ok" for number in range(150)]
    for number, result in ((20, "FAIL"), (60, "ERROR"), (61, "ERROR"), (90, "ERROR")):
        lines[number] = f"test_case_{number} ... {result}"
    for target in range(40, 160, 20):
        found = extract("\n".join(lines), target, "", tokenizer).text
        assert not re.search(r"\[\d lines? like this", found)


def test_rows_that_are_alike_are_counted_as_rows(tokenizer: Tokenizer) -> None:
    assert re.search(
        r"^\[\d+ rows like this left out\]$", extract(ORDERS, 250, "", tokenizer).text, re.MULTILINE
    )


def test_lines_of_many_kinds_and_those_that_hang_on_others_are_no_log() -> None:
    various = "".join(f"{'<' * 9}{' ?' * (number % 40)}\n" for number in range(200))
    nested = "ports:\n" + "".join(f"  port{number}: open\n" for number in range(200))
    assert line_kinds(parse(various)) == NO_KINDS
    assert line_kinds(parse(nested)) == NO_KINDS


def test_what_is_asked_of_a_log_comes_without_the_numbers_of_its_kinds(tokenizer: Tokenizer) -> None:
    found = extract("\n".join(log()), 300, "charges that were declined", tokenizer).text
    assert "declined" in found
    assert "like this" not in found


def _installations() -> str:
    """Return the log of a package manager: of 20 runs each upgrades two of the many programs that it looks at."""
    lines: list[str] = []
    for run in range(20):
        at = f"2026-05-09 07:{10 + run}"
        tools = [f"tool-{number}:amd64 1.{number}-2+deb12u1" for number in range(run * 20, run * 20 + 20)]
        lines.append(f"{at}:02 startup packages configure")
        lines += [f"{at}:17 status unpacked {tool}" for tool in tools]
        lines += [f"{at}:31 upgrade {tool} 2.0-1+deb12u2" for tool in tools[:2]]
    return "\n".join(lines)


def test_a_line_of_a_log_that_comes_again_at_another_time_says_little_new(tokenizer: Tokenizer) -> None:
    found = extract(_installations(), 250, "which packages were upgraded", tokenizer).text
    assert found.count("startup packages configure") <= 2
    assert found.count(" upgrade ") >= 3


def test_it_says_something_new_to_who_asks_when(tokenizer: Tokenizer) -> None:
    found = extract(_installations(), 250, "when were packages configured", tokenizer).text
    assert found.count("startup packages configure") >= 5


ERRORS = (
    "error: no member named numrows in the struct",
    "error: expected a type before this token",
    "error: jump to label crosses its initialization",
    "error: too few arguments for this function",
)


def _warnings() -> str:
    """Return what a compiler prints: 60 warnings of one kind with the line of code below each, some errors among them, and the total."""
    lines: list[str] = []
    for number in range(60):
        said = "warning: a string constant is converted to char [-Wwrite-strings]"
        error = ERRORS[number // 13] if number % 13 == 8 else said
        lines.append(f"editor.c:{165 + number}:9: {error}")
        lines += [
            f'  {165 + number} |     names[{number}] = "word{number}", code{number * 7}();',
            "      |     ^~~~",
        ]
    return "\n".join([*lines, "56 warnings and 4 errors generated."])


def test_the_few_errors_and_the_total_of_many_warnings_are_told(tokenizer: Tokenizer) -> None:
    summary = extract(_warnings(), 180, "", tokenizer).text
    for line in (*ERRORS, "56 warnings and 4 errors"):
        assert line in summary


def _results() -> str:
    """Return what a runner of tests prints: names with words in them, five of 400 have failed, and the total in a section of its own."""
    lines = []
    for number in range(400):
        said = " ".join(f"v{number + at}" for at in range(number % 23))
        result = "FAILED" if number % 80 == 7 else "PASSED"
        lines.append(f"tests/test_options.py::test_case[args{number}-{said}] {result}")
    title = "=" * 30 + " {} " + "=" * 30
    start, end = [title.format("session starts"), ""], ["", title.format("FAILURES"), "", "E   it is", ""]
    return "\n".join([*start, *lines, *end, "5 failed, 395 passed"])


def test_names_of_more_or_fewer_words_make_no_kinds_and_the_last_line_is_told(tokenizer: Tokenizer) -> None:
    summary = extract(_results(), 300, "", tokenizer).text
    assert summary.count(" FAILED") == 5
    assert "5 failed, 395 passed" in summary


def test_lines_that_have_no_word_in_common_are_not_counted_as_alike(tokenizer: Tokenizer) -> None:
    various = [
        f"2026-03-04 08:{at // 60:02}:{at % 60:02} {chr(97 + at % 26) * 5}-{at} {chr(97 + at % 25) * 4}{at}"
        for at in range(200)
    ]
    summary = extract("\n".join(various), 300, "", tokenizer).text
    assert "lines left out" in summary
    assert "like this" not in summary


def test_what_a_query_asks_for_comes_before_rare_lines(tokenizer: Tokenizer) -> None:
    rare = [f"NOTE module {name} was loaded from the folder of {name}" for name in "abcdefghij"]
    lines = [f"GET /api/orders/{number} 200 in {number % 90} ms" for number in range(4000, 5500)]
    lines[711] = "GET /api/orders/4711 200 in 93211 ms"
    text = "\n".join([*rare, *lines])
    assert lines[711] in extract(text, 100, "how long did order 4711 take?", tokenizer).text


def test_what_room_is_left_rare_lines_come_first(tokenizer: Tokenizer) -> None:
    lines = [f"GET /api/orders/{number} 200 in {number % 90} ms" for number in range(4000, 4400)]
    lines[300] = "disk is nearly full: only a few of its blocks are free"
    found = extract("\n".join(lines), 300, "order 4171", tokenizer).text
    assert lines[171] in found
    assert lines[300] in found


def test_lines_are_rare_among_those_of_their_block_alone() -> None:
    hosts = "".join(f"| host{number} | up |\n" for number in range(60))
    orders = "".join(f"| {number} | paid | post |\n" for number in range(900))
    text = f"# Hosts\n\n| host | state |\n|---|---|\n{hosts}\n# Orders\n\n| id | state | by |\n|---|---|---|\n{orders}"
    assert set(line_kinds(parse(text)).rarity.values()) == {1.0}


def test_a_row_whose_values_stand_in_other_columns_is_of_another_kind() -> None:
    rows = [f"{number},paid,{number % 7},," for number in range(200)]
    rows[70], rows[90] = "70,,6,paid,", "90,paid,N/A,,"
    document = parse("id,state,count,note,more\n" + "\n".join(rows))
    kinds = line_kinds(document).rarity
    rarest = sorted(kinds, key=lambda index: -kinds[index])[:2]
    assert {document.of(index) for index in rarest} == {rows[70], rows[90]}


def test_the_mark_of_a_kind_of_line_stands_behind_what_hangs_on_the_line(tokenizer: Tokenizer) -> None:
    found = extract(_warnings(), 400, "", tokenizer).text.split("\n")
    at = next(number for number, line in enumerate(found) if "like this left out" in line)
    assert "|" in found[at - 1]
    last = max(number for number, line in enumerate(found) if number < at and "warning:" in line)
    assert all("|" in line for line in found[last + 1 : at])


def test_rows_that_meet_a_query_stand_beside_rare_ones_alone_and_the_number_of_the_others(
    tokenizer: Tokenizer,
) -> None:
    rows = "".join(
        f"{number},c{number * 31 % 97},{'Oslo' if number in (44, 90) else 'Rome'},"
        f"{'LOST' if number == 150 else 'paid'}\n"
        for number in range(1, 200)
    )
    found = extract(f"id,customer,city,status\n{rows}", 300, "orders from Oslo", tokenizer).text.split("\n")
    assert [line.split(",")[0] for line in found] == ["id", "44", "90", "150", "[196 rows left out]"]


def test_where_no_row_meets_a_query_rows_are_told_all_the_same(tokenizer: Tokenizer) -> None:
    assert extract(ORDERS, 250, "orders from Oslo", tokenizer).text.count("\n") > 5


PODS = """\
NAME          READY   STATUS             RESTARTS        AGE
api-2xk8p     2/2     Running            0               3d4h
api-7hj2q     2/2     Running            0               3d4h
api-9tz4m     1/2     CrashLoopBackOff   41 (2m ago)     3d4h
web-kk2x9     1/1     Running            1 (2d ago)      9d
web-pq8r5     1/1     Running            0               9d
db-0          1/1     Running            0               41d
redis-0       1/1     Running            0               41d
mailer-abcd   0/1     Pending            0               12m
"""


def test_of_a_short_table_the_rows_that_differ_from_most_are_told(tokenizer: Tokenizer) -> None:
    summary = extract(PODS, 100, "", tokenizer).text
    assert "CrashLoopBackOff" in summary
    assert "Pending" in summary


@pytest.mark.parametrize(
    "rows",
    [
        [("yes", "no"), ("no", "yes"), ("yes", "yes"), ("no", "no"), ("no", "yes"), ("yes", "no")],
        [("Oslo", "1, 2"), ("Rome", "3"), ("Paris", "4, 5, 6"), ("Bonn", "7"), ("Bern", "8, 9")],
    ],
)
def test_a_short_table_without_a_usual_cell_has_no_exceptions(rows: list[tuple[str, str]]) -> None:
    text = "| name | first | second |\n| --- | --- | --- |\n" + "".join(
        f"| row {at} | {first} | {second} |\n" for at, (first, second) in enumerate(rows)
    )
    assert not line_kinds(parse(text)).exceptions
