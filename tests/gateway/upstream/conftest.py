"""What all tests of upstream servers need."""

from __future__ import annotations

import pytest

from gateway.upstream import child_process


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that do not leave by themselves are not waited for as long as in earnest."""
    monkeypatch.setattr(child_process, "GRACE_SECONDS", 0.2)
