"""Pinned packages of the registries, fetched once by the machine's own clients and kept outside git.

Which registry answers is the clients' configuration. What came is compared with the SHA-256 in sources/archives.toml before
anything reads it. Not here: what a document is.
"""

import fnmatch
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SOURCES = Path(__file__).parent / "sources"

# Ignored by git. One download serves every checkout that names the same folder.
FOLDER = Path(os.environ.get("REAL_TEXTS_FOLDER", Path(__file__).parents[2] / ".real-texts"))

DOWNLOAD_TIMEOUT_S = 300


class ArchiveError(Exception):
    """A package could not be had, or is not the one that the figures were made with."""


@dataclass(frozen=True)
class Archive:
    """A package at one version."""

    id: str
    registry: str
    """`pypi` (a wheel), `npm` or `debian` (a binary package)."""
    package: str
    version: str
    sha256: str
    licence: str
    platform: str = "any"
    """Of a wheel, as its name has it."""

    @property
    def file(self) -> Path:
        """Where it lies once it was fetched."""
        suffix = {"pypi": "whl", "npm": "tgz", "debian": "deb"}[self.registry]
        return FOLDER / f"{self.id}-{self.sha256[:16]}.{suffix}"


def archives(pins: Path = SOURCES / "archives.toml") -> dict[str, Archive]:
    """Return the packages that a file pins: those that the documents are in, unless it is another file."""
    table = tomllib.loads(pins.read_text("utf-8"))
    return {name: Archive(id=name, **fields) for name, fields in table.items()}


def fetch(archive: Archive) -> Path:
    """Return a package's file, downloaded if it is not there yet."""
    if not archive.file.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            file = _download(archive, Path(folder))
            found = hashlib.sha256(file.read_bytes()).hexdigest()
            if found != archive.sha256:
                raise ArchiveError(
                    f"{archive.registry} package {archive.package} {archive.version}: expected a file with SHA-256 {archive.sha256}, "
                    f"got {found}; if the registry serves another file now, pin that where this one is pinned "
                    "(bench/real_texts/sources/archives.toml for documents)"
                )
            file.replace(archive.file)
    return archive.file


def _download(archive: Archive, folder: Path) -> Path:
    trouble = ""
    for command in _COMMANDS[archive.registry](archive, folder):
        try:
            done = subprocess.run(  # noqa: S603 - the commands below
                command, cwd=folder, capture_output=True, text=True, timeout=DOWNLOAD_TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as failure:
            trouble = str(failure)
            continue
        files = list(folder.iterdir())
        if done.returncode == 0 and len(files) == 1:
            return files[0]
        trouble = (done.stderr.strip() or done.stdout.strip())[-500:]
    raise ArchiveError(
        f"{archive.registry} package {archive.package} {archive.version} could not be downloaded: is the registry reachable, "
        f"and its client installed? The last words of the client: {trouble or 'none'}"
    )


def _pip(archive: Archive, folder: Path) -> Iterator[Sequence[str]]:
    python = sys.executable if find_spec("pip") else "python3"
    yield [
        *(python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
        *(
            "--only-binary=:all:",
            f"--platform={archive.platform}",
            "--python-version=3.11",
            f"--dest={folder}",
        ),
        f"{archive.package}=={archive.version}",
    ]


def _npm(archive: Archive, folder: Path) -> Iterator[Sequence[str]]:
    yield [
        *("npm", "pack", "--silent", "--ignore-scripts", f"--pack-destination={folder}"),
        f"{archive.package}@{archive.version}",
    ]


def _apt(archive: Archive, _folder: Path) -> Iterator[Sequence[str]]:
    download = ["apt-get", "download", "-qq", f"{archive.package}={archive.version}"]
    yield download
    yield ["apt-get", "update", "-qq"]  # a machine that is new has no lists
    yield download


_COMMANDS: Mapping[str, Callable[[Archive, Path], Iterator[Sequence[str]]]] = {
    "pypi": _pip,
    "npm": _npm,
    "debian": _apt,
}


def read(archive: Archive, paths: Sequence[str]) -> list[bytes]:
    """Return the files of a package with these names, or whose names match these patterns (sorted); `.gz` is unpacked."""
    found = read_named(archive, paths)
    return [found[name] for pattern in paths for name in sorted(found) if fnmatch.fnmatchcase(name, pattern)]


def read_named(archive: Archive, paths: Sequence[str]) -> dict[str, bytes]:
    """Return those files by their names. Raises ArchiveError where a name or a pattern has none."""
    found = {
        name: gzip.decompress(content) if name.endswith(".gz") else content
        for name, content in _members(fetch(archive), paths)
    }
    for pattern in paths:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in found):
            raise ArchiveError(f"{archive.package} {archive.version}: expected a file {pattern}, found none")
    return found


def _members(file: Path, patterns: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    def is_wanted(name: str) -> bool:
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)

    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            for name in filter(is_wanted, wheel.namelist()):
                yield name, wheel.read(name)
        return
    with closing(_open_tar(file)) as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            if member.isfile() and is_wanted(name):
                content = tar.extractfile(member)
                if content is not None:
                    yield name, content.read()


def _open_tar(file: Path) -> tarfile.TarFile:
    if file.suffix != ".deb":
        return tarfile.open(file)
    unpacked = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the tarfile's last reference
    try:
        subprocess.run(["dpkg-deb", "--fsys-tarfile", str(file)], stdout=unpacked, check=True)  # noqa: S603, S607
    except FileNotFoundError as missing:
        raise ArchiveError(
            f"{file.name}: needs dpkg-deb to be unpacked (a Debian or Ubuntu machine)"
        ) from missing
    unpacked.seek(0)
    return tarfile.open(fileobj=unpacked)


def program(archive: Archive, path: str) -> Path:
    """Return a program of a package, unpacked so that it can be run."""
    file = FOLDER / f"{archive.id}-{archive.sha256[:16]}-{Path(path).name}"
    if not file.exists():
        partial = file.with_suffix(f".{os.getpid()}")
        partial.write_bytes(read(archive, [path])[0])
        partial.chmod(0o755)
        shutil.move(partial, file)
    return file
