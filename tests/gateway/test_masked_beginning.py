"""What is shown of a server's text, masked and then cut, has no part of a secret, wherever the cut falls."""

from collections.abc import Callable

import pytest

from gateway.masking_interface import LONGEST_SECRET_CHARS, masked_beginning
from gateway.result_masking import ResultMasking
from gateway.server_rules import GatewayServer, MaskingRules
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


def parts_of(secret: str) -> list[str]:
    return [secret[at : at + 20] for at in range(0, len(secret), 20)]


# Each part of it is another one, so that a part that is shown is found.
LONG_SECRET = "".join(f"{number:x}-" for number in range(0x1000, 0x1A00))


@pytest.mark.parametrize("blanks", range(0, 14_000, 613))
@pytest.mark.parametrize("chars", [4_100, 8_000, 8_400, 12_000])
@pytest.mark.parametrize("is_configured", [True, False])
def test_no_part_of_a_long_secret_is_shown_behind_blanks(
    blanks: int, chars: int, is_configured: bool
) -> None:
    secret = LONG_SECRET[:chars]
    redaction = (
        Redaction(ServerSpec("a", command="x", secrets=(secret,)))
        if is_configured
        else Redaction(
            ServerSpec("a", command="x"), lambda text: text.replace(secret, "***"), lambda: len(secret)
        )
    )
    shown = redaction.shown("it said:" + " " * blanks + secret * 3)
    assert not [part for part in parts_of(secret) if part in shown]


def test_no_part_of_a_long_secret_of_another_server_is_shown() -> None:
    servers = {
        name: GatewayServer(
            ServerSpec(name, command="x", secrets=secrets), masking=MaskingRules(enabled=False)
        )
        for name, secrets in (("a", (LONG_SECRET,)), ("b", ()))
    }
    masking = ResultMasking(servers, (), {}, b"key")
    shown = masking.beginning(LONG_SECRET * 3, 500, servers["b"])
    assert not [part for part in parts_of(LONG_SECRET) if part in shown]


def test_no_more_is_masked_than_may_be_shown() -> None:
    read: list[int] = []

    def noting(text: str) -> str:
        read.append(len(text))
        return text

    masked_beginning("x" * 10_000_000, noting, 500)
    assert read == [500 + 2 * LONGEST_SECRET_CHARS]
