"""Keys and open networks, as a process logs them."""

from __future__ import annotations

import json
import signal

import httpx
import pytest

from tests.support.messages import call, legacy, modern
from tests.support.service import process
from tests.support.wire import (
    JSON,
)
from tests.test_keys_and_browsers import KEY, KEYS, OTHER_KEY, bearer

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")


def test_no_key_is_logged_or_sent_back_whatever_is_done_with_it() -> None:
    settings = {**KEYS, "OPENROUTER_API_KEY": "key-of-the-provider", "LOG_LEVEL": "debug"}
    wrong = "wrong-key-of-a-test"
    bodies = []
    with process(settings) as service:
        with httpx.Client(trust_env=False, verify=False) as http:
            messages = (legacy("ping"), modern("tools/list"), legacy("tools/call", call("burn")))
            bodies += [
                http.post(service.url, json=message, headers=bearer(key)).text
                for key in (KEY, wrong)
                for message in messages
            ]
            bodies.append(http.post(f"{service.url}?key={KEY}", json=legacy("ping")).text)
            bodies.append(http.post(service.url, content=b"{", headers={**JSON, **bearer(KEY)}).text)
            bodies.append(http.post(service.url, json=legacy("ping"), headers=bearer(KEY, wrong)).text)
            bodies.append(http.get(service.url.replace("/mcp", "/health"), headers=bearer(KEY)).text)
        service.stop(signal.SIGTERM)
        status, out, err = service.ended()
    assert status == 0
    told = json.dumps(service.started) + out + err + "".join(bodies)
    for secret in (KEY, OTHER_KEY, wrong, "key-of-the-provider"):
        assert secret not in told


def test_the_warning_is_the_second_line_of_the_log() -> None:
    with process({"MCP_SUMMARIZER_HOST": "0.0.0.0"}) as service:
        assert service.process.stdout is not None
        line = json.loads(service.process.stdout.readline())
        service.stop(signal.SIGTERM)
        assert service.ended() == (0, "", "")
    assert (line["event"], line["level"]) == ("open_without_key", "warning")
