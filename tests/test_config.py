"""Every setting: its default, what it refuses and in which words, and whether the documents name it."""

import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import config
import planning
import tools
from config import Config, ConfigError, Setting, settings

HERE = Path(__file__).parent.parent
NAMES = [setting.name for setting, _ in settings()]
KEY = "sk-or-v1-0123456789abcdef"

DEFAULTS = {
    "MCP_SUMMARIZER_PORT": 8007,
    "LLM_MODEL": "openai/gpt-4o-mini",
    "OPENROUTER_API_KEY": "",
    "OPENROUTER_BASE_URL": "https://openrouter.ai/api/v1",
    "DEFAULT_CHUNK_SIZE_TOKENS": 8_000,
    "DEFAULT_CHUNK_OVERLAP_TOKENS": 500,
    "DEFAULT_MAX_OUTPUT_TOKENS": 5_000,
    "MCP_SUMMARIZER_HOST": "127.0.0.1",
    "ON_FAILURE": "original",
    "MAX_CONCURRENT_LLM_CALLS": 5,
    "LOG_FORMAT": "json",
}

# For each setting a good value as it is written and as it is read, and bad ones.
VALUES: dict[str, tuple[str, Any, list[str]]] = {
    "MCP_SUMMARIZER_HOST": ("0.0.0.0", "0.0.0.0", []),
    "MCP_SUMMARIZER_PORT": ("9000", 9000, ["65536", "-1", "80.0", "http", "٨٠", "1" * 5_000, "0x50"]),
    "ALLOWED_HOSTS": (
        " a:1, ,b:* ,mcp_summarizer.example, [::1]:80,[fe80::1]",
        ("a:1", "b:*", "mcp_summarizer.example:*", "[::1]:80", "[fe80::1]:*"),
        [
            "http://mcp-summarizer:8007",
            "a:1, https://b",
            "a/",
            "a:",
            "a:http",
            "a:0",
            "a:65536",
            "a:٨٠",
            "a b",
            "::1",
            "[::1",
            "*",
            "user@a",
        ],
    ),
    "ALLOWED_ORIGINS": (
        "https://a.example, http://localhost:*,http://[::1]:80, chrome-extension://abc",
        ("https://a.example", "http://localhost:*", "http://[::1]:80", "chrome-extension://abc"),
        [
            "https://x.example/",
            "https://x.example/app",
            "x.example",
            "x.example:443",
            "//x.example",
            "https://",
            "https://x:port",
            "https://x:99999",
            "null",
            "*",
            "https://a, b",
        ],
    ),
    "MAX_BODY_BYTES": ("2048", 2048, ["1023", "1e6", "16MB"]),
    "SHUTDOWN_GRACE_SECONDS": ("0.5", 0.5, ["0", "-1", "nan", "inf", "86401", "10s"]),
    "LLM_MODEL": ("a/b", "a/b", []),
    "OPENROUTER_API_KEY": (KEY, KEY, [KEY + "\u2028x", "schlüssel" + KEY, KEY + "\n" + KEY]),
    "OPENROUTER_BASE_URL": (
        "http://[::1]:1234/v1/",
        "http://[::1]:1234/v1",
        [
            "openrouter.ai/api/v1",
            "ftp://x/v1",
            "http://",
            "http://[::1/v1",
            "http://x:70000",
            "http://x:no",
            "http://x/v1?key=1",
            "http://x/v1#a",
            "http://x/a b",
            "http://x/a\nb",
        ],
    ),
    "LLM_CONTEXT_TOKENS": ("32000", 32_000, ["2047", "128k", "-"]),
    "LLM_CONNECT_TIMEOUT_SECONDS": ("2.5", 2.5, ["0", "soon"]),
    "LLM_FIRST_BYTE_TIMEOUT_SECONDS": ("60", 60.0, ["0", "-inf"]),
    "LLM_TOTAL_TIMEOUT_SECONDS": ("300", 300.0, ["0", "1e9"]),
    "LLM_RETRY_AFTER_MAX_SECONDS": ("5", 5.0, ["0", "five"]),
    "MAX_CONCURRENT_LLM_CALLS": ("1", 1, ["0", "1001", "two"]),
    "DEFAULT_CHUNK_SIZE_TOKENS": ("4000", 4_000, ["199", "4_000", "4,000"]),
    "DEFAULT_CHUNK_OVERLAP_TOKENS": ("0", 0, ["-1", "10%"]),
    "DEFAULT_MAX_OUTPUT_TOKENS": ("16", 16, ["15", "0"]),
    "ON_FAILURE": ("Extractive", "extractive", ["fail", "original,error"]),
    "LOG_FORMAT": ("TEXT", "text", ["xml"]),
    "LOG_LEVEL": ("debug", "debug", ["trace", "10"]),
}
BAD = [(name, raw) for name, (_, _, bad) in VALUES.items() for raw in bad]


def value_of(config: Config, name: str) -> Any:
    attribute = next(each for each in fields(Config) if each.metadata["setting"].name == name)
    return getattr(config, attribute.name)


def refusal(env: dict[str, str]) -> str:
    with pytest.raises(ConfigError) as caught:
        Config.from_env(env)
    return str(caught.value)


def test_the_names_and_defaults_are_those_that_were_promised() -> None:
    assert {name: value_of(Config.from_env({}), name) for name in DEFAULTS} == DEFAULTS


def test_every_setting_is_tested_here() -> None:
    assert list(VALUES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_read_from_its_name_with_spaces_around_it(name: str) -> None:
    raw, value, _ = VALUES[name]
    assert value_of(Config.from_env({name: f" {raw}\n"}), name) == value


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("raw", ["", "  "])
def test_an_empty_value_is_the_default(name: str, raw: str) -> None:
    assert Config.from_env({name: raw}) == Config()


@pytest.mark.parametrize("name, raw", BAD)
def test_a_wrong_value_gives_one_line_with_name_expected_and_got(name: str, raw: str) -> None:
    message = refusal({name: raw})
    assert re.fullmatch(rf"{name}: expected .+, got .+", message)
    assert name == "OPENROUTER_API_KEY" or repr(raw.strip()) in message


@pytest.mark.parametrize("raw", VALUES["OPENROUTER_API_KEY"][2])
def test_the_key_is_not_shown_when_it_is_refused(raw: str) -> None:
    message = refusal({"OPENROUTER_API_KEY": raw})
    assert KEY[:10] not in message
    assert "printable ASCII" in message


def test_the_key_is_in_no_repr() -> None:
    config = Config.from_env({"OPENROUTER_API_KEY": KEY})
    assert config.openrouter_api_key == KEY
    assert KEY not in repr(config) + str(config)


@pytest.mark.parametrize("key, backend", [("", "extractive"), (KEY, "openrouter")])
def test_the_key_decides_which_backend_serves(key: str, backend: str) -> None:
    assert Config.from_env({"OPENROUTER_API_KEY": key}).backend == backend


@pytest.mark.parametrize("overlap", [1_000, 1_001])
def test_an_overlap_of_the_chunk_size_or_more_is_refused(overlap: int) -> None:
    env = {"DEFAULT_CHUNK_SIZE_TOKENS": "1000", "DEFAULT_CHUNK_OVERLAP_TOKENS": str(overlap)}
    assert refusal(env) == (
        f"DEFAULT_CHUNK_OVERLAP_TOKENS: expected less than DEFAULT_CHUNK_SIZE_TOKENS (1000), got {overlap}"
    )
    assert Config.from_env(env | {"DEFAULT_CHUNK_OVERLAP_TOKENS": "999"}).default_chunk_overlap_tokens == 999


def test_a_chunk_that_leaves_the_answer_no_room_in_the_context_is_refused() -> None:
    env = {"LLM_CONTEXT_TOKENS": "8000", "DEFAULT_CHUNK_SIZE_TOKENS": "4001"}
    assert (
        refusal(env)
        == "DEFAULT_CHUNK_SIZE_TOKENS: expected at most half of LLM_CONTEXT_TOKENS (4000), got 4001"
    )


def test_limits_that_stand_in_two_places_agree() -> None:
    assert config.LEAST_OUTPUT_TOKENS == tools.MIN_TARGET_TOKENS
    assert config.LEAST_CHUNK_TOKENS == planning.LEAST_CHUNK_TOKENS


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(FrozenInstanceError):
        Config().port = 1  # type: ignore[misc]


def test_other_names_in_the_environment_are_none_of_our_business() -> None:
    assert Config.from_env({"PATH": "/bin", "PORT": "nonsense"}) == Config()


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=20)))
def test_no_environment_gives_anything_but_settings_or_one_line(env: dict[str, str]) -> None:
    try:
        message = repr(Config.from_env(env))
    except ConfigError as problem:
        message = f"{problem}"
    assert len(message.splitlines()) == 1
    assert message.partition(":")[0] in NAMES or message.startswith("Config(")


# --- The documents ---------------------------------------------------------------------------------------------


def written(default: Any) -> str:
    """Return a default as a person writes it into the environment."""
    if isinstance(default, tuple):
        return ",".join(default)
    return f"{default:g}" if isinstance(default, float) else str(default)


@pytest.mark.parametrize("setting, default", settings(), ids=NAMES)
def test_the_readme_has_a_row_with_name_and_default_of_every_setting(setting: Setting, default: Any) -> None:
    rows = [
        row
        for row in (HERE / "README.md").read_text("utf-8").splitlines()
        if row.startswith(f"| `{setting.name}` ")
    ]
    assert len(rows) == 1
    shown = rows[0].split("|")[2].strip().strip("`")
    assert shown == written(default) or (not written(default) and shown == "(empty)")


@pytest.mark.parametrize("setting, default", settings(), ids=NAMES)
def test_the_example_environment_has_every_setting_with_its_default(setting: Setting, default: Any) -> None:
    lines = (HERE / ".env.example").read_text("utf-8").splitlines()
    assert [line.lstrip("# ") for line in lines if re.match(rf"#? ?{setting.name}=", line)] == [
        f"{setting.name}={written(default)}"
    ]


def test_the_documents_name_no_setting_that_is_none() -> None:
    text = (HERE / ".env.example").read_text("utf-8")
    named = re.findall(r"(?m)^#? ?([A-Z][A-Z_]+)=", text)
    rows = re.findall(r"(?m)^\| `([A-Z][A-Z_]+)` ", (HERE / "README.md").read_text("utf-8"))
    assert set(named) | set(rows) <= set(NAMES)


def test_a_password_in_the_base_url_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="without user and password") as caught:
        Config.from_env({"OPENROUTER_BASE_URL": "https://user:hidden-word@api.example/v1"})
    assert "hidden-word" not in str(caught.value)
