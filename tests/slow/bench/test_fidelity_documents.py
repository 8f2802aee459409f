"""The documents that fidelity is measured on: that they are what the measurement says they are."""

from collections import Counter

import pytest

from bench.fidelity import judge
from bench.fidelity.documents import Document, documents
from bench.fidelity.folding import fold
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary

SEED, OTHER_SEED = 11, 12

# What the lines of the facts may take of a document: a tenth must be able to hold them.
LEAST_SHARE, MOST_SHARE = 0.038, 0.072

KINDS = {
    "wiki", "minutes", "mail", "product", "api", "changelog", "handbook", "kubernetes", "log", "table", "json",
}  # fmt: skip


@pytest.fixture(scope="module")
def written() -> list[Document]:
    return documents(SEED)


@pytest.fixture(scope="module")
def sizes(written: list[Document]) -> dict[str, int]:
    count = load_tokenizer(read_vocabulary()).count
    return {document.name: count(document.text) for document in written}


def test_every_kind_is_there_and_each_document_has_a_name_of_its_own(written: list[Document]) -> None:
    assert {document.kind for document in written} == KINDS
    assert {document.language for document in written} >= {"en", "de", "fr"}
    assert len({document.name for document in written}) == len(written)


def test_the_same_seed_writes_the_same_texts(written: list[Document]) -> None:
    assert documents(SEED) == written


def test_another_seed_writes_other_texts_facts_and_hints(written: list[Document]) -> None:
    others = {document.name: document for document in documents(OTHER_SEED)}
    for document in written:
        facts = {fact.parts for fact in document.gold} & {fact.parts for fact in others[document.name].gold}
        assert document.text != others[document.name].text
        assert len(facts) <= len(document.gold) / 5, document.name
    assert sum(document.schema_hint != others[document.name].schema_hint for document in written) > 20


def test_every_fact_is_a_line_of_its_document_with_all_its_parts(written: list[Document]) -> None:
    for document in written:
        for fact in (*document.gold, *document.others):
            assert fact.line in document.text
            assert all(fold(part) in fold(fact.line) for part in fact.parts), fact


def test_there_are_facts_to_find_and_facts_to_leave(written: list[Document]) -> None:
    for document in written:
        assert len(document.gold) >= 12, document.name
        assert len({fact.parts for fact in document.gold}) == len(document.gold)
        assert document.others, document.name


def test_no_hint_names_a_value_of_its_document(written: list[Document]) -> None:
    for document in written:
        for part in (part for fact in document.gold for part in fact.parts):
            if any(map(str.isdigit, part)) or part.istitle():
                assert fold(part) not in fold(document.schema_hint)


def test_a_document_keeps_all_its_facts_and_claims_nothing_else(written: list[Document]) -> None:
    for document in written:
        assert judge.recall(document, document.text) == 1.0, document.name
        assert judge.unsupported(document, document.text) == [], document.name


def test_the_lines_of_the_facts_alone_keep_all_of_them(written: list[Document]) -> None:
    for document in written:
        lines = "\n".join(fact.line for fact in document.gold)
        assert judge.recall(document, lines) == 1.0, document.name
        assert judge.unsupported(document, lines) == [], document.name


def test_what_is_left_without_these_lines_keeps_next_to_nothing(written: list[Document]) -> None:
    for document in written:
        rest = document.text
        for fact in document.gold:
            rest = rest.replace(fact.line, "")
        assert judge.recall(document, rest) < 0.1, document.name


def test_the_lines_of_the_facts_take_a_twentieth_of_a_document(
    written: list[Document], sizes: dict[str, int]
) -> None:
    count = load_tokenizer(read_vocabulary()).count
    for document in written:
        share = sum(count(line) for line in {fact.line for fact in document.gold}) / sizes[document.name]
        assert LEAST_SHARE < share < MOST_SHARE, (document.name, share)


def test_sizes_are_those_that_people_send(written: list[Document], sizes: dict[str, int]) -> None:
    prose = {"wiki", "minutes", "mail", "product"}
    fitting = [
        d for d in written if d.kind in prose and d.language == "en" and 6_000 <= sizes[d.name] <= 12_000
    ]
    assert 180_000 < sizes["handbook-200k"] < 230_000
    assert sum(18_000 <= size <= 42_000 for size in sizes.values()) in (2, 3, 4)
    assert sum(4_000 <= size <= 12_000 for size in sizes.values()) > len(written) * 0.75
    assert len(fitting) >= 6


def test_facts_stand_everywhere_also_in_the_last_line_and_in_tables(written: list[Document]) -> None:
    tenths: Counter[int] = Counter()
    for document in written:
        places = [document.text.find(fact.line) / len(document.text) for fact in document.gold]
        tenths.update(int(place * 10) for place in places)
    ends = [document for document in written if document.text.rstrip().endswith(document.gold[0].line)]
    lasts = [d for d in written if any(d.text.rstrip().endswith(fact.line.rstrip()) for fact in d.gold)]
    rows = sum(fact.line.startswith("|") for document in written for fact in document.gold)
    assert len(tenths) == 10
    assert min(tenths.values()) > sum(tenths.values()) / 30
    assert len(lasts) >= 8
    assert len(ends) < len(written)
    assert rows > 50
