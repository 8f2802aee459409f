"""The settings of a start: arguments before the environment, the environment before .env, one line per mistake."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

import app as application
from config import Config, ineffective_settings, settings
from settings import sources
from settings.env_file import EnvFile, EnvFileError
from settings.setting import ConfigError

# Arguments.


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--prot", "1"], "unrecognized arguments: --prot 1"),
        (["--por", "1"], "unrecognized arguments: --por 1"),
        (["serve"], "unrecognized arguments: serve"),
        (["--port", "http"], "argument --port: expected a whole number from 0 to 65535, got 'http'"),
        (["--port", "65536"], "argument --port: expected a whole number from 0 to 65535, got '65536'"),
        (["--port"], "argument --port: expected one argument"),
        (["--host", " "], "argument --host: expected an address or a host name, got ' '"),
    ],
)
def test_wrong_arguments_are_status_2_and_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        sources.read_arguments(arguments, "x 1")
    printed = capsys.readouterr()
    assert (left.value.code, printed.out) == (2, "")
    assert printed.err == f"mcp-summarizer: {words}; --help says what there is\n"


# The file.


def test_a_named_file_must_exist_and_the_default_need_not(tmp_path: Path) -> None:
    missing = tmp_path / "none.env"
    with pytest.raises(EnvFileError, match=r"none\.env: expected a file with settings, found none"):
        sources.with_env_file({}, missing, None)
    assert sources.with_env_file({"A": "1"}, None, missing) == ({"A": "1"}, EnvFile({}))
    assert sources.with_env_file({"A": "1"}, None, None) == ({"A": "1"}, EnvFile({}))


def test_an_empty_value_of_the_environment_wins_too(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("LLM_MODEL=from/file\nOPENROUTER_API_KEY=sk-1\n", "utf-8")
    told, _ = sources.with_env_file({"OPENROUTER_API_KEY": ""}, None, path)
    config = Config.from_env(told)
    assert (config.llm_model, config.backend) == ("from/file", "extractive")


# Names.


def test_a_misspelling_is_ignored_if_the_setting_is_set_or_the_name_is_empty() -> None:
    assert Config.from_env({"LLM_MODELS": "a,b", "LLM_MODEL": "a"}).llm_model == "a"
    assert Config.from_env({"LLM_MODELS": " "}) == Config()
    with pytest.raises(ConfigError, match="did you mean LLM_MODEL"):
        Config.from_env({"LLM_MODELS": "a,b", "LLM_MODEL": Config().llm_model})


def test_a_name_of_the_file_that_lacks_a_word_of_a_setting_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("MAX_OUTPUT_TOKENS=900\n", "utf-8")
    told, file = sources.with_env_file({}, None, path)
    with pytest.raises(ConfigError, match=r"^MAX_OUTPUT_TOKENS: .* did you mean DEFAULT_MAX_OUTPUT_TOKENS\?"):
        Config.from_env(told, from_file=file.values)
    other = {**told, "DEFAULT_MAX_OUTPUT_TOKENS": "900"}
    assert Config.from_env(other, from_file=file.values).default_max_output_tokens == 900


@pytest.mark.parametrize(
    "name, meant",
    [
        ("GATEWAY_CONFIG", "MCP_GATEWAY_CONFIG"),
        ("BASE_URL", "OPENROUTER_BASE_URL"),
        ("OPENROUTER_KEY", "OPENROUTER_API_KEY"),
        ("SUMMARIZER_PORT", "MCP_SUMMARIZER_PORT"),
        ("TIMEOUT_SECONDS", "BODY_TIMEOUT_SECONDS or SEND_TIMEOUT_SECONDS"),
    ],
)
def test_a_name_of_the_environment_that_lacks_a_word_is_named_and_ignored(name: str, meant: str) -> None:
    # It may be another program's.
    config = Config.from_env({name: "9000"})
    assert replace(config, shortened_names=()) == Config()
    assert ineffective_settings(config) == {
        name: f"expected the name of a setting: did you mean {meant}? It is ignored: another program may read it"
    }


def test_a_name_that_lacks_a_word_is_not_named_if_the_setting_is_set_or_kubernetes_set_it() -> None:
    is_set = {"BASE_URL": "http://a", "OPENROUTER_BASE_URL": "http://b", "OPENROUTER_API_KEY": "k"}
    assert not ineffective_settings(Config.from_env(is_set))
    assert not ineffective_settings(Config.from_env({"SUMMARIZER_PORT": "1", "MCP_SUMMARIZER_PORT": "9000"}))
    assert Config.from_env({"SUMMARIZER_PORT": "tcp://10.0.0.1:8007"}) == Config()


@pytest.mark.parametrize(
    "name, meant",
    [
        ("MCP_SUMMARIZER_LLM_MODEL", "LLM_MODEL"),
        ("MCP_SUMMARIZER_GATEWAY_CONFIG", "MCP_GATEWAY_CONFIG"),
        ("MCP_SUMMARIZER_KEYS", "MCP_SUMMARIZER_API_KEYS"),
        ("MCP_SUMMARIZER_TOOL_NAMES", "TOOL_NAMES"),
        ("mcp_summarizer_llm_model", "LLM_MODEL"),
        ("Mcp_Summarizer_Keys", "MCP_SUMMARIZER_API_KEYS"),
    ],
)
def test_a_settings_name_behind_this_services_prefix_stops_the_start(name: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name}: .* did you mean {meant}\?"):
        Config.from_env({name: "x"})


def test_a_settings_name_behind_this_services_prefix_stops_the_start_beside_that_setting() -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_env({"MCP_SUMMARIZER_LLM_MODEL": "x", "LLM_MODEL": "y", "OPENROUTER_API_KEY": "k"})
    assert str(caught.value) == (
        "MCP_SUMMARIZER_LLM_MODEL: expected the name of a setting: did you mean LLM_MODEL? "
        "If another program reads MCP_SUMMARIZER_LLM_MODEL, start this one without it"
    )


def test_a_misspelling_with_this_services_prefix_always_stops_the_start() -> None:
    with pytest.raises(ConfigError, match="did you mean MCP_SUMMARIZER_PORT"):
        Config.from_env({"MCP_SUMMARISER_PORT": "1", "MCP_SUMMARIZER_PORT": "0"})


def test_of_a_kubernetes_services_variables_only_the_one_that_is_a_setting_stops_the_start() -> None:
    injected = {
        "MCP_SUMMARIZER_SERVICE_HOST": "10.0.0.1",
        "MCP_SUMMARIZER_SERVICE_PORT": "8007",
        "MCP_SUMMARIZER_PORT_8007_TCP": "tcp://10.0.0.1:8007",
    }
    assert Config.from_env(injected) == Config()
    with pytest.raises(ConfigError) as caught:
        Config.from_env({**injected, "MCP_SUMMARIZER_PORT": "tcp://10.0.0.1:8007"})
    assert "MCP_SUMMARIZER_PORT: expected a whole number from 0 to 65535, got 'tcp://10.0.0.1:8007'" in str(
        caught.value
    )
    assert "enableServiceLinks: false" in str(caught.value)


def test_the_environment_of_this_machine_has_no_misspelling() -> None:
    others = {name: value for name, value in os.environ.items() if name not in known_names()}
    assert Config.from_env(others) == Config()


def known_names() -> set[str]:
    return {name for setting, _ in settings() for name in setting.names}


@pytest.mark.parametrize(
    "given, in_vain",
    [
        ({"LLM_MODEL": "a/b"}, ["LLM_MODEL"]),
        ({"LLM_MODEL": "a/b", "OPENROUTER_BASE_URL": "http://127.0.0.1:9"}, ["LLM_MODEL", "OPENROUTER_BASE_URL"]),
        ({"LLM_MODEL": "a/b", "OPENROUTER_API_KEY": "k"}, []),
        ({}, []),
    ],
)  # fmt: skip
def test_a_model_without_a_key_is_reported_as_without_effect(
    given: dict[str, str], in_vain: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO"):
        application.announce(Config.from_env(given), None, 8007)
    started, *warned = caplog.records
    assert (started.getMessage(), started.levelname) == ("service_started", "INFO")
    assert {record.getMessage() for record in warned} <= {"setting_without_effect"}
    assert [vars(record)["setting"] for record in warned] == in_vain
    assert all("no effect without OPENROUTER_API_KEY" in vars(record)["note"] for record in warned)
