"""The check of a configuration: how each server is, what its tools cost, and why one is down."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import app as application
import gateway_service
from config import Config
from gateway.server_rules import GatewayConfig
from settings.setting import ConfigError
from settings.sources import read_arguments
from summarizing.text.tokenizer import Tokenizer
from tests.support.upstream_stand_in import a_tool, program


def check_gateway(config: GatewayConfig | None, storage_directory: str, tokenizer: Tokenizer) -> int:
    about = gateway_service.About("mcp-summarizer", "0")
    return gateway_service.check_gateway(config, about, storage_directory, os.environ, tokenizer)


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    command, arguments = program()
    servers = {
        "good": {"command": command, "args": list(arguments)},
        "bad": {"command": str(tmp_path / "missing"), "color": "red"},
    }
    file = tmp_path / "gateway.json"
    file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return file


def test_the_table_has_state_revision_start_tools_and_tokens_of_each(
    config_file: Path, tokenizer: Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Config(mcp_gateway_config=str(config_file))
    config = gateway_service.configured(settings, {})
    assert check_gateway(config, "", tokenizer) == 1
    head, first, second, why, note = capsys.readouterr().out.splitlines()
    assert head.split() == ["server", "state", "revision", "start", "tools", "tokens"]
    name, state, revision, era, seconds, unit, tools, tokens = first.split()
    assert (name, state, revision, era, unit) == ("good", "ready", "2026-07-28", "(modern)", "s")
    assert float(seconds) > 0
    assert int(tools) >= 3
    assert int(tokens.replace(",", "")) > 50
    assert second.split() == ["bad", "down", "0", "0"]
    assert why.startswith("bad: ")
    assert "missing" in why
    assert note.endswith("bad.color: not known, has no effect")


def test_a_name_that_no_tool_has_is_told(
    tmp_path: Path, tokenizer: Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    command, arguments = program()
    server = {"command": command, "args": list(arguments), "tools": {"deny": ["ehco"], "exact": ["echo"]}}
    file = tmp_path / "gateway.json"
    file.write_text(json.dumps({"mcpServers": {"good": server}}), "utf-8")
    assert (
        check_gateway(gateway_service.configured(Config(mcp_gateway_config=str(file)), {}), "", tokenizer)
        == 1
    )
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "good.tools.deny: expected names of its tools, got ehco; did you mean echo?"


def test_an_unknown_group_of_masking_rules_is_told_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "gateway.json"
    server = {"command": "x", "masking": {"groups": ["email"]}}
    file.write_text(json.dumps({"mcpServers": {"good": server}}), "utf-8")
    with pytest.raises(ConfigError) as refused:
        gateway_service.configured(Config(mcp_gateway_config=str(file)), {})
    message = str(refused.value)
    assert message.startswith(
        f"MCP_GATEWAY_CONFIG: {file}: good.masking: groups: expected some of 1password, "
    )
    assert message.endswith(", got email")


def test_a_masking_pattern_that_cannot_be_used_is_told_before_the_start(tmp_path: Path) -> None:
    file = tmp_path / "gateway.json"
    server = {"command": "x", "masking": {"patterns": {"mine": "a+"}}}
    file.write_text(json.dumps({"mcpServers": {"good": server}}), "utf-8")
    with pytest.raises(
        ConfigError, match=r"good\.masking: mine: expected a pattern whose repeats are bounded"
    ):
        gateway_service.configured(Config(mcp_gateway_config=str(file)), {})


def test_all_servers_ready_is_success(tmp_path: Path, tokenizer: Tokenizer) -> None:
    command, arguments = program()
    file = tmp_path / "gateway.json"
    file.write_text(
        json.dumps({"mcpServers": {"good": {"command": command, "args": list(arguments)}}}), "utf-8"
    )
    config = gateway_service.configured(Config(mcp_gateway_config=str(file)), {})
    assert check_gateway(config, "", tokenizer) == 0


def test_a_tool_that_has_changed_since_the_last_start_is_told(
    tmp_path: Path, tokenizer: Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    file, data = tmp_path / "gateway.json", str(tmp_path / "data")
    for title in ("Old", "New"):
        command, arguments = program(tools=[a_tool("pods", title=title)])
        servers = {"good": {"command": command, "args": list(arguments)}}
        file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
        config = gateway_service.configured(Config(mcp_gateway_config=str(file)), {})
        assert check_gateway(config, data, tokenizer) == 0
    told = 'good: pods has changed since it was accepted (--accept-tools good): {"title": {"old": "\\"Old\\"", "new": "\\"New\\""}}'
    assert capsys.readouterr().out.splitlines()[-1] == told


@pytest.mark.parametrize("servers", [{}, {"a": {"command": "x", "disabled": True}}])
def test_a_file_without_servers_is_told_to_have_none(
    servers: dict[str, Any], tmp_path: Path, tokenizer: Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "gateway.json"
    file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    config = gateway_service.configured(Config(mcp_gateway_config=str(file)), {})
    assert check_gateway(config, "", tokenizer) == 1
    none, *notes = capsys.readouterr().out.splitlines()
    assert none == (
        "mcpServers: expected at least one server that is not disabled, got none, so the gateway offers no tools: "
        'write {"mcpServers": {"NAME": {"command": ...} or {"url": ...}}}'
    )
    assert notes == [f"{file}: {name}: disabled" for name in servers]


def test_without_a_configuration_there_is_nothing_to_check(
    tokenizer: Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gateway_service.configured(Config(), {}) is None
    assert check_gateway(None, "", tokenizer) == 2
    assert "expected MCP_GATEWAY_CONFIG to name a file" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"{"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "gateway.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"gateway\.json: expected"):
        gateway_service.configured(Config(mcp_gateway_config=str(file)), {})


def test_variables_of_the_env_file_count_and_the_environment_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "gateway.json"
    headers = {"X-Key": "${OF_FILE}", "X-Other": "${OF_BOTH}"}
    file.write_text(json.dumps({"mcpServers": {"web": {"url": "http://a/mcp", "headers": headers}}}), "utf-8")
    env_file = tmp_path / "env"
    env_file.write_text(f"MCP_GATEWAY_CONFIG={file}\nOF_FILE=one\nOF_BOTH=two\n", "utf-8")
    options = read_arguments(["--env-file", str(env_file)], "")
    settings, environment, _ = application.configured(options, {"OF_BOTH": "three"})
    config = gateway_service.configured(settings, environment)
    assert config
    assert config.servers["web"].spec.headers == {"X-Key": "one", "X-Other": "three"}
    assert dict(config.variables) == {**environment}
