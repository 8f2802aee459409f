"""Misspelled names of settings, and names that must not be taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import settings
from settings.misspellings import MAX_COMPARED, compared, shortened, suggestion

KNOWN = [name for setting, _ in settings() for name in setting.names]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"


@pytest.mark.parametrize(
    "name, setting",
    [
        ("LLM_MODELL", "LLM_MODEL"),
        ("LLM_MODLE", "LLM_MODEL"),
        ("llm_model", "LLM_MODEL"),
        ("MCP_SUMMARISER_PORT", "MCP_SUMMARIZER_PORT"),
        ("MCP_SUMARISER_PORT", "MCP_SUMMARIZER_PORT"),
        ("MCP_SUMMARIZER_PROT", "MCP_SUMMARIZER_PORT"),
        ("MCP_SUMMARIZER_API_KEY", "MCP_SUMMARIZER_API_KEYS"),
        ("MCP_SUMMARIZER_APIKEY", "MCP_SUMMARIZER_API_KEYS"),
        ("MCP_SUMMARIZER_API_KEY_FILE", "MCP_SUMMARIZER_API_KEYS_FILE"),
        ("OPENROUTER_APIKEY", "OPENROUTER_API_KEY"),
        ("OPEN_ROUTER_API_KEY", "OPENROUTER_API_KEY"),
        ("OPENROUTER_BASEURL", "OPENROUTER_BASE_URL"),
        ("MAX_CONCURENT_REQUEST", "MAX_CONCURRENT_REQUESTS"),
        ("DEFAULT_MAX_OUPUT_TOKEN", "DEFAULT_MAX_OUTPUT_TOKENS"),
        ("LOGLEVEL", "LOG_LEVEL"),
    ],
)
def test_a_misspelling_is_recognised(name: str, setting: str) -> None:
    assert suggestion(name, KNOWN) == setting


# What Kubernetes and Docker's old links set for a Service called mcp-summarizer, and one called mcp-summarizer-host.
INJECTED = [
    f"{service}_{ending}"
    for service in ("MCP_SUMMARIZER", "MCP_SUMMARIZER_HOST", "MCP_SUMMARIZER_GATEWAY")
    for ending in (
        "SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "SERVICE_PORT_METRICS", "NAME", "ENV_PATH",
        "PORT_8007_TCP", "PORT_8007_TCP_PROTO", "PORT_8007_TCP_PORT", "PORT_8007_TCP_ADDR",
    )
]  # fmt: skip
OF_OTHERS = [
    "MCP_SUMMARIZER_URL",
    "SUMMARIZER_LLM_MODEL",
    "LLM_MODEL_NAME",
    "LLM_API_KEY",
    "LLM_PROVIDER",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_MODEL",
    "ANTHROPIC_API_KEY",
    "OPENROUTER_MODEL",
    "OPENROUTER_API_BASE",
    "READ_TIMEOUT_SECONDS",
    "IDLE_TIMEOUT_SECONDS",
    "CONNECT_TIMEOUT_SECONDS",
    "LOG_FORMATTER",
    "LOG_FILE",
    "LOG_DIR",
    "MAX_TOKENS",
    "MAX_WORKERS",
    "MAX_CONCURRENT_TASKS",
    "WEB_CONCURRENCY",
    "GEMINI_API_KEY",
    "GOOGLE_CSE_ID",
    "BRAVE_SEARCH_API_KEY",
    "EMBEDDING_MODEL",
    "EMBEDDING_API_KEY",
    "PLAYWRIGHT_BROWSERS_PATH",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "PORT",
    "HOST",
    "PATH",
    "HOME",
    "HOSTNAME",
    "LANG",
    "PWD",
    "SHELL",
    "TERM",
    "USER",
    "LOGNAME",
    "MAIL",
    "EDITOR",
    "TMPDIR",
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
    "KUBERNETES_PORT",
    "KUBERNETES_PORT_443_TCP",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "PYTHONUNBUFFERED",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "GITHUB_TOKEN",
    "CI",
    "RUNNER_TEMP",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "DEFAULT_MODEL",
    "DEFAULT_CHUNK_SIZE",
    "CHUNK_SIZE",
    "CHUNK_OVERLAP",
    "ALLOWED_USERS",
    "CORS_ALLOWED_ORIGINS",
    "MAX_BODY_SIZE",
    "SHUTDOWN_TIMEOUT_SECONDS",
    "CACHE_TTL_SECONDS",
]


@pytest.mark.parametrize("name", [*INJECTED, *OF_OTHERS])
def test_another_programs_name_is_not_a_misspelling(name: str) -> None:
    assert suggestion(name, KNOWN) is None


@pytest.mark.parametrize(
    "name, meant",
    [
        ("MAX_OUTPUT_TOKENS", ["DEFAULT_MAX_OUTPUT_TOKENS"]),
        ("chunk_size_tokens", ["DEFAULT_CHUNK_SIZE_TOKENS"]),
        ("DEFAULT_CHUNK_OVERLAP", ["DEFAULT_CHUNK_OVERLAP_TOKENS"]),
        ("GATEWAY_CONFIG", ["MCP_GATEWAY_CONFIG"]),
        ("MCP_GATEWAY", ["MCP_GATEWAY_CONFIG"]),
        ("SUMMARIZER_PORT", ["MCP_SUMMARIZER_PORT"]),
        ("BASE_URL", ["OPENROUTER_BASE_URL"]),
        ("OPENROUTER_BASE", ["OPENROUTER_BASE_URL"]),
        ("OPENROUTER_KEY", ["OPENROUTER_API_KEY"]),
        ("LLM_TIMEOUT_SECONDS", ["LLM_CONNECT_TIMEOUT_SECONDS", "LLM_TOTAL_TIMEOUT_SECONDS"]),
    ],
)
def test_a_name_that_lacks_one_word_is_recognised(name: str, meant: list[str]) -> None:
    assert shortened(name, KNOWN) == meant
    assert suggestion(name, KNOWN) is None


@pytest.mark.parametrize(
    "name",
    [
        # Too few words to tell whose it is.
        "PORT",
        "HOST",
        "MODEL",
        "",
        # Two words are missing.
        "MAX_TOKENS",
        "CHUNK_SIZE",
    ],
)
def test_a_name_that_could_be_anyones_is_no_shortened_one(name: str) -> None:
    assert shortened(name, KNOWN) == []


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str]:
    """A setting, and its name with one sign too many, too few or another, or two that changed places."""
    name = draw(st.sampled_from(KNOWN))
    at = draw(st.integers(0, len(name) - 2))
    sign = draw(st.sampled_from(LETTERS))
    changed = draw(
        st.sampled_from(
            [
                name[:at] + sign + name[at:],
                name[:at] + name[at + 1 :],
                name[:at] + sign + name[at + 1 :],
                name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            ]
        )
    )
    return name, changed


@given(slips())
def test_any_one_typo_is_recognised(slip: tuple[str, str]) -> None:
    name, changed = slip
    # A slip may lead to another setting's name, or nearer to one.
    assert suggestion(changed, KNOWN) in KNOWN
    assert suggestion(name, KNOWN) == name


def test_of_many_names_some_are_compared_and_those_with_the_own_prefix_in_any_case() -> None:
    names = [f"A_NAME_{number}" for number in range(20_000)]
    own = ["MCP_SUMMARIZER_PROT", "mcp_summarizer_hots"]
    found = compared([*names, *own], "MCP_SUMMARIZER_")
    assert len(found) == MAX_COMPARED
    assert set(own) < set(found)
    assert compared(["B", "A", *own], "MCP_SUMMARIZER_") == sorted(["A", "B", *own])
