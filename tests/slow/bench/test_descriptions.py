"""READMEs of installed packages are found, each once, and what a summary says of them is compared with their description."""

import json
from pathlib import Path

import pytest

from bench.real_texts.descriptions import main, readmes

PROSE = "".join(
    f"## Part {part}\n\nThe valve of part {part} closes at {part} bar, and nobody knows why.\n\n"
    for part in range(60)
)
README = f"# tarn\n\nKeep quiet ponds clean with patient robots.\n\n{PROSE}"


def _install(folder: Path) -> None:
    package = folder / "node_modules" / "tarn"
    package.mkdir(parents=True)
    description = "tarn: patient robots keep quiet ponds clean"
    (package / "package.json").write_text(json.dumps({"name": "tarn", "description": description}))
    (package / "README.md").write_text(README)
    info = folder / "lake-1.0.dist-info"
    info.mkdir()
    head = "Name: lake\nSummary: Unseen words alone, nothing shared\n"
    (info / "METADATA").write_text(f"{head}\n{README}")


def test_packages_of_both_registries_are_read(tmp_path: Path) -> None:
    _install(tmp_path)
    found = {one.name: one for one in readmes(tmp_path)}
    assert set(found) == {"tarn", "lake"}
    assert {one.text for one in found.values()} == {README}


def test_only_descriptions_whose_words_the_readme_has_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install(tmp_path)
    main([str(tmp_path)])
    assert (
        capsys.readouterr().out == "1 READMEs: 1.000 in summaries without a query, 1.000 in the beginning\n"
    )


def test_a_folder_without_packages_is_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(tmp_path)])
    assert "has no package" in capsys.readouterr().out
