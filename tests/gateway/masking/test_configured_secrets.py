"""Which values of a configuration are secrets, and which must stay readable in results."""

from __future__ import annotations

import pytest

from gateway.masking.configured_secrets import configured_secrets, is_path

CANARY = "hunter2canary"


@pytest.mark.parametrize(
    "name",
    [
        "DB_PASSWORD",
        "DB_PASS",
        "GH_PAT",
        "API_KEY",
        "ApiKey",
        "X-Auth-Key",
        "x-api-key",
        "Cookie",
        "JWT",
        "sessionToken",
    ],
)
def test_a_value_under_a_secret_name_is_one(name: str) -> None:
    assert list(configured_secrets([(name, CANARY)])) == [CANARY]


@pytest.mark.parametrize(
    "name, value",
    [
        ("AWS_REGION", "eu-central-1"),
        ("NODE_ENV", "production1"),
        ("KUBECONFIG", "/home/me/.kube/config"),
        ("SSH_AUTH_SOCK", "/run/user/1000/ssh-agent"),
        ("KEY_FILE", "/etc/keys/a1"),
        ("TOKEN_URL", "https://login.example/token"),
        ("AUTH_URL", "https://login.example/auth1"),
        ("AUTH_TYPE", "oauth2"),
        ("DB_PASSWORD", "postgres"),
        ("DB_PASSWORD", "${DB_PASSWORD}"),
        ("DB_PASSWORD", "12345"),
        ("MONKEY", CANARY),
        ("Accept", "application/json1"),
    ],
)
def test_what_must_stay_readable_is_none(name: str, value: str) -> None:
    assert list(configured_secrets([(name, value)])) == []


def test_a_scheme_before_a_secret_is_none_of_it() -> None:
    assert list(configured_secrets([("Authorization", f"Bearer {CANARY}")])) == [f"Bearer {CANARY}", CANARY]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--token", CANARY],
        [f"--api-key={CANARY}"],
        ["-v", f"postgres://bob:{CANARY}@db/app"],
        ["--header-key", CANARY, "run"],
    ],
)
def test_secrets_in_arguments_are_found(arguments: list[str]) -> None:
    assert set(configured_secrets([], arguments)) == {CANARY}
    assert list(configured_secrets([], ["--root", "/srv/data1", "--verbose"])) == []


def test_secrets_in_a_url_are_found() -> None:
    url = f"https://bob:pass%2Fw0rd@mcp.example/mcp?api_key={CANARY}&page=2"
    assert set(configured_secrets([], url=url)) == {"pass%2Fw0rd", "pass/w0rd", CANARY}
    assert set(configured_secrets([("DATABASE_URL", f"postgres://bob:{CANARY}@db/app")])) == {CANARY}
    assert list(configured_secrets([], url="http://[broken")) == []


@pytest.mark.parametrize(
    "value, expected",
    [
        ("/home/me", True),
        ("~/work/a b", True),
        ("C:\\Users\\me", True),
        ("./a/b.txt", True),
        ("/wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY", False),
        ("hunter2/canary", False),
        (CANARY, False),
    ],
)
def test_paths_are_told_from_keys(value: str, expected: bool) -> None:
    assert is_path(value) == expected
