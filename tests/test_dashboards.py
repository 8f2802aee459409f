"""The dashboard, the alerts and the table in docs/operations.md name the metrics that a running service exports, and all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gateway.config_file import read_gateway_config
from summarizing.text.tokenizer import Tokenizer
from tests.support.messages import call, legacy
from tests.support.scrapes import SUFFIXES, Family, scrape
from tests.support.service import ROOT, prose, running, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Summarizes

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

DASHBOARD: dict[str, Any] = json.loads((ROOT / "examples" / "grafana-dashboard.json").read_text("utf-8"))
ALERTS = (ROOT / "examples" / "alerts.yml").read_text("utf-8")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text("utf-8")

PREFIX = "mcp_summarizer_"

# Prometheus' own, of every target.
OF_PROMETHEUS = {"up"}

_USED = re.compile(r"\b(mcp_summarizer_[a-z0-9_]+|process_[a-z0-9_]+|up\b)(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'(\w+)(=~|!=|=)"([^"]*)"')

# What Prometheus adds to every sample of a target.
OF_TARGETS = {"job", "instance"}


@dataclass(frozen=True)
class Selector:
    """A metric as an expression asks for it."""

    name: str
    matchers: tuple[tuple[str, str, str], ...]


def selectors(expression: str) -> Iterator[Selector]:
    for name, matchers in _USED.findall(expression):
        yield Selector(name, tuple(_MATCHER.findall(matchers)))


def dashboard_expressions() -> list[str]:
    panels = DASHBOARD["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", ())]


def alert_blocks() -> list[str]:
    return ALERTS.split("      - alert: ")[1:]


def alert_expressions() -> list[str]:
    found = [
        re.search(r"^        expr: (?:>-\n)?(.*?)\n        \w", block, re.DOTALL | re.MULTILINE)
        for block in alert_blocks()
    ]
    return [each[1] for each in found if each]


@pytest.fixture
async def exported(tokenizer: Tokenizer, tmp_path: Path) -> dict[str, Family]:
    """What a service with a model, a gateway and the web tools exports that has had one call."""
    web = {"WEB_ENABLED": "true", "DATA_DIR": str(tmp_path)}
    gateway = read_gateway_config('{"mcpServers": {"one": {"url": "http://127.0.0.1:9/mcp"}}}', {})
    async with (
        StandIn([Summarizes(cost=0.1)]) as model,
        running(tokenizer, with_model(model, **web), gateway) as service,
    ):
        await service.post(legacy("tools/call", call(content=prose(60), max_output_tokens=200)))
        return (await scrape(service)).families


def family_of(sample: str, exported: dict[str, Family]) -> Family:
    """Return the family that a sample belongs to, by the rules of Prometheus' names."""
    if sample in exported and exported[sample].kind != "histogram":
        return exported[sample]
    for suffix in SUFFIXES["histogram"]:
        base = sample.removesuffix(suffix)
        if base != sample and base in exported and exported[base].kind == "histogram":
            return exported[base]
    raise AssertionError(f"nothing exports {sample}")


def exists(selector: Selector, family: Family) -> bool:
    """Whether a sample can have the labels that an expression asks for."""
    for name, operator, value in selector.matchers:
        if name in OF_TARGETS or operator == "!=":
            continue
        known = {dict(labels).get(name, "") for sample, labels in family.samples if sample == selector.name}
        wanted = value.split("|") if operator == "=~" else [value]
        if not all(any(re.fullmatch(each, label) for label in known) for each in wanted):
            return False
    return True


@pytest.mark.parametrize(
    "expressions", [dashboard_expressions(), alert_expressions()], ids=["dashboard", "alerts"]
)
def test_every_metric_of_the_dashboards_is_exported_with_its_labels(
    expressions: list[str], exported: dict[str, Family]
) -> None:
    asked = [selector for expression in expressions for selector in selectors(expression)]
    assert asked
    for selector in asked:
        if selector.name not in OF_PROMETHEUS:
            assert exists(selector, family_of(selector.name, exported)), selector


def test_the_dashboard_shows_every_metric_that_is_exported(exported: dict[str, Family]) -> None:
    shown = [selector.name for each in dashboard_expressions() for selector in selectors(each)]
    families = {id(family_of(name, exported)) for name in shown}
    assert [name for name, family in exported.items() if id(family) not in families] == []


def test_the_documents_name_every_metric_that_is_exported_and_no_other(exported: dict[str, Family]) -> None:
    section = OPERATIONS.split("\n## Metrics\n")[1].split("\n## ")[0]
    rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    usual = re.findall(r"`(process_\w+)`", section)
    assert sorted(named) == sorted(name.removeprefix(PREFIX) for name in exported if name.startswith(PREFIX))
    assert sorted(usual) == sorted(name for name in exported if not name.startswith(PREFIX))


def test_metric_names_follow_prometheus_conventions(exported: dict[str, Family]) -> None:
    for name, family in exported.items():
        assert name.endswith("_total") == (family.kind == "counter"), name
        assert family.meaning.endswith("."), name
        assert family.kind in ("counter", "gauge", "histogram"), name


def test_the_dashboard_can_be_imported_anywhere() -> None:
    variables = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
    assert variables["datasource"]["type"] == "datasource"
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in panels)
    assert all(
        target["datasource"]["uid"] == "${datasource}" for panel in panels for target in panel["targets"]
    )
    assert "id" not in DASHBOARD  # Grafana gives it one; with another's it would replace a stranger's
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)


def test_no_panel_covers_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


def test_every_alert_has_a_severity_and_says_what_to_do() -> None:
    blocks = alert_blocks()
    assert len(alert_expressions()) == len(blocks) > 0
    for block in blocks:
        assert re.search(r"^        labels: \{severity: (page|ticket)\}$", block, re.MULTILINE), block
        assert re.search(r"^          summary: \S", block, re.MULTILINE), block
        assert re.search(r"^          runbook: \S", block, re.MULTILINE), block


def test_settings_named_in_a_runbook_exist() -> None:
    known = set(re.findall(r"^\| `([A-Z_]+)` \|", SETTINGS, re.MULTILINE))
    named = set(re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b", ALERTS))
    assert len(named) > 5
    assert named <= known
