"""What is masked, what stays, and that a text keeps its form: in text, JSON, YAML, headers and URLs."""

import json
import re
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.masking.masker import Masker
from gateway.masking.secret_shapes import GENERATED, generated_rules
from gateway.masking.stretches import LONGEST_CHARS, STRETCH_CHARS
from tests.support.timing import least_seconds, takes_less

CANARY = "hunter2canary"
GITHUB = "ghp_" + "a1B2" * 9
KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA/0+x\n" * 20 + "-----END RSA PRIVATE KEY-----"
CERTIFICATE = (
    "-----BEGIN CERTIFICATE-----\n" + "MIIDXTCCAkWgAwIBAgIJAK/0\n" * 10 + "-----END CERTIFICATE-----"
)


@pytest.fixture(scope="module")
def masker() -> Masker:
    return Masker(generated_rules(GENERATED.read_text("utf-8")), known=["configured-by-us", "on"])


@pytest.mark.parametrize(
    "text",
    [
        "password: {}",
        "DB_PASSWORD={}",
        "password1={}",
        "secretKey: {}",
        "TOKEN_2 = {}",
        "export TOKEN='{}'",
        '{{"password": "{}", "user": "bob"}}',
        '{{"dbPassword":"{}"}}',
        '"{{\\"password\\":\\"{}\\"}}"',
        'api_key = "{}"',
        "client-secret => {}",
        "https://api.example/x?access_token=1{}&page=2",
        "postgres://bob:{}@db.example:5432/app",
        "Authorization: Bearer 1{}",
        'curl -H "Authorization: Basic {}" https://api.example',
        "kind: Secret\nmetadata:\n  name: db\ndata:\n  user: {}\n",
        "- stringData:\n    a:\n      b: {}\n  kind: Secret\n- kind: ConfigMap\n",
        "kind: Secret\ndata:\n  file: |\n    first line\n    {}\n",
        '{{"items":[{{"data":{{"a":"{}"}},"kind":"Secret"}}]}}',
        'log line {{"kind": "Secret", "data": {{"a": "{}"',
        'log line {{"kind": "Secret", "data": {{"a": "{}',
        "env:\n- name: DB_PASSWORD\n  value: {}\n",
        '{{"env":[{{"name":"API_TOKEN","value":"{}"}}]}}',
        '{{"key": "password", "value": "{}"}}',
        '{{"Tags": [{{"Value": "{}", "Key": "DbPassword"}}]}}',
        '{{\n  "Value": "{}",\n  "Key": "DbPassword"\n}}',
        '{{"ParameterKey": "DBPassword", "ParameterValue": "{}"}}',
        '{{"name": "x", "field": "password", "value": "{}"}}',
        "Tags:\n- Key: DbPassword\n  Value: {}\n",
        "mail {}@example.com now",
    ],
)
def test_a_secret_is_masked_wherever_it_stands(masker: Masker, text: str) -> None:
    assert CANARY not in masker.mask(text.format(CANARY))
    assert "[masked " in masker.mask(text.format(CANARY))


@pytest.mark.parametrize(
    "secret",
    [
        GITHUB,
        "AKIAIOSFODNN7EXAMPLF",
        "glpat-abcdefghij0123456789",
        "xoxb-1234567890-1234567890123abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnopqrstuvwxyz0123456789",
        "configured-by-us",
    ],
)
def test_a_secret_that_shows_itself_needs_no_name(masker: Masker, secret: str) -> None:
    assert secret not in masker.mask(f"it is {secret} here")


@pytest.mark.parametrize("block", [KEY, CERTIFICATE])
def test_keys_and_certificates_are_masked_whole(masker: Masker, block: str) -> None:
    masked = masker.mask(f"before\n{block}\nafter")
    assert "MII" not in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")


@pytest.mark.parametrize(
    "text",
    [
        "password: ${DB_PASSWORD}",
        "token: $(cat /run/token)",
        "secretName: my-db",
        "max_tokens: 1000, token_count: 50",
        "tokens: 61200",
        "Password: must be changed soon",
        "the secret: the garden grows",
        "Authorization: Basic auth is required",
        "password: null",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "image registry.example/app@sha256:" + "ab" * 32,
        "uid: 123e4567-e89b-12d3-a456-426614174000",
        "kind: ConfigMap\ndata:\n  color: red\n",
        "kind: Secret\nmetadata:\n  name: db\n---\nkind: ConfigMap\ndata:\n  color: red\n",
        '{"kind":"ConfigMap","data":{"color":"red"}}',
        "env:\n- name: COLOR\n  value: red\n",
        '{"key": "color", "value": "red1", "inner": {"name": "password"}}',
        '[{"key": "password"}, {"value": "red1"}]',
        '{"key": "password", "value": "${PASSWORD}"}',
        "name: password\n\nname: color\nvalue: red1\n",
        "http://example.com:8080/path",
        "state: on",
        "see task-based and disk-usage",
        "tokenizer: Tokenizer,",
        "self._tokenizer = tokenizer",
        "TOKENIZER=bert-base-uncased",
        "tokens_to_write=limit",
        "password_field: PasswordField = None",
        "password = getpass.getpass()",
        'api_key = os.environ["API_KEY"]',
        "next_page_token = page.token",
    ],
)
def test_what_is_no_secret_stays(masker: Masker, text: str) -> None:
    assert masker.mask(text) == text


def test_equal_secrets_have_equal_placeholders_and_others_have_others(masker: Masker) -> None:
    first, same, other = (masker.mask(f"password: {value}") for value in ("one1", "one1", "two2"))
    assert first == same != other
    assert Masker((), key=b"k").mask("password: one1") != first


def test_a_placeholder_is_not_masked_again(masker: Masker) -> None:
    once = masker.mask(f"password: {CANARY}, {GITHUB}")
    assert masker.mask(once) == once


def test_a_secret_across_two_stretches_is_masked(masker: Masker) -> None:
    for shift in range(0, len(GITHUB) + 1, 5):
        text = " " * (STRETCH_CHARS - shift) + GITHUB + " end"
        assert GITHUB not in masker.mask(text)
    assert "MII" not in masker.mask(" " * (STRETCH_CHARS - 100) + KEY)
    assert len(KEY) < LONGEST_CHARS


@pytest.mark.parametrize(
    "value",
    [
        {"password": CANARY},
        {"a": [{"apiKey": CANARY}]},
        {"kind": "Secret", "data": {"a": CANARY, "b": [CANARY]}},
        {"name": "DB_PASSWORD", "value": CANARY},
        {"Value": CANARY, "Key": "DbPassword"},
        {"ParameterKey": "DBPassword", "ParameterValue": CANARY},
        {"log": f"password={CANARY}"},
        {GITHUB: 1, "x": f"a {GITHUB} b", "password": CANARY},
        f"token: {CANARY}",
    ],
)
def test_json_values_are_masked_wherever_they_stand(masker: Masker, value: Any) -> None:
    said = json.dumps(masker.mask_json(value))
    assert CANARY not in said
    assert GITHUB not in said
    assert "[masked " in said


def test_json_values_keep_their_kinds(masker: Masker) -> None:
    value = {"password": None, "token": 5, "secret": True, "n": [1.5, {}, []], "kind": "Secret", "data": None}
    assert masker.mask_json(value) == value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["password", "kind", "data", "name", "value", "x"]), inner)
    ),
    max_leaves=20,
)


@given(json_values, st.sampled_from([None, 2]))
@example({"password": 10**9}, None)
@example({"x": json.dumps({"password": -(10**9)})}, None)
def test_masked_json_is_json(value: Any, indent: int | None) -> None:
    masker = Masker(())
    text = json.dumps({"password": CANARY, "given": value}, indent=indent)
    masked = masker.mask(text)
    assert CANARY not in masked
    assert set(json.loads(masked)) == {"password", "given"}


@given(st.text())
def test_any_text_is_masked_without_an_error(text: str) -> None:
    masker = Masker(())
    assert masker.mask(masker.mask(text)) == masker.mask(text)


HOSTILE = [
    "--token ", '--token "', "--a-", "-", "<token>", "<a ", "<a b", '<a name="token" ', "</", "curl ", "curl -u ", "curl\n", "-u a:", "\u200b",
    "token\u200b", '{"key":"token",', "name: token\n", "value: x\n", "--token\n- ",
    'value\\"', '"value',
    "a", "password=", '"', '\\"', "-----BEGIN PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----", "://a:", "a.", "a@", "ey",
    "{", '"kind":"Secret",', "kind: Secret\n", " ", "Bearer ", "password:", "AbCd1234", "xoxb-", "glc_", '{"data":', "- ",
]  # fmt: skip


@pytest.mark.timed
@pytest.mark.parametrize("motif", HOSTILE)
def test_time_grows_with_the_text_alone(masker: Masker, motif: str) -> None:
    short, long = (partial(masker.mask, motif * (chars // len(motif))) for chars in (20_000, 160_000))
    assert takes_less(long, 8 * 4 * least_seconds(short) + 0.05)


def test_a_configured_secret_is_masked_as_json_writes_it() -> None:
    secret = 'two "parts"\nof it: é'
    for ascii_only in (True, False):
        text = json.dumps({"said": secret}, ensure_ascii=ascii_only)
        masked = json.loads(Masker((), [secret]).mask(text))["said"]
        assert re.fullmatch(r"\[masked configured [0-9a-f]{8}\]", masked)


def test_names_in_the_data_of_a_secret_are_masked() -> None:
    value = {"kind": "Secret", "data": {"inner": {"password=one1": "x"}}}
    assert "one1" not in json.dumps(Masker(()).mask_json(value))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_a_manifest_may_end_in_any_way(end: str) -> None:
    text = end.join(["kind: Secret", "data:", "  one: c2VjcmV0", "", "  two: b3RoZXI=", "other: kept"])
    masked = Masker(()).mask(text)
    assert "c2VjcmV0" not in masked
    assert "b3RoZXI=" not in masked
    assert masked.endswith("other: kept")


def test_a_secret_in_json_in_json_is_found_and_both_stay_json() -> None:
    text = json.dumps({"password": CANARY, "note": "fine"})
    for levels in range(4):
        masked = Masker(()).mask(text)
        assert CANARY not in masked
        read: Any = masked
        for _ in range(levels + 1):
            read = json.loads(read)
        assert "[masked secret " in read["password"]
        assert read["note"] == "fine"
        text = json.dumps(text)


def test_a_quotation_mark_in_a_secret_does_not_end_it() -> None:
    text = json.dumps({"password": f'a"b{CANARY}\\', "note": "fine"})
    masked = json.loads(Masker(()).mask(text))
    assert CANARY not in masked["password"]
    assert masked["note"] == "fine"


NAMES = st.sampled_from(["a", "phase", "kind", "data", "name", "aName", "value", "id", "podIP", "x y"])
PLAIN = st.sampled_from(["b", "Secret", "web", 1, None, True, "", "a: b"])
MEMBERS = st.dictionaries(NAMES, PLAIN | st.dictionaries(NAMES, PLAIN, max_size=3), max_size=5)


@given(MEMBERS, MEMBERS, st.sampled_from([None, 1]), st.booleans())
def test_a_secret_is_found_whatever_members_stand_around_it(
    before: dict[str, Any], after: dict[str, Any], indent: int | None, is_variable: bool
) -> None:
    secret = {"data": {"a": "b", "c": CANARY, **after}, "kind": "Secret"}
    variable = {**after, "name": "DB_PASSWORD", "value": CANARY}
    value = {"x": before, "y": [before, variable if is_variable else secret, after]}
    assert CANARY not in Masker(()).mask(json.dumps(value, indent=indent))


def test_email_addresses_alone_stay_where_they_are_not_masked() -> None:
    text = "Ciphers chacha20-poly1305@openssh.com, by ann@example.com; git@github.com:a/b; "
    secrets = "password: one1two2, https://bob:hunter22@example.com/"
    masked = Masker((), ["three3four4@example.com"], emails=False).mask(
        f"{text}{secrets} three3four4@example.com"
    )
    assert masked.startswith(text)
    assert not any(secret in masked for secret in ("one1two2", "hunter22", "three3four4"))
    assert "chacha20" not in Masker(()).mask(text)
