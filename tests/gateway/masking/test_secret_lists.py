"""Lists of secrets, in JSON, YAML and code; and lists that are none."""

from __future__ import annotations

import json
from functools import partial

import pytest

from gateway.masking.masker import Masker
from gateway.masking.secret_lists import listed_secrets
from tests.support.timing import least_seconds, takes_less

CANARY = "hunter2canary"
MASKER = Masker(())


@pytest.mark.parametrize(
    "text",
    [
        '"passwords": ["{}", "b2"]',
        '"passwords": [ "b2",\n  "{}"\n]',
        '"password": ["{}"]',
        "passwords: [b2, {}]",
        "passwords:\n  - b2\n  - {}\n",
        'dbPasswords:\n- "{}"\n',
        '"{{\\"api_keys\\": [\\"x\\", \\"{}\\"]}}"',
        "accessTokens = ['x1', '{}']",
        'client_secrets=["{}"',
    ],
)
def test_each_item_of_a_list_of_secrets_is_masked(text: str) -> None:
    masked = MASKER.mask(text.format(CANARY))
    assert CANARY not in masked
    assert "[masked secret " in masked


@pytest.mark.parametrize(
    "text",
    [
        '"tokens": ["the", "cat1"]',
        '"secrets": ["db-1"]',
        '"passwords": []',
        '"passwords": [1, 2, "${DB_PASSWORD}"]',
        "Password:\n- Open the page 1\n- Click\n",
        "passwords = [each for each in given]",
        "clientSecrets:\n- name: x1\n",
        "password_policies: [a1, b1]",
        '"names": ["hunter2canary"]',
    ],
)
def test_other_lists_stay(text: str) -> None:
    assert MASKER.mask(text) == text


def test_json_stays_json_and_only_the_strings_of_the_list_go() -> None:
    value = {"passwords": ["a1", 5, None, "${X}", {"password": "b1", "user": "bob"}], "tokens": ["the"]}
    masked = MASKER.mask_json(value)
    assert masked["passwords"][1:4] == [5, None, "${X}"]
    assert masked["passwords"][0].startswith("[masked secret ")
    assert masked["passwords"][4]["user"] == "bob"
    assert masked["tokens"] == ["the"]
    text = json.loads(MASKER.mask(json.dumps(value)))
    assert text["passwords"][0] == masked["passwords"][0]


@pytest.mark.timed
@pytest.mark.parametrize(
    "part",
    [
        'passwords:["a","',
        "passwords: [",
        "'passwords: [',",
        "passwords:\n - a1\n",
        '"passwords": ["x1", "y1", ',
        "- ",
        '\\"',
    ],
)
def test_no_text_takes_more_than_linear_time(part: str) -> None:
    def find(times: int) -> None:
        text = "passwords: [" + part * times
        assert sum(1 for _ in listed_secrets(text)) <= len(text)

    find(1_000)
    assert takes_less(partial(find, 16_000), 8 * max(least_seconds(partial(find, 4_000)), 0.002))
