"""What pytest prints: each frame stands under its own test, and without a query the results of all are told."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import Document, SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

FRAMES = """\
F.....................................F......................Fxs........ [ 67%]
................................FF.                                  [100%]
=================================== FAILURES ===================================
______________________________ CartTest.test_tax _______________________________

self = <test_shop.CartTest testMethod=test_tax>

    def test_tax(self):
        c=Cart(); c.add('a',10,3)
>       self.assertEqual(c.total(0.19),35.71)
E       AssertionError: 35.7 != 35.71

test_shop.py:246: AssertionError
_______________________ CartTest.test_total_of_37_items ________________________

self = <test_shop.CartTest testMethod=test_total_of_37_items>

    def test_total_of_37_items(self):
        c=Cart()
        for k in range(37): c.add('x%d'%k,1.5)
>       self.assertEqual(c.total(),55.0)
E       AssertionError: 55.5 != 55.0

test_shop.py:155: AssertionError
____________________________ CartTest.test_zero_qty ____________________________

self = <test_shop.CartTest testMethod=test_zero_qty>

    def test_zero_qty(self):
>       with self.assertRaises(TypeError): Cart().add('a',1,0)
E       ValueError: qty must be positive

test_shop.py:248: ValueError
___________________________ MoneyTest.test_thousands ___________________________

self = <test_shop.MoneyTest testMethod=test_thousands>

    def test_thousands(self):
>       self.assertEqual(parse_money('1.234,50 €'),1234.5)

test_shop.py:331: \n_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ \n
s = '1.234,50 €'

    def parse_money(s):
>       return float(s.replace("€","").replace(",","."))
E       ValueError: could not convert string to float: '1.234.50 '

shop.py:10: ValueError
__________________________ FileTest.test_missing_file __________________________

self = <test_shop.FileTest testMethod=test_missing_file>

    def test_missing_file(self):
>       json.load(open('/nonexistent/prices.json'))
E       FileNotFoundError: [Errno 2] No such file or directory: '/nonexistent/prices.json'

test_shop.py:338: FileNotFoundError
___________________________ FileTest.test_subs (k=2) ___________________________

self = <test_shop.FileTest testMethod=test_subs>

    def test_subs(self):
        for k in range(4):
>           with self.subTest(k=k): self.assertNotEqual(k,2)
E           AssertionError: 2 == 2

test_shop.py:341: AssertionError
=========================== short test summary info ============================
FAILED test_shop.py::CartTest::test_tax - AssertionError: 35.7 != 35.71
FAILED test_shop.py::CartTest::test_total_of_37_items - AssertionError: 55.5 ...
FAILED test_shop.py::CartTest::test_zero_qty - ValueError: qty must be positive
FAILED test_shop.py::MoneyTest::test_thousands - ValueError: could not conver...
FAILED test_shop.py::FileTest::test_missing_file - FileNotFoundError: [Errno ...
SUBFAILED(k=2) test_shop.py::FileTest::test_subs - AssertionError: 2 == 2
6 failed, 100 passed, 1 skipped, 1 xfailed in 2.94s
"""

SHORT = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0
benchmark: 5.2.3 (defaults: timer=time.perf_counter disable_gc=False min_rounds=5 min_time=0.000005 max_time=1.0 calibration_precision=10)
rootdir: /srv/shop
plugins: anyio-4.16.0, hypothesis-6.155.2, benchmark-5.2.3
collected 107 items

test_shop.py F.....................................F.................... [ 55%]
..Fxs........................................FF.                        [100%]

=================================== FAILURES ===================================
______________________________ CartTest.test_tax _______________________________
test_shop.py:246: in test_tax
    self.assertEqual(c.total(0.19),35.71)
E   AssertionError: 35.7 != 35.71
___________________________ MoneyTest.test_thousands ___________________________
test_shop.py:331: in test_thousands
    self.assertEqual(parse_money('1.234,50 €'),1234.5)
                     ^^^^^^^^^^^^^^^^^^^^^^^^
shop.py:10: in parse_money
    return float(s.replace("€","").replace(",","."))
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
E   ValueError: could not convert string to float: '1.234.50 '
=========================== short test summary info ============================
FAILED test_shop.py::CartTest::test_tax - AssertionError: 35.7 != 35.71
FAILED test_shop.py::MoneyTest::test_thousands - ValueError: could not conver...
============= 2 failed, 103 passed, 1 skipped, 1 xfailed in 2.81s ==============
"""


def titles_in_underscores_above(document: Document, text: str) -> list[str]:
    """Return the titles in underscores above the segment that begins so."""
    index = next(at for at in range(len(document.segments)) if document.of(at).startswith(text))
    above = map(document.of, document.above(index))
    return [title.strip("_ ") for title in above if title[0] == "_"]


@pytest.mark.parametrize(
    "text, test",
    [
        ("test_shop.py:246", "CartTest.test_tax"),
        ("test_shop.py:155", "CartTest.test_total_of_37_items"),
        ("def test_total_of_37_items", "CartTest.test_total_of_37_items"),
        ("test_shop.py:331", "MoneyTest.test_thousands"),
        ("E       ValueError: could not", "MoneyTest.test_thousands"),
        ("shop.py:10", "MoneyTest.test_thousands"),
        ("def test_missing_file", "FileTest.test_missing_file"),
        ("test_shop.py:338", "FileTest.test_missing_file"),
    ],
)
def test_each_frame_stands_under_its_own_test_alone(text: str, test: str) -> None:
    assert titles_in_underscores_above(parse(FRAMES), text) == [test]


def test_places_in_files_and_functions_are_no_titles_beside_titles_in_rules() -> None:
    document = parse(FRAMES)
    titles = [
        document.of(at) for at, segment in enumerate(document.segments) if segment.kind is SegmentKind.HEADING
    ]
    assert all(title[0] in "=_" for title in titles)


@pytest.mark.parametrize("text, target", [(FRAMES, 450), (SHORT, 150)])
def test_without_a_query_what_sums_up_the_tests_is_told(text: str, target: int, tokenizer: Tokenizer) -> None:
    summary = extract(text, target, "", tokenizer).text
    results = [
        line for line in text.splitlines() if line.startswith(("FAILED", "SUBFAILED")) or "xfailed in" in line
    ]
    assert [line for line in results if line not in summary] == []
