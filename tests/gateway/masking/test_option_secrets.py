"""Secrets behind options of command lines; what help texts and sentences say of such options stays."""

from __future__ import annotations

import json

import pytest

from gateway.masking.masker import Masker

CANARY = "hunter2canary"
MASKER = Masker(())


@pytest.mark.parametrize(
    "text",
    [
        "mytool --password {} --user bob",
        "mytool --db-password '{}' run",
        "java -jar app.jar -password {}",
        "deploy --api_key\t{}",
        'args: ["--token", "{}"]',
        'args: ["--user", "bob",\n  "--access-token",\n  "{}"]',
        "args:\n  - --client-secret\n  - {}\n",
        "args:\n- '--client-secret'\n- '{}'\n",
        '"cmd": "[\\"--token\\", \\"{}\\"]"',
        "curl -u bob:{} https://api.example",
        "curl -s \\\n  -u 'bob:{}' https://api.example",
        'curl --user "bob:{}" https://api.example',
        "curl -ubob:{} https://api.example",
        "$ curl --proxy-user=bob:{} https://api.example",
        'args: ["curl", "-u", "bob:{}"]',
        "curl -u {}: https://api.example",
        'curl -u ":{}" https://api.example',
        "sshpass -p {} ssh host",
        "sshpass -p{} ssh host",
        "docker login -u bob -p {} registry.example",
        "redis-cli -h db -a {} ping",
        "mysql -u root -p{} shop",
    ],
)
def test_the_secret_behind_an_option_is_masked(text: str) -> None:
    masked = MASKER.mask(text.format(CANARY))
    assert CANARY not in masked
    assert masked.startswith(text.partition("{}")[0])


@pytest.mark.parametrize(
    "text",
    [
        "mkdir -p a/b1 && cp -p x1 y1",
        "docker run -p 8080:80 -u 1000:1000 image1",
        "mysql -p shop1",
        "curl -u bob https://api.example",
        "curl -u $NAME:$PASSWORD https://api.example",
        'curl -u "${NAME}:${PASSWORD}" https://api.example',
        "curl -u <user>:<password> https://api.example",
        "chown -R bob:staff1 . # no curl",
        "  --password PASSWORD  the password of the user",
        "      --token string   Bearer token for authentication to the API server",
        "  --token-path /run/token1",
        "--password-stdin registry.example:5000",
        "--no-password db1 --max-tokens 100",
        "--password ${DB_PASSWORD} --token $TOKEN --secret $(cat file1)",
        "use --password to name it, or --token instead.",
        "--password --verbose1",
        "a-token value1",
        'f("--password", password)',
        "- token\n- b1",
        'curl -u "SRVC:${APPID}" https://api.example',
        "curl --user neo4j:[PASSWORD] https://api.example",
        "curl -u <user:password> https://api.example",
        'curl -u ":" https://api.example',
        'curl -H "Authorization: Bearer <your token>" -H "X-Token: XXXXXXXX" https://api.example',
        "command = ['docker', 'login', '-u', username, '-p', password]",
        "remote \\\n  --client-credentials \\\n  --verbose",
        "cmd += ['-passwd', '/Users/%s' % self.name]",
        'f"--password {password}" or "--token", "{token}"',
        "app --credentials ./credentials1.json --client-key /etc/app/client1.key",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert MASKER.mask(text) == text


def test_arguments_in_a_json_value_are_masked() -> None:
    value = {
        "command": [
            "app",
            "--password",
            CANARY,
            "--verbose",
            "x1",
            "--token",
            "--help",
            "--secret",
            "$SECRET",
        ]
    }
    masked = MASKER.mask_json(value)["command"]
    assert masked[2].startswith("[masked secret ")
    assert masked[:2] + masked[3:] == value["command"][:2] + value["command"][3:]
    assert json.loads(MASKER.mask(json.dumps(value)))["command"] == masked
