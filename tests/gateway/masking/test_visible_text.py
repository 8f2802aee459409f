"""Invisible signs hide no secret, and what is found stands where it stood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.masking.masker import Masker
from gateway.masking.secret import Secret
from gateway.masking.visible_text import VisibleText, visible

CANARY = "hunter2canary"
TEXTS = st.text(st.sampled_from("ab \u200b\u200d\ufeff\u00adé😉\n"))


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "\u200b\u200b", "\U000e0041"]
)
def test_invisible_signs_hide_no_secret(sign: str) -> None:
    masker = Masker(())
    for name in (f"pass{sign}word", f"{sign}api_k{sign}ey"):
        masked = masker.mask(f"é{sign}x {name}{sign}: {CANARY[:5]}{sign}{CANARY[5:]}{sign} end")
        assert CANARY[5:] not in masked
        assert masked.startswith(f"é{sign}x {name}{sign}: [masked secret ")
        assert masked.endswith(f"]{sign} end")
        assert CANARY not in str(masker.mask_json({name: CANARY}))


def test_signs_of_emoji_stay() -> None:
    text = "a family 👨\u200d👩\u200d👧 with a heart ❤\ufe0f and soft\u00adware"
    assert Masker(()).mask(text) == text


@given(TEXTS, st.data())
def test_what_is_seen_is_found_in_the_given_text(text: str, data: st.DataObject) -> None:
    seen = VisibleText(text)
    assert seen.text == visible(text)
    if not seen.text:
        return
    start = data.draw(st.integers(0, len(seen.text) - 1))
    end = data.draw(st.integers(start + 1, len(seen.text)))
    found = seen.in_given(Secret(start, end, "x"))
    there = text[found.start : found.end]
    assert visible(there) == seen.text[start:end]
    assert visible(there[0])
    assert visible(there[-1])
