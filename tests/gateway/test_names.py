"""The names under which tools are offered: what models take, unique, stable, and found again."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.names import MAX_NAME_CHARS, NameTable, ToolId, tools_meant

tool_ids = st.builds(ToolId, st.text("ab_.-", min_size=1, max_size=30), st.text(min_size=1, max_size=60))


def names_of(*tools: tuple[str, str], renamed: dict[ToolId, str] | None = None) -> list[str]:
    ids = [ToolId(*each) for each in tools]
    table = NameTable(ids, renamed or {})
    return [table.name_of(each) for each in ids]


@given(st.lists(tool_ids, unique=True, max_size=20), st.randoms(use_true_random=False))
def test_every_tool_has_one_name_that_models_take_whatever_the_order(
    tools: list[ToolId], random: object
) -> None:
    table = NameTable(tools, {})
    shuffled = list(tools)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    other = NameTable(shuffled, {})
    names = [table.name_of(tool) for tool in tools]
    assert len(set(names)) == len(tools)
    assert [other.name_of(tool) for tool in tools] == names
    assert all(re.fullmatch(rf"[A-Za-z0-9_-]{{1,{MAX_NAME_CHARS}}}", name) for name in names)
    assert [table.tool_of(name) for name in names] == tools


def test_a_short_name_is_the_servers_and_the_tools() -> None:
    assert names_of(("kubernetes", "pods_list")) == ["kubernetes__pods_list"]


def test_a_dot_is_refused_by_models_and_written_as_an_underscore() -> None:
    assert names_of(("web", "web.search")) == ["web__web_search"]


def test_a_long_name_is_cut_and_ends_in_a_hash() -> None:
    long, other = (
        "resources_list_everything_of_one_kind_in_a_namespace",
        "resources_list_everything_of_one_kind_at_all",
    )
    first, second = names_of(("kubernetes", long), ("kubernetes", other))
    assert first.startswith("kubernetes__resources_list_everything_o")
    assert len(first) == MAX_NAME_CHARS
    assert first != second


def test_names_that_would_be_the_same_end_in_hashes() -> None:
    first, second, third = names_of(("web", "a.b"), ("web", "a_b"), ("web", "c"))
    assert first != second
    assert third == "web__c"


def test_server_dot_tool_is_understood_with_the_tools_own_name() -> None:
    table = NameTable([ToolId("web", "web.search")], {ToolId("web", "web.search"): "find"})
    assert table.name_of(ToolId("web", "web.search")) == "web__find"
    assert table.tool_of("web.web.search") == ToolId("web", "web.search")
    assert table.tool_of("web.other") is None


def test_a_dotted_name_of_two_tools_means_neither() -> None:
    table = NameTable([ToolId("a.b", "c"), ToolId("a", "b.c"), ToolId("a", "d")], {})
    assert table.tool_of("a.b.c") is None
    assert table.tool_of("a.d") == ToolId("a", "d")


@pytest.mark.parametrize(
    "name, meant",
    [
        ("kubernetes__pod_list", "; did you mean kubernetes__pods_list?"),
        ("kubernetes.pod_list", "; did you mean kubernetes__pods_list?"),
        ("pods_list", "; did you mean kubernetes__pods_list?"),
        ("kubernets__pods_list", "; did you mean kubernetes__pods_list?"),
        ("serach", "; did you mean github__search or web__search?"),
        ("web__find_it", "; did you mean web__find?"),
        # Of a server that is named, its prefix makes no tool similar.
        ("kubernetes__scale", ""),
        ("burn", ""),
        ("kubernetes__pods_list" * 9, ""),
    ],
)
def test_the_tools_that_a_nearly_right_name_means(name: str, meant: str) -> None:
    offered = {
        "kubernetes__nodes_top": ToolId("kubernetes", "nodes_top"),
        "kubernetes__pods_list": ToolId("kubernetes", "pods_list"),
        "github__search": ToolId("github", "search"),
        "web__search": ToolId("web", "search"),
        "web__find": ToolId("web", "web.look_up"),
    }
    assert tools_meant(name, offered) == meant


@pytest.mark.parametrize(
    "name, meant",
    [
        ("mcp__github__create_issue", "github__create_issue"),
        ("github_create_issue", "github__create_issue"),
        ("functions.github__create_issue", "github__create_issue"),
        ("GITHUB__CREATE_ISSUE", "github__create_issue"),
        ("github-create-issue", "github__create_issue"),
        ("my_github_create_issue", "my_github__create_issue"),
        ("mcp__gateway__read_original", "read_original"),
        ("create_issue", "github__create_issue or jira__create_issue or my_github__create_issue"),
    ],
)
def test_a_name_of_another_form_or_with_a_part_before_it_means_the_tool_of_the_server_that_it_names(
    name: str, meant: str
) -> None:
    servers = ("github", "jira", "my_github")
    offered = {f"{server}__create_issue": ToolId(server, "create_issue") for server in servers}
    assert tools_meant(name, offered, ["read_original"]) == f"; did you mean {meant}?"


def test_of_many_tools_that_a_name_may_mean_three_are_named() -> None:
    offered = {f"s{number}__search_items": ToolId(f"s{number}", "search_items") for number in range(100)}
    meant = "; did you mean s0__search_items or s1__search_items or s2__search_items or others?"
    assert tools_meant("serch_items", offered) == meant


def test_a_name_of_which_one_word_or_none_is_left_is_not_meant_by_all_that_end_in_it() -> None:
    ids = ToolId("日历", "搜索"), ToolId("日历", "search"), ToolId("github", "searches")
    table = NameTable(ids, {})
    offered = {table.name_of(each): each for each in ids}
    assert tools_meant("burn", offered) == ""
    assert tools_meant("github__search", offered) == "; did you mean github__searches?"


def test_of_many_long_names_the_nearest_is_meant() -> None:
    alike = [f"{'a' * 90}{number:04}" for number in range(2000)]
    offered = {f"s__{tool}": ToolId("s", tool) for tool in alike}
    assert tools_meant(f"s__{'a' * 90}0029x", offered) == f"; did you mean s__{'a' * 90}0029?"
