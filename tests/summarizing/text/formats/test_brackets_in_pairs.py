"""Whatever is kept of data or code in brackets, what it opens is closed, and each value stands in its record."""

import json
import re
from random import Random

import pytest

from summarizing.extractive.rendering import render
from summarizing.text.document import Document, SegmentKind
from summarizing.text.parsing import parse

PODS = [
    {
        "kind": "Pod",
        "name": f"pod-{number}",
        "conditions": [{"type": "Ready", "status": True}, {"type": "Scheduled", "status": False}],
        "containers": [{"name": f"c{number}", "limits": {"cpu": "500m", "memory": f"{number * 64}Mi"}}],
    }
    for number in range(30)
]
PROSE = "The cluster has two nodes, and its pods are moved from one to the other when the tide is high. " * 6
FENCE = f"{PROSE}The pods of the cluster:\n\n```json\n{json.dumps({'items': PODS}, indent=2)}\n```\n\nTwo of them wait.\n"
TERRAFORM = "".join(
    f'resource "aws_instance" "web_{number}" {{\n  instance_type = "t3.{size}"\n  tags = {{\n    Name = "web-{number}"\n  }}\n}}\n\n'
    for number, size in enumerate(["micro", "large", "small"] * 6)
)
JAVA = "".join(
    f"    public int total{number}(List<Order> orders) {{\n        int sum = 0;\n        for (Order order : orders) {{\n"
    f"            if (order.isOpen()) {{\n                sum += order.total() * {number};\n            }} else {{\n"
    f'                log.warn("order {{}} is closed, and its total of the year is not counted", order);\n            }}\n        }}\n'
    "        // The tax is added by whoever asks, since it differs from country to country, and from year to year.\n"
    "        return sum;\n    }\n\n"
    for number in range(12)
)
JAVA = f"package shop;\n\npublic class Orders {{\n{JAVA}}}\n"


def some_of(document: Document, random: Random) -> set[int]:
    """Return some segments, with what they require."""
    worthy = [at for at, one in enumerate(document.segments) if one.kind is not SegmentKind.FRAME]
    chosen = random.sample(worthy, 6)
    return {part for index in chosen for part in (index, *document.requirements(index))}


def unclosed(text: str) -> str:
    """Return the brackets of a text, those in strings aside, without those that are closed."""
    brackets = re.sub(r'"[^"\n]*"|[^][(){}]', "", text)
    while brackets != (closed := re.sub(r"\[\]|\(\)|\{\}", "", brackets)):
        brackets = closed
    return brackets


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("text", [FENCE, TERRAFORM, JAVA])
def test_what_is_kept_has_its_brackets_in_pairs(text: str, seed: int) -> None:
    document = parse(text)
    summary = re.sub(
        r"\[(?:\d+ \w+ left out|\.\.\.)\]", "", render(document, some_of(document, Random(seed)))
    )
    assert not unclosed(summary)


@pytest.mark.parametrize("seed", range(20))
def test_a_value_in_a_fence_of_json_stands_in_its_record(seed: int) -> None:
    document = parse(FENCE)
    summary = render(document, some_of(document, Random(seed)))
    for name, memory in re.findall(
        r'"name": "c(\d+)"(?:(?!"name").)*?"memory": "(\d+)Mi"', summary, re.DOTALL
    ):
        assert int(memory) == int(name) * 64
    assert summary.count('"memory"') <= summary.count('"name": "c')


MANIFESTS = "\n---\n".join(
    f"apiVersion: v1\nkind: {kind}\n\nmetadata:\n  name: {name}\n  labels:\n    app: shop\nspec:\n  size: {size}Gi\n  mode: plain\n"
    for kind, name, size in (
        ("Service", "front", 3),
        ("Deployment", "front", 5),
        ("PersistentVolume", "disk", 9),
    )
)


@pytest.mark.parametrize("size, kind, name", [(3, "Service", "front"), (9, "PersistentVolume", "disk")])
def test_a_document_of_yaml_keeps_its_kind_and_name(size: int, kind: str, name: str) -> None:
    document = parse(MANIFESTS)
    value = next(at for at in range(len(document.segments)) if document.of(at) == f"size: {size}Gi")
    summary = render(document, {value, *document.requirements(value)})
    mark = "" if kind == "Service" else "---\n"
    expected = f"{mark}kind: {kind}\n\nmetadata:\n  name: {name}\nspec:\n  size: {size}Gi"
    assert summary.replace("\n[7 lines left out]", "").startswith(expected)
