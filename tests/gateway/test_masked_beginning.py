"""What is shown of a server's text, masked and then cut, has no part of a secret, wherever the cut falls."""

from collections.abc import Callable

import pytest

from gateway.masking_interface import LONGEST_SECRET_CHARS, masked_beginning
from gateway.server_spec import ServerSpec
from gateway.upstream.error_redaction import Redaction

SECRET = "s" * 1_000


def mask(text: str) -> str:
    return text.replace(SECRET, "***")


def test_a_short_text_is_masked_whole() -> None:
    assert masked_beginning(f"key {SECRET}.", mask, 20) == "key ***."


def test_a_longer_text_ends_with_a_mark() -> None:
    assert masked_beginning(f"key {SECRET} " + "x" * 20, mask, 12) == "key *** xxxx…"


@pytest.mark.parametrize("before", range(0, 1_000, 97))
@pytest.mark.parametrize(
    "shown",
    [
        lambda text: masked_beginning(text, mask, 500),
        lambda text: Redaction(ServerSpec("a", command="x"), mask).shown(text),
        lambda text: Redaction(ServerSpec("a", command="x", secrets=(SECRET,))).shown(text),
    ],
)
def test_half_a_secret_is_not_shown_behind_many_masked_ones(before: int, shown: Callable[[str], str]) -> None:
    assert "s" not in shown("x" * before + SECRET * 50)


def test_no_more_is_masked_than_may_be_shown() -> None:
    read: list[int] = []

    def noting(text: str) -> str:
        read.append(len(text))
        return text

    masked_beginning("x" * 10_000_000, noting, 500)
    assert read == [500 + 2 * LONGEST_SECRET_CHARS]
