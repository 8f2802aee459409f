"""The rows that a superlative asks for: of the column that a query names, or the one that it may mean."""

import json

import pytest

from summarizing.extractive.extractive_summary import choose_from, extract, offer
from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.number_columns import number_columns
from summarizing.relevance.query_terms import QueryTerms
from summarizing.relevance.superlatives import extremes, superlative_of
from summarizing.slicing import slices
from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear

PROCESSES = """\
USER       PID %CPU %MEM    RSS STAT     TIME COMMAND
root         1  0.4  2.5  16084 SLl   0:37:01 init
root      2012 90.0  0.1   4084 R     1:04:09 yes
www        900 12.5 31.0 916084 Sl    0:02:10 java
www        901  2.5  8.0 212084 Sl    0:01:10 java
root      1500  0.0  0.0    884 S     0:00:00 sleep
root      1501  0.1  0.2   2884 S     2-01:00 cron
"""
SIZES = "\n".join(
    f"{size}\t/srv/{name}"
    for size, name in zip(["12K", "1.5M", "900", "2G", "8K", "4K"], "abcdef", strict=True)
)
CARS = """\
name,weight,mpg
ford,3504,18
vw,1937,29.5
fiat,"2,130",37.3
buick,3693,15
dodge,3651,17.7
"""
WEATHER = """\
date,temp_max,temp_min,wind
2012-01-01,12.8,5.0,4.7
2012-01-02,10.6,2.8,4.5
2012-01-03,11.7,7.2,2.3
2012-01-04,12.2,8.6,4.7
2012-01-05,18.9,2.8,6.1
"""
PODS = """\
NAME    READY   STATUS    RESTARTS      AGE
web-1   1/1     Running   0             5d
web-2   1/1     Running   3 (5h ago)    3h
web-3   1/1     Running   0             12m
web-4   1/1     Running   7 (2m ago)    45s
web-5   1/1     Running   0             30m
web-6   1/1     Running   0             2d4h
"""
CONTAINERS = """\
CONTAINER ID   NAME      CPU %     MEM USAGE / LIMIT   MEM %     NET I/O
a1b2c3d4e5f6   web       0.50%     120MiB / 7.6GiB     1.5%      1kB / 0B
b1b2c3d4e5f6   db        12.50%    920MiB / 7.6GiB     12.1%     2kB / 0B
c1b2c3d4e5f6   cache     90.10%    20MiB / 7.6GiB      0.3%      3kB / 0B
d1b2c3d4e5f6   queue     3.50%     220MiB / 7.6GiB     2.9%      4kB / 0B
e1b2c3d4e5f6   worker    8.50%     320MiB / 7.6GiB     4.2%      5kB / 0B
"""
LISTING = "\n".join(
    f"-rw-r--r-- 1 root root  {size} Jan 12 10:00 {name}"
    for size, name in zip([4096, 1024, 9216, 2048, 1280], ["a b", "c", "d", "e f", "g"], strict=True)
)
RECORDS = str(
    [{"name": name, "Load_Average": load} for name, load in zip("abcdef", [3, 14, 5, 9, 2, 6], strict=True)]
).replace("'", '"')
DIFF = "\n".join(
    f"src/{name}.py | {count:4} {'+' * count}"
    for name, count in zip("abcdef", [3, 14, 5, 9, 2, 6], strict=True)
)
COVERAGE = """\
---------- coverage: platform linux, python 3.12.4-final-0 -----------
Name                        Stmts   Miss  Cover   Missing
---------------------------------------------------------
app/__init__.py                 4      0   100%
app/api/orders.py             143     12    92%   44-49, 88, 101-105
app/billing/charge.py         120     77    36%   20-64, 80-111
app/cache.py                   41      0    97%   12
app/db/session.py              33     20    39%   5-24
app/tasks.py                   64     51    20%   8-58
---------------------------------------------------------
TOTAL                         405    160    60%
"""
IMAGES = """\
REPOSITORY    TAG       IMAGE ID       CREATED        SIZE
shop/web      1.14.2    3f9c2a1b7d10   2 days ago     184MB
shop/search   2.3.0     9ab34cd2ef01   3 weeks ago    1.2GB
shop/cart     0.9.1     77ce01ab34dd   2 hours ago    96.4MB
postgres      16.4      d3b0738aa1c2   5 weeks ago    431MB
busybox       latest    65ad0d468eb1   16 months ago  4.26MB
scratch       latest    75ad0d468eb1   7 weeks ago    900B
"""
FILES = """\
total 720
drwxr-xr-x 77 root     root      4096 Nov 28 20:40 .
drwxr-xr-x  3 root     root     99999 Jun 24  2025 cache
-rw-r--r--  1 root     root      3040 May 25  2023 adduser.conf
-rw-r--r--  1 root     root     73816 Feb 11  2023 mime.types
-rw-r-----  2 root     shadow     501 Feb 11  2023 shadow
lrwxrwxrwx  1 root     root        21 Jan 30  2023 files -> /etc/file-list/files
-rw-r--r--  1 root     root       833 Feb 10  2023 file.conf
"""
BENCHMARKS = """\
| Framework | Requests/s | Latency p99 (ms) | Memory (MB) |
|:--|--:|--:|--:|
| koa | 49,918 | 3.4 | 78 |
| fastify | 68,380 | 2.1 | 84 |
| express | 17,642 | 9.7 | 96 |
| hono | 66,012 | 2.2 | 71 |
| nest | 15,003 | 31.0 | 165 |
"""
SERVICES = """\
name,rss_mb,restarts,started
web,20,3,2026-01-04
api,922,0,2026-03-01
cron,94,7,2025-11-30
mail,131,1,2026-02-28
auth,168,9,2026-02-01
"""
DURATIONS = "\n".join(
    f"{time} call     tests/test_{name}.py"
    for name, time in zip("abcdef", ["0.30s", "12.41s", "5.22s", "900ms", "4.92s", "1.0s"], strict=True)
)


ORDERS = "order_id,customer_id,ordered_at,status,quantity,total\n" + "".join(
    f"{10_059 - at},{at * 53 % 90},2025-03-{30 - at // 2:02} {20 - at % 2}:00,shipped,{at * 7 % 11},{at * 37 % 61}.00\n"
    for at in range(60)
)


def _best(query: str, text: str) -> str:
    source = parse(text)
    worth = extremes(source, query, QueryTerms(query)).worth
    return source.of(max(worth, key=worth.__getitem__)) if worth else ""


@pytest.mark.parametrize(
    "query, text, row",
    [
        ("which process uses most memory", PROCESSES, "www        900"),
        ("highest %CPU", PROCESSES, "root      2012"),
        ("what is eating the cpu", PROCESSES, "root      2012"),
        ("what fills the disk", SIZES, "2G\t"),
        ("lowest PID", PROCESSES, "root         1"),
        ("what took the most time", PROCESSES, "root      1501"),
        ("welcher Prozess hat den größten RSS", PROCESSES, "www        900"),
        ("the biggest files", SIZES, "2G\t"),
        ("smallest file", SIZES, "900\t"),
        ("heaviest car", CARS, "buick"),
        ("la voiture au plus petit weight", CARS, "vw"),
        ("car with the highest mpg", CARS, "fiat"),
        ("host with the highest load", RECORDS, '{"name": "b"'),
        ("which file changed most", DIFF, "src/b.py"),
        ("the highest temperature", WEATHER, "2012-01-05"),
        ("the oldest pod", PODS, "web-1"),
        ("the youngest pod", PODS, "web-4"),
        ("which pod has the most restarts", PODS, "web-4"),
        ("which container uses the most memory", CONTAINERS, "b1b2"),
        ("which container uses the most cpu", CONTAINERS, "c1b2"),
        ("the largest file", LISTING, "-rw-r--r-- 1 root root  9216"),
        ("which files have the lowest coverage?", COVERAGE, "app/tasks.py"),
        ("highest coverage", COVERAGE, "app/__init__.py"),
        ("most missed statements", COVERAGE, "app/billing/charge.py"),
        ("largest images", IMAGES, "shop/search"),
        ("smallest image", IMAGES, "scratch"),
        ("oldest image", IMAGES, "busybox"),
        ("the newest image", IMAGES, "shop/cart"),
        ("the largest", FILES, "drwxr-xr-x  3"),
        ("largest files", FILES, "-rw-r--r--  1 root     root     73816"),
        ("smallest file", FILES, "-rw-r-----  2 root     shadow     501"),
        ("which directory is the smallest", FILES, "drwxr-xr-x 77"),
        ("most links", FILES, "drwxr-xr-x 77"),
        ("which framework uses the least memory", BENCHMARKS, "| hono"),
        ("which framework is fastest?", BENCHMARKS, "| fastify"),
        ("the slowest framework", BENCHMARKS, "| nest"),
        ("which service uses the most memory", SERVICES, "api"),
        ("which service had the fewest restarts", SERVICES, "api"),
        ("which service restarted least often", SERVICES, "api"),
        ("which service is the oldest", SERVICES, "cron"),
        ("slowest test", DURATIONS, "12.41s"),
    ],
)
def test_a_superlative_asks_for_the_row_with_that_value(query: str, text: str, row: str) -> None:
    assert _best(query, text).startswith(row)


@pytest.mark.parametrize("named", ["funding", "total_points", "Investment (USD)", "hospital beds"])
def test_most_of_what_a_column_is_called_asks_for_rows_however_the_word_ends(named: str) -> None:
    text = f"name,{named},staff\n" + "".join(f"firm{at},{at * 37 % 100},{at}\n" for at in range(20))
    query = "which firm has the most " + named.replace("_", " ").removesuffix(" (USD)").lower()
    assert _best(query, text) == "firm8,96,8"


@pytest.mark.parametrize(
    "query, row",
    [
        ("largest orders by total", "10031,"),
        ("biggest orders by the total", "10031,"),
        ("größte orders nach total", "10031,"),
        ("which orders have the smallest total", "10059,"),
        ("largest orders", "10031,"),
        ("orders with the highest quantity", "10056,"),
        ("largest orders by quantity, with their total", "10056,"),
        ("the newest orders", "10059,"),
        ("latest order", "10059,"),
        ("the earliest orders", "10000,"),
        ("highest order id", "10059,"),
    ],
)
def test_orders_are_ranked_by_the_column_asked_for_and_only_the_newest_by_dates(query: str, row: str) -> None:
    assert _best(query, ORDERS).startswith(row)


def test_dates_are_no_quantity() -> None:
    text = "\n".join(line.rsplit(",", 2)[0] for line in ORDERS.splitlines())
    assert not extremes(parse(text), "largest orders", QueryTerms("largest orders")).worth


@pytest.mark.parametrize("budget", [150, 180, 260, 300, 400])
def test_rows_with_the_greatest_value_come_before_all_lesser_ones(tokenizer: Tokenizer, budget: int) -> None:
    totals = [2241 if at % 31 == 5 else 1000 + at * 37 % 993 for at in range(300)]
    rows = [
        f"A-{10_000 + at},2025-03-{1 + at % 28:02},desk,{total}.00,shipped\n"
        for at, total in enumerate(totals)
    ]
    summary = extract(
        f"order_id,date,product,total,status\n{''.join(rows)}", budget, "highest total", tokenizer
    )
    told = [line.split(",")[3] for line in summary.text.splitlines() if line.startswith("A-")]
    assert len(told) > 3
    assert told.count("2241.00") == min(len(told), 10)


def test_rows_of_all_slices_of_a_long_table_are_compared_with_one_another(tokenizer: Tokenizer) -> None:
    rows = "".join(f"A-{at},2025-03-01 10:00,a desk,{at * 37 % 2003}.00\n" for at in range(2_003))
    text = f"order_id,ordered_at,product,total\n{rows}"
    query = "largest orders by total"
    offers = [offer(one.parsed(text), 300, query, tokenizer) for one in slices(text, len(text) // 4)]
    summary = choose_from(offers, 150, query, tokenizer).text
    told = [float(line.rsplit(",", 1)[1]) for line in summary.splitlines() if line.startswith("A-")]
    assert sorted(told, reverse=True) == [2_002 - at for at in range(len(told))]
    assert len(told) >= 3


def test_a_line_without_numbers_is_no_head_where_another_has_fewer_cells() -> None:
    text = f"{CONTAINERS}f1b2c3d4e5f6\n"
    assert all(column.head == 0 for column in number_columns(parse(CONTAINERS)))
    assert {column.head for column in number_columns(parse(text))} == {NO_SEGMENT}


def test_rows_are_worth_the_less_the_more_others_have_as_much() -> None:
    worth = extremes(parse(PROCESSES), "highest %MEM", QueryTerms("highest %MEM")).worth
    ordered = sorted(worth.values(), reverse=True)
    assert len(set(ordered)) == 6
    assert ordered[0] > 2 * ordered[2] > 0


def test_rows_with_a_greater_value_than_most_meet_the_query() -> None:
    source = parse(CARS)
    meeting = Scorer(source, "car with the highest mpg").meeting
    assert [source.of(index)[:4] for index in meeting if index] == ["vw,1", "fiat"]


def test_as_many_rows_are_told_as_fit_the_greatest_first(tokenizer: Tokenizer) -> None:
    sizes = [number * 37 % 101 for number in range(1, 21)]
    rows = "".join(f"blob-{number},{size},{'it is kept ' * 9}\n" for number, size in enumerate(sizes))
    summary = extract(f"name,size,note\n{rows}", 500, "the 12 largest", tokenizer).text
    told = [int(line.split(",")[1]) for line in summary.splitlines() if line.startswith("blob-")]
    assert len(told) >= 12
    assert set(told) >= set(sorted(sizes)[-12:])


def test_a_listing_is_ranked_though_it_has_no_word_of_the_query_and_is_not_said_to_match() -> None:
    scorer = Scorer(source := parse(SIZES), "the three heaviest pianos", rarity_of=the_tokenizer().rarity)
    assert not scorer.is_met
    assert not scorer.meeting
    relevance = scorer.relevance
    assert source.of(max(range(len(relevance)), key=relevance.__getitem__)).startswith("2G")


def test_a_text_of_which_a_listing_is_a_small_part_is_not_ranked_for_a_query_about_something_else() -> None:
    text = "\n\n".join(
        [*(f"Paragraph {number} is about tea." for number in range(20)), CARS.replace(",", " | ")]
    )
    assert not any(
        Scorer(parse(text), "the heaviest of all pianos", rarity_of=the_tokenizer().rarity).relevance
    )


def test_rows_of_several_tables_are_compared_with_one_another() -> None:
    rows = "\n".join(f"| {name} | {size} |" for name, size in zip("abcdef", [3, 14, 5, 9, 2, 6], strict=True))
    table = f"| file | size |\n| --- | --- |\n{rows}"
    text = f"# One disk\n\n{table}\n\n# Another\n\n{table.replace('14', '15')}"
    assert _best("largest file", text) == "| b | 15 |"


def test_the_row_asked_for_comes_before_those_with_other_words_for_large_in_sections_that_have_many() -> None:
    rows = [f"{number * 37 % 1009} 2024-01-05 /srv/maximum/{number}.txt" for number in range(1, 51)]
    rows += [f"{number * 41 % 1009} 2024-01-05 /var/{number}.txt" for number in range(51, 99)]
    source = parse("\n".join([*rows, "99999 2024-01-05 /var/x.txt"]))
    relevance = Scorer(source, "largest txt").relevance
    assert max(range(len(relevance)), key=relevance.__getitem__) == 98


HOSTS = [f"host{number:04d},{number * 7919 % 9973},{number % 89}" for number in range(300)]


@pytest.mark.parametrize("query", ["is host0005 the one with the highest mem", "host0005 highest mem"])
def test_a_row_that_the_query_names_comes_before_those_it_asks_for(query: str) -> None:
    document = parse("name,mem,temp\n" + "\n".join(HOSTS))
    relevance = Scorer(document, query, (), the_tokenizer().rarity).relevance
    assert document.of(relevance.index(max(relevance))) == HOSTS[5]


def test_the_row_below_a_head_gains_nothing_from_words_of_that_beside_it() -> None:
    rows = "".join(
        f"| shop{number} | {size} |\n" for number, size in enumerate((184, 96, 1200, 453, 431, 125))
    )
    document = parse(f"| image | size |\n| --- | --- |\n{rows}")
    relevance = Scorer(document, "largest images", (), the_tokenizer().rarity).relevance
    ranked = sorted(range(1, len(relevance)), key=lambda index: -relevance[index])
    assert [document.of(index).split()[3] for index in ranked[:4]] == ["1200", "453", "431", "184"]


@pytest.mark.parametrize("value", ["3.979,69", "1'234", "55 min", "43963 EUR"])
def test_a_column_with_a_number_that_cannot_be_read_ranks_no_rows(value: str) -> None:
    rows = [f"ware{number};{number},64" for number in range(20)]
    document = parse("\n".join(["name;price", *rows, f"last;{value}"]))
    assert not any(column.name == "price" for column in number_columns(document))


def test_rows_that_share_a_segment_are_not_ranked() -> None:
    document = parse("name,mem\n" + "\n".join(f"h{number},{number * 7919 % 9973}" for number in range(3_000)))
    assert any("\n" in document.of(index) for index in range(len(document.segments)))
    assert not list(number_columns(document))


def test_numbers_with_an_exponent_are_compared() -> None:
    rows = "".join(f'{{"id": "p{number}", "p_value": {10.0**-number}}}\n' for number in range(1, 9))
    (column,) = number_columns(parse(rows))
    assert min(column.values.values()) == 1e-8


def test_equal_values_are_worth_the_same() -> None:
    text = SIZES.replace("12K", "2G")
    worth = list(extremes(parse(text), "largest file", QueryTerms("largest file")).worth.values())
    assert worth[0] == worth[3] == max(worth)


@pytest.mark.parametrize(
    "query, text",
    [
        ("processes of root", PROCESSES),  # no superlative
        ("the most important users", PROCESSES),  # several columns, none of which is named
        ("at least two processes", PROCESSES),
        ("the highest mountain", WEATHER),  # its columns are of something else, be one of maxima
        (
            "the largest file",
            "\n".join(f"{number} line" for number in range(1, 9)),
        ),  # its numbers count the rows
        ("the largest file", "One is small.\n\nTwo are large."),
        ("the largest file", "3 a\n9 b\n1 c"),  # too few rows to rank
        ("the oldest file", SIZES),  # its only numbers are of something else
        ("the fastest disk", SIZES),
        ("at most 5 requests", BENCHMARKS),
    ],
)
def test_without_a_column_that_is_asked_for_no_row_comes_first(query: str, text: str) -> None:
    assert not extremes(parse(text), query, QueryTerms(query)).worth


def test_a_head_that_is_short_for_a_word_of_the_query_says_that_the_text_has_it() -> None:
    scorer = Scorer(parse(PROCESSES), "which process uses most memory", rarity_of=the_tokenizer().rarity)
    assert scorer.found.names == ("memory",)
    assert scorer.is_met


def test_a_superlative_names_a_column_that_the_text_has_under_another_word() -> None:
    met = Scorer(parse(CARS), "heaviest car", rarity_of=the_tokenizer().rarity)
    assert met.is_met
    assert not Scorer(parse(CARS), "oldest car", rarity_of=the_tokenizer().rarity).is_met


def test_the_row_asked_for_is_the_most_relevant_one() -> None:
    source = parse(PROCESSES)
    relevance = Scorer(source, "which process uses most memory").relevance
    best = max(range(1, len(relevance)), key=relevance.__getitem__)
    assert source.of(best).startswith("www        900")


@pytest.mark.parametrize(
    "query",
    [
        "most",
        "the most expensive product",
        "which site has the most traffic",
        "the highest",
        "plus lents",
        "el proceso con mayor memoria",
        "los mayores archivos",
    ],
)
def test_a_superlative_is_told_by_any_of_its_phrases(query: str) -> None:
    assert superlative_of(query) is not None


@pytest.mark.parametrize(
    "query",
    [
        "",
        "maximum size",
        "at least",
        "jobs with at most 5 retries",
        "il ne marche plus",
        "who is the mayor?",
        "the most important points",
        "the most recent status",
        "the most elegant rows",
        "most dangerous options",
        "what is most likely to fail",
    ],
)
def test_other_words_are_no_superlatives(query: str) -> None:
    assert superlative_of(query) is None


def test_files_are_ranked_where_their_links_look_like_code() -> None:
    names = [
        "libXau.so.6",
        "libXrender.so.1",
        "libabsl_bad_any.so.20220623",
        "libXcomposite.so.1",
        "libX11.so.6",
    ]
    lines = [
        line
        for size, name in enumerate(names, 1)
        for line in (
            f"lrwxrwxrwx  1 root root        20 Sep 19  2022 {name} -> {name}.0.0",
            f"-rw-r--r--  1 root root    {size}7048 Sep 19  2022 {name}.0.0",
        )
    ]
    text = "\n".join(lines)
    assert parse(text).segments[0].kind is SegmentKind.CODE
    assert _best("largest files", text) == lines[-1]


def test_a_row_is_not_put_first_for_a_word_that_names_the_column() -> None:
    source = parse(FILES)
    relevance = Scorer(
        source,
        "largest files",
        values=[{"path"} if "file.conf" in source.of(index) else () for index in range(len(source.segments))],
    ).relevance
    best = sorted(range(len(relevance)), key=relevance.__getitem__, reverse=True)
    assert [source.of(index).split()[4] for index in best[:2]] == ["73816", "3040"]


def test_a_column_that_is_called_otherwise_says_that_the_text_has_the_word() -> None:
    scorer = Scorer(parse(SERVICES), "which service uses the most memory", rarity_of=the_tokenizer().rarity)
    assert "memory" in scorer.found.names
    assert scorer.is_met


def test_a_listing_of_files_does_not_answer_questions_about_something_else() -> None:
    for query in (
        "the largest planet of the solar system",
        "the oldest bridge in Prague",
        "most famous painter",
    ):
        assert not Scorer(parse(FILES), query, rarity_of=the_tokenizer().rarity).is_met


def test_time_is_linear_in_the_rows() -> None:
    head, *rows = CARS.splitlines()

    def rank(count: int) -> None:
        extremes(parse("\n".join([head, *rows * count])), "heaviest car", QueryTerms("heaviest car"))

    assert is_linear(rank, 500)


@pytest.mark.parametrize("query, expected", [("newest release", "r4"), ("earliest release", "r2")])
def test_dates_rank_records_of_json(query: str, expected: str) -> None:
    dates = ["2021-03-04", "2019-11-30", "2015-01-02", "2022-12-01", "2024-02-29T10:00:00Z", "2020-06-06"]
    records = [
        {"name": f"r{number}", "released": date, "size": number * 7} for number, date in enumerate(dates)
    ]
    text = json.dumps(records)
    found = extremes(parse(text), query, QueryTerms(query)).worth
    assert f'"{expected}"' in parse(text).of(max(found, key=lambda index: found[index]))
