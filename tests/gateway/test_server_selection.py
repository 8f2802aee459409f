"""What a connection chooses: read as it was meant, or refused with the name of what is wrong."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.names import ToolId
from gateway.server_selection import (
    Selection,
    SelectionError,
    check_tools,
    read_header,
    read_query,
    select_all,
)

CONFIGURED = ["kubernetes-server", "argocd-server", "github"]


def test_a_query_names_servers_alone_or_with_tools() -> None:
    chosen = read_query("kubernetes-server, argocd-server:get_application_status", CONFIGURED)
    assert chosen.includes(ToolId("kubernetes-server", "anything"))
    assert chosen.includes(ToolId("argocd-server", "get_application_status"))
    assert not chosen.includes(ToolId("argocd-server", "delete_application"))
    assert not chosen.includes(ToolId("github", "search"))


@pytest.mark.parametrize("named", ["github:search", "github.search", "github__search"])
def test_a_tool_is_chosen_by_any_of_its_spellings(named: str) -> None:
    assert read_query(named, CONFIGURED) == Selection({"github": frozenset({"search"})})


def test_a_server_whose_name_begins_with_another_ones_is_meant_by_its_own() -> None:
    assert read_query("git.hub", ["git", "git.hub"]) == Selection({"git.hub": None})
    with pytest.raises(SelectionError, match=r"expected servers of git, git\.hub, got git\.hub\.search"):
        read_query("git.hub.search", ["git", "git.hub"])
    with pytest.raises(SelectionError, match=r"expected names such as .*, got 'git__'"):
        read_query("git__", ["git"])


def test_the_header_of_the_seeds_is_the_same() -> None:
    header = {
        "servers": [
            {"name": "kubernetes-server"},
            {"name": "argocd-server", "tools": ["get_application_status"]},
        ],
        "native_tools": {"google_search": False},
    }
    assert read_header(json.dumps(header), CONFIGURED) == read_query(
        "kubernetes-server,argocd-server:get_application_status", CONFIGURED
    )


def test_no_tools_named_means_all_of_them() -> None:
    assert read_header('{"servers": [{"name": "github", "tools": []}]}', CONFIGURED) == Selection(
        {"github": None}
    )


def test_a_server_that_is_named_alone_and_with_a_tool_has_all_tools() -> None:
    assert read_query("github:search,github", CONFIGURED) == read_query("github,github:search", CONFIGURED)
    assert read_query("github:search,github", CONFIGURED) == Selection({"github": None})


def test_two_tools_of_one_server_are_both_chosen() -> None:
    assert read_query("github:a,github:b", CONFIGURED) == Selection({"github": frozenset({"a", "b"})})


def test_without_a_choice_everything_is_chosen() -> None:
    assert all(select_all(CONFIGURED).includes(ToolId(server, "any")) for server in CONFIGURED)


@pytest.mark.parametrize(
    "query, named",
    [
        ("", "at least one server"),
        (" , ,", "at least one server"),
        ("gitlab", "got gitlab"),
        ("github,gitlab:x", "got gitlab"),
        (":search", "':search'"),
        ("github:", "'github:'"),
        ("github," * 20_000, "at most 65536 characters"),
    ],
)
def test_a_wrong_query_is_refused_and_says_what_is_wrong(query: str, named: str) -> None:
    with pytest.raises(SelectionError, match=named):
        read_query(query, CONFIGURED)


@pytest.mark.parametrize(
    "header, named",
    [
        ("", "expected JSON"),
        ("{", "expected JSON"),
        ("[" * 60_000, "expected JSON"),
        ("[]", "expected an object"),
        ("{}", "servers: expected"),
        ('{"servers": []}', "servers: expected"),
        ('{"servers": ["github"]}', r"servers\[0\]: expected an object"),
        ('{"servers": [{"tools": ["a"]}]}', r"servers\[0\].name"),
        ('{"servers": [{"name": "github", "tools": "a"}]}', r"servers\[0\].tools"),
        ('{"servers": [{"name": "gitlab"}]}', "got gitlab"),
    ],
)
def test_a_wrong_header_is_refused_and_says_what_is_wrong(header: str, named: str) -> None:
    with pytest.raises(SelectionError, match=named):
        read_header(header, CONFIGURED)


def test_a_tool_that_a_server_does_not_have_is_refused_and_near_ones_are_named() -> None:
    chosen = read_query("github:serach,github:search,argocd-server:any", CONFIGURED)
    with pytest.raises(SelectionError) as refused:
        check_tools(chosen, {"github": {"search", "merge"}}, "servers")
    assert str(refused.value) == "servers: expected tools that github has, got serach; did you mean search?"


def test_what_is_said_of_many_unknown_tools_is_short() -> None:
    chosen = read_query(",".join(f"github:{'x' * 200}{number}" for number in range(50)), CONFIGURED)
    with pytest.raises(SelectionError) as refused:
        check_tools(chosen, {"github": {"search"}}, "servers")
    assert len(str(refused.value)) < 1_100


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_query, read_header):
        assert servers_in(read, text) <= set(CONFIGURED)


def servers_in(read: Callable[[str, list[str]], Selection], text: str) -> set[str]:
    """Return the servers that a text chooses; none if it is refused."""
    try:
        return set(read(text, CONFIGURED).servers)
    except SelectionError:
        return set()
