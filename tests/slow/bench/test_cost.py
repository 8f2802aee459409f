"""What summarizing without a model costs, as far as it does not depend on the machine: work done, and its shortcuts.

The figures themselves are bench/cost.py's.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.cost import long_brief
from bench.cost_texts import texts
from summarizing.extractive.selection import FEW_STALE, MAX_STALE, MIN_WEIGHINGS, Reading, _Chooser
from summarizing.relevance import value_shapes
from summarizing.relevance.scoring import Asked
from summarizing.text import boilerplate
from summarizing.text.stemming import Stems
from tests.support.laws import examples
from tests.support.parts import the_tokenizer

law = examples(50)


@pytest.mark.parametrize("target", [500, 5_000])
@pytest.mark.parametrize("name", ["versions", "csv narrow", "prose"])
def test_a_unit_is_weighed_once_or_twice_however_many_are_alike(name: str, target: int) -> None:
    text = texts()[name](200_000)
    reading = Reading(text, "")
    chooser = _Chooser(text, reading.document, reading.scorer, target, the_tokenizer())
    kept = chooser.choose(range(len(reading.document.units)))
    most = MIN_WEIGHINGS + len(reading.document.units) + MAX_STALE + len(kept) * (FEW_STALE + 1)
    assert 0 < chooser._weighings <= most


def has(stretch: str, need: value_shapes.Need) -> bool:
    """Return whether a stretch has what every stretch with some value has."""
    found = need.pattern.search(stretch) if need.pattern else None
    return any(part in stretch for part in need.parts) or found is not None


@law
@given(st.data())
@pytest.mark.parametrize("name", value_shapes.shapes())
def test_a_value_has_what_is_looked_for_before_it(name: str, data: st.DataObject) -> None:
    shape = value_shapes.shapes()[name]
    stretch = data.draw(st.from_regex(shape.pattern))
    assert has(stretch, shape.need)
    assert has(value_shapes.without_digits(stretch), shape.need)
    assert has(stretch, shape.need.of_parts_in(f"some {stretch} 1"))


@law
@given(st.data())
@pytest.mark.parametrize("name", value_shapes.shapes())
def test_a_value_is_seen_in_a_text_without_its_digits(name: str, data: st.DataObject) -> None:
    shape = value_shapes.shapes()[name]
    stretch = data.draw(st.from_regex(shape.pattern) | st.text("0123456789 .:-/,%$+#hAb_\u0661", max_size=40))
    seen = shape.like.search(value_shapes.without_digits(stretch)) is not None
    has_value = shape.pattern.search(stretch) is not None
    assert seen == has_value if shape.is_blind else seen >= has_value


@law
@given(st.lists(st.text("0123459 .:-/,%$+#hAbZ_error\n\u0661", max_size=30), max_size=8), st.integers(0, 8))
def test_shortcuts_see_what_the_patterns_do(lines: list[str], sampled: int) -> None:
    stems = Stems()
    asked = Asked(long_brief(), stems, {}, len(lines), sample=lines[:sampled], content="\n".join(lines))
    for line in lines:
        seen = [number for number, (shape, _) in enumerate(asked._values) if shape.pattern.search(line)]
        assert list(asked.find((), line).values) == seen


@law
@given(st.from_regex(boilerplate._NOTICE))
def test_a_notice_has_what_is_looked_for_before_it(stretch: str) -> None:
    folded = boilerplate._folded(stretch)
    assert any(part in folded for part in boilerplate._NEEDED_BY_NOTICES)


@law
@given(st.from_regex(boilerplate._MENU_WORD))
def test_a_word_of_a_menu_has_what_is_looked_for_before_it(stretch: str) -> None:
    folded = boilerplate._folded(stretch)
    assert any(part in folded for part in boilerplate._NEEDED_BY_MENU_WORDS)
