"""Results that cannot be masked: withheld, and nothing of them is told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from gateway.masking_interface import MaskingFailed
from gateway.result_masking import ResultMasking
from gateway.server_rules import GatewayServer
from gateway.server_spec import ServerSpec
from tools.call_results import SMALL_CHARS

CANARY = "hunter2canary"
SERVER = GatewayServer(ServerSpec("k8s", command="x"))


async def broken_worker(function: Callable[..., Any], *arguments: Any) -> Any:
    raise ValueError(f"cannot mask {arguments}")


async def test_a_result_that_cannot_be_masked_is_withheld_and_the_log_quotes_nothing_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    masking = ResultMasking({"k8s": SERVER}, (), {"k8s": broken_worker}, b"key")
    with caplog.at_level(logging.DEBUG), pytest.raises(MaskingFailed) as withheld:
        await masking.masked({"text": f"password: {CANARY} {'x' * SMALL_CHARS}"}, SERVER)
    (record,) = caplog.records
    said = record.__dict__
    assert (record.message, said["upstream"], said["error"]) == ("masking_failed", "k8s", "ValueError")
    assert CANARY not in logging.Formatter().format(record) + str(withheld.value)
