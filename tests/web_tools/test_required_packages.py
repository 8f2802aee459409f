"""What the web tools need is named where it is not installed."""

from __future__ import annotations

import sys

import pytest

from tests.support.service import ROOT
from web_tools.required_packages import PACKAGES, missing_packages


def test_in_this_environment_nothing_is_missing() -> None:
    assert missing_packages(rendering=True) == {}


@pytest.mark.parametrize("file, name", [(file, name) for file, names in PACKAGES.items() for name in names])
def test_a_package_that_is_not_installed_is_named_with_the_file_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, file: str, name: str
) -> None:
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, name.partition(".")[0], None)
    assert missing_packages(rendering=True) == {file: [name]}
    assert missing_packages(rendering=False) == ({} if name == "playwright" else {file: [name]})


@pytest.mark.parametrize("file", PACKAGES)
def test_each_package_stands_in_its_file(file: str) -> None:
    required = (ROOT / file).read_text("utf-8").casefold()
    for name in PACKAGES[file]:
        assert f"\n{name.replace('.', '-')}==" in f"\n{required}"


def test_zstd_is_needed_where_python_has_none() -> None:
    assert ("backports.zstd" in PACKAGES["requirements/web.txt"]) == (sys.version_info < (3, 14))
