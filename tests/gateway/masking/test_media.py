"""Pictures and sounds without a known secret pass through masking as they are; what only says that it is one does not."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.masking.masker import KnownSecrets, Masker
from gateway.masking.media import CHARS_AT_ONCE

SECRET = "aSecretOfTheConfiguration"
DATA = "QUFB" * 600
DATA_WITH_SECRET = "QUFB" * 300 + SECRET + "QUFB" * 300
MASKERS = [Masker((), [SECRET]), KnownSecrets([SECRET])]


def block(**members: Any) -> dict[str, Any]:
    return {"type": "image", "mimeType": "image/png", "data": DATA, **members}


@pytest.mark.parametrize("masker", MASKERS)
@pytest.mark.parametrize(
    "passing", [block(), block(type="audio"), block(data=f"{DATA}\n{DATA}=="), block(data=DATA * 500)]
)
def test_pictures_and_sounds_pass(masker: KnownSecrets, passing: dict[str, Any]) -> None:
    given = {"content": [{"type": "text", "text": SECRET}, passing]}
    assert masker.mask_json(given)["content"][1] == passing
    assert SECRET not in masker.mask_json(given)["content"][0]["text"]


@pytest.mark.parametrize("masker", MASKERS)
@pytest.mark.parametrize(
    "other",
    [
        block(type="text", data=DATA_WITH_SECRET),
        block(data=SECRET),
        block(data=DATA_WITH_SECRET),
        block(data=f"{DATA_WITH_SECRET} password: one"),
        block(data="QUFB" * (CHARS_AT_ONCE // 4) + f"{SECRET}: "),
        {"type": "image", "data": {"a": DATA_WITH_SECRET}},
        {"type": "image", "text": DATA_WITH_SECRET},
    ],
)
def test_what_is_none_is_masked(masker: KnownSecrets, other: dict[str, Any]) -> None:
    assert SECRET not in str(masker.mask_json(other))


@pytest.mark.parametrize("masker", MASKERS)
def test_what_stands_beside_the_data_is_masked(masker: KnownSecrets) -> None:
    masked = masker.mask_json(block(_meta={"from": SECRET}))
    assert masked["data"] == DATA
    assert SECRET not in str(masked["_meta"])
