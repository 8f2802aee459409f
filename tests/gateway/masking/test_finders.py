"""Which searches a text is put to is decided by words, and that a search is left out loses no secret."""

from collections.abc import Iterator
from functools import partial
from heapq import merge

from hypothesis import given
from hypothesis import strategies as st

from gateway.masking.finders import Finder, Finders
from gateway.masking.masker import Masker
from gateway.masking.secret import Secret
from gateway.masking.secret_shapes import GENERATED, generated_rules
from gateway.masking.stretches import FEW_CHARS

CANARY = "hunter2canary"
TEXTS = [
    f"password: {CANARY}",
    f"Bearer 1{CANARY}",
    f"postgres://bob:{CANARY}@db.example/app",
    f"{CANARY}@example.org",
    "pass\u200bword: " + CANARY,
    f"mysql -p{CANARY}",
    f"--token {CANARY}",
    f"<password>{CANARY}</password>",
    "ghp_" + "a1B2" * 9,
    f"kind: Secret\ndata:\n  a: {CANARY}",
    f'passwords: ["{CANARY}"]',
    "plain",
    "a: b - c = d",
    "." * FEW_CHARS,
    f"{'.' * FEW_CHARS} token={CANARY}",
]
VALUES = st.recursive(
    st.sampled_from(TEXTS),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", *TEXTS]), inner),
)


def a_find(word: str, asked: list[str], text: str) -> Iterator[Secret]:
    asked.append(word)
    return iter(())


def test_a_text_is_searched_by_those_alone_whose_words_it_has() -> None:
    asked: list[str] = []
    words: list[tuple[str, ...]] = [("secret",), ("@", "://"), ("-----begin",), ()]
    finders = Finders(Finder(partial(a_find, " ".join(each), asked), each) for each in words)
    assert list(merge(*finders.found("a SECRET @ home"))) == []
    assert asked == ["secret", "@ ://", ""]
    asked.clear()
    finders.for_short_texts_in({"a": ["b@c", f"secret {'.' * FEW_CHARS}"]}).found("a SECRET @ home")
    assert asked == ["@ ://", ""]


@given(VALUES)
def test_a_text_in_a_value_is_masked_as_one_by_itself(value: object) -> None:
    masker = Masker(generated_rules(GENERATED.read_text("utf-8")))
    assert masker.mask_json({"a": value}) == each_masked(masker, {"a": value})


def each_masked(masker: Masker, value: object) -> object:
    if isinstance(value, str):
        return masker.mask(value)
    if isinstance(value, list):
        return [each_masked(masker, each) for each in value]
    if isinstance(value, dict):
        return {masker.mask(name): each_masked(masker, inner) for name, inner in value.items()}
    return value
