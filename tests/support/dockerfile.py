"""The Dockerfile, read and carried out without Docker: its COPY and RUN lines in a folder of our own.

Follows docs.docker.com/reference/dockerfile as far as this project's file goes: one stage, comments, continued lines,
COPY without options, RUN in shell form, CMD and HEALTHCHECK in exec form. Anything else is an error here, not a guess.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

_COMMENT = re.compile(r"^[ \t]*#.*\n?", re.MULTILINE)
_CONTINUED = re.compile(r"\\[ \t]*\n")
_OPTION = re.compile(r"--(\S+?)=(\S+)\s+")


class DockerfileError(Exception):
    """The Dockerfile has what this reader does not know."""


@dataclass(frozen=True)
class Instruction:
    """One instruction, with its continued lines joined."""

    keyword: str
    arguments: str


@dataclass(frozen=True)
class Dockerfile:
    """All instructions, in order, and questions about them."""

    instructions: Sequence[Instruction]

    def all(self, keyword: str) -> list[str]:
        """Return the arguments of every instruction with this keyword."""
        return [each.arguments for each in self.instructions if each.keyword == keyword]

    def only(self, keyword: str) -> str:
        """Return the arguments of an instruction that must stand there once."""
        found = self.all(keyword)
        if len(found) != 1:
            raise DockerfileError(f"{keyword}: expected once, found {len(found)} times")
        return found[0]

    @property
    def env(self) -> dict[str, str]:
        """The environment that every ENV together makes."""
        pairs = [pair.partition("=") for line in self.all("ENV") for pair in shlex.split(line)]
        return {name: value for name, _, value in pairs}

    @property
    def command(self) -> list[str]:
        """CMD, as the list of words that is run."""
        return exec_form(self.only("CMD"))

    @property
    def healthcheck(self) -> list[str]:
        """The command of HEALTHCHECK, as the list of words that is run."""
        keyword, _, command = _OPTION.sub("", self.only("HEALTHCHECK")).partition(" ")
        if keyword != "CMD":
            raise DockerfileError(f"HEALTHCHECK: expected CMD, got {keyword!r}")
        return exec_form(command)


def parse(text: str) -> Dockerfile:
    """Read the text of a Dockerfile."""
    lines = _CONTINUED.sub(" ", _COMMENT.sub("", text)).splitlines()
    words = [line.split(maxsplit=1) for line in lines if line.strip()]
    if bare := [line for line in words if len(line) == 1]:
        raise DockerfileError(f"instruction without arguments: {bare[0][0]}")
    return Dockerfile([Instruction(keyword.upper(), arguments.strip()) for keyword, arguments in words])


def exec_form(arguments: str) -> list[str]:
    """Read a JSON list of words; the shell form, which would put a shell between Docker and us, is refused."""
    try:
        words = json.loads(arguments)
    except json.JSONDecodeError:
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise DockerfileError(f"expected the exec form, a JSON list of strings, got {arguments!r}")
    return words


def copy(arguments: str, context: Path, ignore: str, workdir: Path) -> None:
    """Carry out one COPY: files of the context that .dockerignore lets through, into the working directory."""
    *sources, target = arguments.split()
    if not sources or target.startswith("/") or any(word.startswith("--") for word in sources):
        raise DockerfileError(f"COPY: expected sources and a target under WORKDIR, got {arguments!r}")
    for source in sources:
        copied = list(_copies(source, context, ignore))
        if not copied:
            raise DockerfileError(f"COPY: nothing in the context matches {source!r}")
        for file, inside in copied:
            destination = workdir / target / inside
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, destination)


def _copies(source: str, context: Path, ignore: str) -> Iterator[tuple[Path, Path]]:
    """Yield each file that a source stands for, and its path under the target: a folder gives its content, not itself."""
    for path in sorted(context.glob(source.rstrip("/"))):
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
        for file in files:
            if not is_ignored(file.relative_to(context).as_posix(), ignore):
                yield file, Path(file.name) if path.is_file() else file.relative_to(path)


def is_ignored(path: str, ignore: str) -> bool:
    """Tell whether .dockerignore keeps a file out: "the last line that matches determines"."""
    ignored = False
    for line in filter(None, map(str.strip, ignore.splitlines())):
        if not line.startswith("#") and _matches(PurePosixPath(path), line.removeprefix("!").strip("/")):
            ignored = not line.startswith("!")
    return ignored


def _matches(path: PurePosixPath, pattern: str) -> bool:
    """Tell whether a pattern matches the path or a folder above it, part by part: a star stops at a slash."""
    parts = pattern.split("/")
    if "**" in parts:
        raise DockerfileError(f".dockerignore: ** is not read here: {pattern!r}")
    return len(parts) <= len(path.parts) and all(map(fnmatch, path.parts, parts))
