"""Documents that programs make of pinned packages, alike on every machine but for times: manual pages, a test run's log, an SBOM."""

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from bench.real_texts.archives import Archive, ArchiveError, archives, fetch, program

TIMEOUT_S = 120

_OVERSTRIKE = re.compile(".\b")


def manual_page(source: bytes) -> str:
    """Return a manual page as a terminal shows it, without bold and underlined letters."""
    mandoc = program(archives()["mandoc"], "usr/bin/mandoc")
    page = _output([str(mandoc), "-T", "utf8", "-O", "width=78"], given=source)
    return _OVERSTRIKE.sub("", page)


def test_log(archive: Archive) -> str:
    """Return what unittest prints of the tests that a wheel brings, one by one."""
    wheel = str(fetch(archive))
    names = zipfile.ZipFile(wheel).namelist()
    modules = [name[:-3].replace("/", ".") for name in names if "/tests/test_" in name]
    environment = {**os.environ, "PYTHONPATH": wheel, "PYTHONDONTWRITEBYTECODE": "1"}
    return _output(
        [sys.executable, "-m", "unittest", "--verbose", *modules], environment=environment, both=True
    )


def bill_of_materials(archive: Archive) -> str:
    """Return the CycloneDX SBOM that npm writes of itself: of the packages that are bundled with it."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(fetch(archive).read_bytes())) as tar:
            tar.extractall(folder, filter="data")
        root = Path(folder, "package")
        manifest = json.loads((root / "package.json").read_text("utf-8"))
        # What it was built with is not in the package, and npm would complain.
        kept = {key: value for key, value in manifest.items() if key not in {"devDependencies", "workspaces"}}
        (root / "package.json").write_text(json.dumps(kept), "utf-8")
        return _output(
            ["node", "bin/npm-cli.js", "sbom", "--sbom-format=cyclonedx", "--offline"], folder=root
        )


def _output(
    command: Sequence[str],
    *,
    given: bytes | None = None,
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    both: bool = False,
) -> str:
    """Return what a program prints; with `both`, on standard error too."""
    try:
        done = subprocess.run(  # noqa: S603 - the commands above
            command,
            input=given,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if both else subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise ArchiveError(
            f"{command[0]}: expected a program that runs on this machine, got: {failure}"
        ) from failure
    if not done.stdout:
        raise ArchiveError(
            f"{' '.join(command[:3])}: printed nothing; its errors: {(done.stderr or b'')[-300:]!r}"
        )
    return done.stdout.decode()
