"""The gateway's configuration: what clients write is taken, what is wrong is named, and no message quotes what may be a secret."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.config_file import GatewayConfigError, read_gateway_config
from gateway.server_rules import GatewayServer, SummarizationRules

SECRET = "ghp_0123456789abcdef"


def config_of(*, environment: dict[str, str] | None = None, **servers: Any) -> dict[str, GatewayServer]:
    return dict(read_gateway_config(json.dumps({"mcpServers": servers}), environment or {}).servers)


def problems_of(*, environment: dict[str, str] | None = None, **servers: Any) -> list[str]:
    with pytest.raises(GatewayConfigError) as refused:
        config_of(environment=environment, **servers)
    return str(refused.value).splitlines()


def test_what_every_client_takes_is_taken() -> None:
    servers = config_of(
        kubernetes={
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "kubernetes-mcp-server@0.0.54"],
            "env": {"KUBECONFIG": "/etc/kube/config"},
            "cwd": "/srv",
            "autoApprove": [],
        },
        docs={"type": "http", "url": "https://docs.example/mcp", "headers": {"X-Team": "sre"}},
    )
    run, called = servers["kubernetes"].spec, servers["docs"].spec
    assert (run.command, run.args, run.cwd) == ("npx", ("-y", "kubernetes-mcp-server@0.0.54"), "/srv")
    assert run.env == {"KUBECONFIG": "/etc/kube/config"}
    assert (called.url, called.headers) == ("https://docs.example/mcp", {"X-Team": "sre"})
    assert run.timeout_seconds == called.timeout_seconds == 120


def test_without_a_block_results_are_summarized_with_the_defaults() -> None:
    server = config_of(a={"command": "true"})["a"]
    assert server.summarization == SummarizationRules(True, 5_000, 1_000, None, "original", 25_000)
    assert server.masking.enabled
    assert server.masking.emails
    assert server.may_rewrite
    assert not server.withholds_changed


def test_what_the_gateway_adds_is_read() -> None:
    server = config_of(
        a={
            "command": "true",
            "timeout_seconds": 7.5,
            "summarization": {"enabled": True, "size_threshold_tokens": 2000, "summary_max_token_limit": 800},
            "masking": {"groups": ["aws"], "emails": False, "patterns": {"ticket": "T-[0-9]{6}"}},
            "tools": {"allow": ["x", "y"], "deny": ["y"], "rename": {"x": "z"}, "exact": ["x"], "pin": ["x"]},
            "mode": "observe",
            "on_change": "withhold",
            "isolation": "session",
        }
    )["a"]
    assert server.spec.timeout_seconds == 7.5
    assert server.summarization.size_threshold_tokens == 2000
    assert server.masking.patterns == {"ticket": "T-[0-9]{6}"}
    assert not server.masking.emails
    assert [server.tools.offers(tool) for tool in "xyz"] == [True, False, False]
    assert (server.observes, server.withholds_changed, server.isolation) == (True, True, "session")


def test_variables_are_replaced_and_remembered_as_secrets() -> None:
    environment = {"TOKEN": SECRET, "EMPTY": ""}
    spec = config_of(
        environment=environment,
        a={
            "url": "${BASE:-https://a.example}/mcp",
            "headers": {
                "Authorization": "Bearer ${TOKEN}",
                "X": "${EMPTY}",
                "Y": "${EMPTY:-y}",
                "Z": "$TOKEN",
            },
        },
    )["a"].spec
    assert spec.url == "https://a.example/mcp"
    assert spec.headers == {"Authorization": f"Bearer {SECRET}", "X": "", "Y": "y", "Z": "$TOKEN"}
    assert SECRET in spec.secrets
    assert SECRET not in repr(spec)


def test_an_unset_variable_is_named_once_with_its_place() -> None:
    auth = {"grant": "refresh_token", "client_id": "x", "refresh_token": "x"}
    problems = problems_of(
        a={"command": "x", "env": {"KEY": "${NO_SUCH}"}},
        b={"url": "http://h:${PORT}", "auth": {**auth, "token_url": "${NEITHER}/token"}},
    )
    assert problems == [
        "MCP_GATEWAY_CONFIG: a.env.KEY: expected the environment to have NO_SUCH, which is not set",
        "MCP_GATEWAY_CONFIG: b.url: expected the environment to have PORT, which is not set",
        "MCP_GATEWAY_CONFIG: b.auth.token_url: expected the environment to have NEITHER, which is not set",
    ]


def test_the_value_of_a_variable_is_taken_as_it_is() -> None:
    auth = {
        "grant": "refresh_token",
        "token_url": "http://x",
        "client_id": "x",
        "refresh_token": "${TOKEN}",
    }
    servers = {"a": {"url": "http://x", "headers": {"A": "${TOKEN}"}, "auth": auth}}
    config = read_gateway_config(
        json.dumps({"mcpServers": servers}), {"TOKEN": "a${OTHER}", "OTHER": "never"}
    )
    spec = config.servers["a"].spec
    assert spec.auth is not None
    assert (spec.headers["A"], spec.auth.refresh_token) == ("a${OTHER}", "a${OTHER}")


@pytest.mark.parametrize("url", ["http://[::1]:8000/mcp", "https://käse.example/mcp"])
def test_a_url_of_a_server_of_http_is_taken(url: str) -> None:
    config = read_gateway_config(json.dumps({"mcpServers": {"a": {"url": url}}}), {})
    assert config.servers["a"].spec.url == url


@pytest.mark.parametrize(
    "members, named",
    [
        ({}, "expected either a command or a url, got neither"),
        ({"command": "x", "url": "http://x"}, "got both"),
        ({"url": "ftp://x"}, "a.url: expected http:// or https://"),
        ({"url": "http://[bad/mcp"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "https://"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://me@/mcp"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://x:99999/mcp"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://x/mcp\n"}, "a.url: expected http:// or https://, then a host"),
        ({"url": " http://x/mcp"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://[v1.x]/"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://xn--a/mcp"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://☃.example/mcp"}, "a.url: expected http:// or https://, then a host"),
        ({"url": "http://1.2.3.999/mcp"}, "a.url: expected http:// or https://, then a host"),
        (
            {"url": "http://x", "auth": {"token_url": "https://[bad"}},
            "a.auth.token_url: expected http:// or https://, then a host",
        ),
        ({"url": "http://x", "args": []}, "a.args: only with a command"),
        ({"command": "x", "headers": {}}, "a.headers: only with a url"),
        ({"command": 5}, "a.command: expected"),
        ({"command": "x", "env": {"A": 5}}, "a.env.A: expected a string, got a number"),
        ({"command": "x", "timeout_seconds": 0}, "a.timeout_seconds: expected"),
        ({"command": "x", "timeout_second": 5}, "did you mean timeout_seconds?"),
        (
            {"command": "x", "summarization": {"size_threshold_tokens": 99}},
            "a.summarization.size_threshold_tokens",
        ),
        (
            {"command": "x", "summarization": {"summary_max_token_limit": 49}},
            "a.summarization.summary_max_token",
        ),
        ({"command": "x", "summarization": {"on_failure": "raw"}}, "a.summarization.on_failure: expected"),
        ({"command": "x", "summarization": {"enable": True}}, "did you mean enabled?"),
        (
            {"command": "x", "summarization": {"size_threshold": 200}},
            "a.summarization.size_threshold: expected one of enabled, size_threshold_tokens",
        ),
        (
            {"command": "x", "summarization": {"size_threshold": 200}},
            "did you mean size_threshold_tokens?",
        ),
        (
            {"command": "x", "masking": {"colour": "red"}},
            "a.masking.colour: expected one of enabled, groups, emails, patterns",
        ),
        ({"command": "x", "tools": {"Allowed": []}}, "did you mean allow?"),
        ({"url": "http://x", "auth": {"issuer": "x"}}, "a.auth.issuer: expected one of grant, token_url"),
        ({"command": "x", "tools": {"deny": "y"}}, "a.tools.deny: expected"),
        ({"url": "http://x", "forward_headers": ["Authorization"]}, "Authorization is never sent on"),
        ({"url": "http://x", "forward_headers": ["X", "cookie"]}, "cookie is never sent on"),
        ({"url": "http://x", "forward_headers": ["Mcp-Name"]}, "Mcp-Name is never sent on"),
        ({"url": "http://x", "auth": {}}, "a.auth.grant: expected a value, got none"),
        ({"url": "http://x", "auth": {"grant": "password"}}, "a.auth.grant: expected"),
        (
            {"url": "http://x", "auth": {"grant": "client_credentials"}},
            "a.auth.client_secret: expected a value, got none",
        ),
        (
            {"url": "http://x", "auth": {"grant": "refresh_token"}},
            "a.auth.refresh_token: expected a value, got none",
        ),
        ({"url": "http://x", "auth": {"token_url": "x"}}, "a.auth.token_url: expected http:// or https://"),
        ({"command": "x", "auth": {}}, "a.auth: only with a url"),
        (
            {"url": "http://x", "auth": {}, "headers": {"authorization": "b"}},
            "a.auth: not with a header Authorization",
        ),
        ({"url": "http://x", "forward_headers": ["a b"]}, "forward_headers: expected names of headers"),
        ({"command": "x", "max_calls_per_minute": 0}, "a.max_calls_per_minute: expected"),
        ({"command": "x", "args": ["y", 5]}, "a.args[1]: expected a string, got a number"),
        (
            {"command": "x", "on_change": "hold"},
            'a.on_change: expected one of "tell", "withhold", got "hold"',
        ),
        (
            {"command": "x", "max_concurrency": 2.5},
            "a.max_concurrency: expected a whole number of at least 1, got 2.5",
        ),
        ({"command": "x", "max_concurrency": "20"}, 'of at least 1, got "20"'),
        (
            {"command": "x", "masking": {"enabled": "no"}},
            'a.masking.enabled: expected true or false, got "no"',
        ),
    ],
)
def test_what_is_wrong_is_named(members: dict[str, Any], named: str) -> None:
    assert any(named in problem for problem in problems_of(a=members)), problems_of(a=members)


@pytest.mark.parametrize(
    "file, got",
    [
        ({"mcpservers": {}}, '"mcpservers"'),
        ({"servers": {}, "inputs": []}, '"servers", "inputs"'),
        ({}, "an empty object"),
    ],
)
def test_a_file_without_servers_is_told_which_member_it_lacks(file: dict[str, Any], got: str) -> None:
    with pytest.raises(GatewayConfigError) as refused:
        read_gateway_config(json.dumps(file), {}, "gateway.json")
    assert str(refused.value) == (
        f'gateway.json: expected a member "mcpServers" (case counts), got {got}: '
        'write {"mcpServers": {"NAME": {"command": ...} or {"url": ...}}}'
    )


def test_members_that_other_clients_have_are_taken_without_a_note() -> None:
    members = {"command": "x", "type": "stdio", "disabled": False, "autoApprove": ["y"]}
    config = read_gateway_config(json.dumps({"mcpServers": {"a": members}}), {})
    assert (list(config.servers), config.notes) == (["a"], ())


def test_all_problems_are_told_at_once() -> None:
    assert len(problems_of(a={"command": 5, "cwd": 6}, b={"url": "x"})) == 4


@pytest.mark.parametrize("name", ["", "a b", "a" * 33, "ä", "../a"])
def test_a_server_has_a_name_that_fits_urls_and_tools(name: str) -> None:
    assert any(
        "expected a name of at most 32" in problem for problem in problems_of(**{name: {"command": "x"}})
    )


def test_no_message_quotes_a_value_that_may_be_a_secret() -> None:
    wrong = {"command": [SECRET], "args": SECRET, "env": {"A": [SECRET]}, "url": [SECRET]}
    assert SECRET not in "\n".join(problems_of(a=wrong, environment={}))


def test_a_disabled_server_is_left_out_and_unknown_members_are_told() -> None:
    text = json.dumps({"mcpServers": {"a": {"disabled": True}, "b": {"command": "x", "color": "red"}}})
    config = read_gateway_config(text, {})
    assert list(config.servers) == ["b"]
    assert config.notes == (
        "MCP_GATEWAY_CONFIG: a: disabled",
        "MCP_GATEWAY_CONFIG: b.color: not known, has no effect",
    )


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ).map(lambda value: json.dumps({"mcpServers": {"a": value}}))
)
def test_any_text_is_read_or_refused(text: str) -> None:
    assert said_of(text)


def said_of(text: str) -> object:
    """Return what was read, or why nothing was."""
    try:
        return read_gateway_config(text, {})
    except GatewayConfigError as problem:
        return str(problem)


def test_tokens_are_asked_for_the_servers_url_unless_another_one_is_named() -> None:
    auth = {
        "grant": "client_credentials",
        "token_url": "https://t",
        "client_id": "me",
        "client_secret": "${SECRET}",
    }
    servers = {
        "a": {"url": "http://x", "auth": auth},
        "b": {"url": "http://x", "auth": {**auth, "resource": ""}},
    }
    config = read_gateway_config(json.dumps({"mcpServers": servers}), {"SECRET": "canary-canary"})
    grants = [server.spec.auth for server in config.servers.values()]
    assert [grant and grant.resource for grant in grants] == ["http://x", ""]
    assert [grant and grant.client_secret for grant in grants] == ["canary-canary"] * 2
    assert "canary" not in repr(config.servers["a"].spec.auth)
