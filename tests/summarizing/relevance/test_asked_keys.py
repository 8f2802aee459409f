"""A query that names a key of records asks for what stands under it, not for their other members."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.relevance import bm25f
from summarizing.relevance.bm25f import EXPONENT, LEAST_SHARE_OF_BEST, OTHER_KEY_WEIGHT, Scorer
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

TOPICS = ("ageing", "plating", "fading", "swelling", "charging", "cooling")
BIBLIOGRAPHY = "\n".join(
    f"""\
- key: writer{number}
  title: On the {topic} of cells
  author: Anna Writer{number} and Bob Reader{number}
  journal: Journal of Chemistry
  pages: {number}00 to {number}20
"""
    for number, topic in enumerate(TOPICS, 1)
)


@pytest.fixture
def no_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a member weigh the same wherever it stands."""
    monkeypatch.setattr(bm25f, "SECTION_GAIN", 0.0)


def _weights(query: str) -> dict[str, float]:
    """Return for each member what its relevance is multiplied by."""
    document = parse(BIBLIOGRAPHY)
    scorer = Scorer(document, query)
    least = LEAST_SHARE_OF_BEST * max(scorer.scores)
    return {
        document.of(index): relevance / (score + least) ** EXPONENT
        for index, (relevance, score) in enumerate(zip(scorer.relevance, scorer.scores, strict=True))
    }


def test_members_under_other_keys_than_the_one_named_come_after_it(tokenizer: Tokenizer) -> None:
    summary = extract(BIBLIOGRAPHY, 130, "titles about cells", tokenizer).text
    assert [topic for topic in TOPICS if f"On the {topic} of cells" not in summary] == []


@pytest.mark.usefixtures("no_sections")
def test_where_no_key_is_named_no_member_weighs_less() -> None:
    assert list(_weights("swelling").values()) == pytest.approx([1.0] * len(_weights("swelling")))


@pytest.mark.usefixtures("no_sections")
def test_a_member_with_a_word_of_the_query_weighs_what_it_did() -> None:
    weights = _weights("titles, and what Anna Writer4 wrote")
    assert weights["author: Anna Writer4 and Bob Reader4"] == pytest.approx(1.0)
    assert weights["title: On the swelling of cells"] == pytest.approx(1.0)
    assert weights["pages: 400 to 420"] == pytest.approx(OTHER_KEY_WEIGHT)
