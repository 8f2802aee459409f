"""The sidecar beside an agent and its metrics, as examples/ has them for Kubernetes. There is no cluster here: their text is read."""

from __future__ import annotations

import re

import pytest

from config import Config, settings
from tests.support.dockerfile import parse
from tests.support.manifests import EXAMPLES, OF_THE_CLUSTER, environment_of
from tests.support.messages import legacy
from tests.support.service import ROOT, Run

SIDECAR = (EXAMPLES / "kubernetes-sidecar.yaml").read_text("utf-8")
SCRAPING = (EXAMPLES / "kubernetes-scraping.yaml").read_text("utf-8")
REPLICAS = (EXAMPLES / "replicas" / "kubernetes.yaml").read_text("utf-8")
AGENT, SUMMARIZER = SIDECAR.split("      initContainers:\n")
DOCKERFILE = parse((ROOT / "Dockerfile").read_text("utf-8"))

GIVEN = environment_of(SUMMARIZER)
MIB = 1024 * 1024
# What the service holds at rest, and how many times the texts at work it may take.
AT_REST_MIB, TIMES = 128, 10


@pytest.mark.parametrize(
    "line",
    [
        "restartPolicy: Always",
        "runAsNonRoot: true",
        "allowPrivilegeEscalation: false",
        "readOnlyRootFilesystem: true",
        "capabilities: {drop: [ALL]}",
        "seccompProfile: {type: RuntimeDefault}",
    ],
)
def test_the_sidecar_is_one_and_may_do_no_more_than_it_must(line: str) -> None:
    assert re.search(rf"^ +{re.escape(line)}$", SUMMARIZER, re.MULTILINE)


def test_no_service_of_the_namespace_sets_its_port() -> None:
    for manifest in (SIDECAR, REPLICAS):
        assert re.search(r"^      enableServiceLinks: false$", manifest, re.MULTILINE)


def test_the_sidecar_is_given_what_the_service_reads() -> None:
    assert GIVEN.keys() <= {setting.name for setting, _ in settings()}
    config = Config.from_env({**GIVEN, "OPENROUTER_API_KEY": "sk-1"})
    assert config.port == int(DOCKERFILE.env["MCP_SUMMARIZER_PORT"]) == 8007
    assert config.api_keys == (OF_THE_CLUSTER["AGENT_KEY"], OF_THE_CLUSTER["PROMETHEUS_KEY"])
    assert f"runAsUser: {DOCKERFILE.only('USER').partition(':')[0]}\n" in SUMMARIZER
    assert f"containerPort: {config.port}}}" in SUMMARIZER
    assert environment_of(AGENT)["MCP_SUMMARIZER_URL"] == f"http://127.0.0.1:{config.port}/mcp"


def test_probes_ask_the_health_that_is_200_while_the_model_is_away() -> None:
    assert SUMMARIZER.count("httpGet: {path: /health, port: summarizer}") == 2
    assert "strict" not in SUMMARIZER


def test_the_memory_limit_has_room_for_what_the_settings_allow() -> None:
    config = Config.from_env(GIVEN)
    kept = config.max_originals_bytes + config.answer_cache_bytes
    needed = AT_REST_MIB + (TIMES * config.max_bytes_under_way + kept) / MIB
    limit = re.search(r"limits: \{memory: (\d+)Gi\}", SUMMARIZER)
    assert limit
    assert needed <= int(limit[1]) * 1024


def test_the_secret_that_is_made_has_every_key_that_is_read() -> None:
    for manifest in (SIDECAR, REPLICAS):
        made = set(re.findall(r"--from-literal=([a-z-]+)=", manifest))
        assert set(re.findall(r"secretKeyRef: \{name: mcp-summarizer, key: ([a-z-]+)", manifest)) == made
        assert "credentials: {name: mcp-summarizer, key: prometheus-key}" in SCRAPING
        assert "prometheus-key" in made


def test_no_manifest_names_a_namespace() -> None:
    for manifest in (SIDECAR, SCRAPING, REPLICAS):
        assert not re.search(r"default\.svc|namespace: ", manifest)
    hosts = Config.from_env(environment_of(REPLICAS)).allowed_hosts
    assert "mcp-summarizer.some-namespace.svc.cluster.local:8007" in hosts
    assert "mcp-summarizer:8007" in hosts


def test_prometheus_looks_for_what_the_pods_are_labelled_with() -> None:
    for manifest in (SIDECAR, REPLICAS):
        assert 'mcp-summarizer/metrics: "true"\n' in manifest
    assert 'matchLabels: {mcp-summarizer/metrics: "true"}' in SCRAPING
    # Prometheus writes each sign of a label that is none of its own as an underscore.
    label = "__meta_kubernetes_pod_label_" + re.sub(r"\W", "_", "mcp-summarizer/metrics")
    assert f"source_labels: [{label}]" in SCRAPING
    assert "portNumber: 8007\n" in SCRAPING


async def test_with_these_settings_the_agent_calls_by_loopback_and_prometheus_reads_by_any_name(
    run: Run,
) -> None:
    keys = {name: f"Bearer {OF_THE_CLUSTER[name]}" for name in ("AGENT_KEY", "PROMETHEUS_KEY")}
    async with run(**GIVEN) as service:
        ping = legacy("ping")
        called = await service.post(ping, {"Authorization": keys["AGENT_KEY"]})
        assert (called.status_code, called.json()["result"]) == (200, {})
        assert (await service.post(ping)).status_code == 401
        elsewhere = {"Host": "10.1.2.3:8007"}
        assert (
            await service.post(ping, {"Authorization": keys["AGENT_KEY"], **elsewhere})
        ).status_code == 421
        for path, headers, status in (
            ("/health", elsewhere, 200),
            ("/metrics", {"Authorization": keys["PROMETHEUS_KEY"], **elsewhere}, 200),
            ("/metrics", elsewhere, 401),
        ):
            answer = await service.http.get(f"{service.origin}{path}", headers=headers)
            assert answer.status_code == status, (path, answer.text)
