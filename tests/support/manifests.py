"""What a Kubernetes manifest gives a container, read from its text: reading YAML would take one more package."""

from __future__ import annotations

import re
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"

# What stands in for the values that a cluster knows.
OF_THE_CLUSTER = {
    "POD_NAMESPACE": "some-namespace",
    "AGENT_KEY": "agent-key-0123456789",
    "PROMETHEUS_KEY": "prometheus-key-0123456789",
}

_VALUE = re.compile(r'\{name: ([A-Z_]+), value: "?([^"}]*)"?\}')


def environment_of(manifest: str) -> dict[str, str]:
    """Return the variables with a value of their own; `$(NAME)` in it is put in, as the kubelet does."""
    return {
        name: re.sub(r"\$\(([A-Z_]+)\)", lambda found: OF_THE_CLUSTER[found[1]], value)
        for name, value in _VALUE.findall(manifest)
    }
