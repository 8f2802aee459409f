"""The image, proved without a Docker engine: the Dockerfile's own lines are carried out in a folder.

What a folder cannot show is not claimed here: the base image, the user id at run time, the kernel's read-only mount.
In place of the mount, no file may have come, gone or changed after the service has run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from config import Config, settings
from tests.support.dockerfile import Dockerfile, DockerfileError, copy, exec_form, is_ignored, parse
from tests.support.recording import data, modules

ROOT = Path(__file__).parents[2]
DOCKERFILE = parse((ROOT / "Dockerfile").read_text("utf-8"))
DOCKERIGNORE = (ROOT / ".dockerignore").read_text("utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")

# Of the developer's environment the build gets all but this: how to reach the packages is the machine's affair.
NOT_FOR_THE_BUILD = re.compile(r"PYTHON|VIRTUAL_ENV|COV|MCP_|LLM_|OPENROUTER_")
# A start takes about one second; each attempt is a Python of its own, so these are half a minute at least.
HEALTH_ATTEMPTS = 150
BETWEEN_ATTEMPTS_S = 0.05
INSTALL_LIMIT_S = 300.0
# The service gives running calls ten seconds; there are none.
STOP_LIMIT_S = 10.0

# The first test waits for the image: two installs, each with a limit of its own.
pytestmark = pytest.mark.timeout(3 * INSTALL_LIMIT_S)


# The reader of the Dockerfile.


def test_comments_and_continued_lines_make_one_instruction() -> None:
    read = parse("# a\nFROM x\n\nENV A=1 \\\n    # why B\n    B='2 3'\nrun  one && \\\n two\n")
    assert [each.keyword for each in read.instructions] == ["FROM", "ENV", "RUN"]
    assert read.env == {"A": "1", "B": "2 3"}
    assert read.only("RUN").split() == ["one", "&&", "two"]


def test_healthcheck_is_read_behind_its_options() -> None:
    read = parse('HEALTHCHECK --interval=15s --retries=3 \\\n  CMD ["a", "b \\"c\\""]\n')
    assert read.healthcheck == ["a", 'b "c"']


@pytest.mark.parametrize("arguments", ["python app.py", '"python"', '["python", 1]', "{}"])
def test_a_command_that_is_not_in_exec_form_is_refused(arguments: str) -> None:
    with pytest.raises(DockerfileError, match="exec form"):
        exec_form(arguments)


@pytest.mark.parametrize(
    "text, problem",
    [("CMD", "without arguments"), ("HEALTHCHECK NONE\nCMD []", "expected CMD"), ("", "found 0 times")],
)
def test_what_the_reader_does_not_know_is_refused(text: str, problem: str) -> None:
    with pytest.raises(DockerfileError, match=problem):
        _ = parse(text).healthcheck


@pytest.mark.parametrize(
    "path, ignored",
    [
        ("app.py", False),
        ("prompts/map.md", False),
        ("requirements.txt", False),
        ("requirements/web.txt", False),
        ("requirements/dev.txt", True),
        ("README.md", False),
        ("LICENSE", False),
        ("SECURITY.md", True),
        ("CONTRIBUTING.md", True),
        ("CHANGELOG.md", True),
        ("docs/settings.md", True),
        (".env", True),
        ("tests/support/stand_in.py", True),
        ("prompts/notes.txt", True),
        (".git/config", True),
        (".venv/bin/python", True),
    ],
)
def test_only_run_time_files_reach_the_builder(path: str, ignored: bool) -> None:
    assert is_ignored(path, DOCKERIGNORE) is ignored


@pytest.mark.parametrize("arguments", ["--chown=1 a.py ./", "a.py /etc/", "a.py"])
def test_a_copy_that_the_reader_does_not_know_is_refused(arguments: str, tmp_path: Path) -> None:
    with pytest.raises(DockerfileError, match="expected sources and a target"):
        copy(arguments, tmp_path, "", tmp_path)


def test_a_copy_of_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    with pytest.raises(DockerfileError, match="nothing in the context"):
        copy("a.py ./", tmp_path, "*", tmp_path / "image")


def test_copying_a_folder_gives_its_content(tmp_path: Path) -> None:
    (tmp_path / "context/prompts/en").mkdir(parents=True)
    (tmp_path / "context/prompts/en/map.md").touch()
    copy("prompts/ p/", tmp_path / "context", "", tmp_path / "image")
    assert (tmp_path / "image/p/en/map.md").is_file()


# What the Dockerfile says.


def test_the_image_runs_as_a_numeric_user_who_is_not_root() -> None:
    user = DOCKERFILE.only("USER")
    assert re.fullmatch(r"[1-9]\d*(:[1-9]\d*)?", user)


def test_the_user_is_set_after_everything_is_built() -> None:
    order = [each.keyword for each in DOCKERFILE.instructions]
    assert order.index("USER") > max(at for at, keyword in enumerate(order) if keyword in {"RUN", "COPY"})


def test_requirements_are_installed_with_their_hashes() -> None:
    installs = [line for line in DOCKERFILE.all("RUN") if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line and "-r requirements.txt" in line for line in installs)


def test_the_image_listens_beyond_itself_on_the_port_that_it_names() -> None:
    assert DOCKERFILE.env["MCP_SUMMARIZER_HOST"] == "0.0.0.0"
    assert DOCKERFILE.only("EXPOSE") == DOCKERFILE.env["MCP_SUMMARIZER_PORT"] == "8007"


# What docker-compose.yml says. Text, because reading YAML would take one more package.


@pytest.mark.parametrize(
    "line",
    [
        r"build: \.",
        r'- "127\.0\.0\.1:\$\{MCP_SUMMARIZER_PORT:-8007\}:8007"',
        r'MCP_SUMMARIZER_PORT: "8007"',
        r"LLM_MODEL: \$\{SUMMARIZER_LLM_MODEL:-\$\{LLM_MODEL:-openai/gpt-4o-mini\}\}",
        r"OPENROUTER_API_KEY: \$\{OPENROUTER_API_KEY:-\}",
        r"ALLOWED_HOSTS: \$\{ALLOWED_HOSTS:-mcp-summarizer:8007\}",
        r"read_only: true",
        r"cap_drop: \[ALL\]",
        r'security_opt: \["no-new-privileges:true"\]',
        r"restart: unless-stopped",
    ],
)
def test_compose_says(line: str) -> None:
    assert re.search(rf"^ +{line}$", COMPOSE, re.MULTILINE)


def test_there_is_one_healthcheck_and_it_is_the_images() -> None:
    assert not re.search(r"^ *healthcheck:", COMPOSE, re.MULTILINE)
    assert "/health" in DOCKERFILE.only("HEALTHCHECK")


def test_the_build_proves_that_both_programs_start_and_the_vocabulary_is_there() -> None:
    (check,) = [line for line in DOCKERFILE.all("RUN") if "compileall" in line]
    assert (
        'python -c "import app, command_line.cli as cli; cli.load_tokenizer(cli.read_vocabulary())"' in check
    )


def test_compose_waits_longer_for_the_end_than_the_service_does() -> None:
    wait = re.search(r"^    stop_grace_period: (\d+)s$", COMPOSE, re.MULTILINE)
    assert wait
    assert int(wait[1]) > Config().shutdown_grace_seconds


def test_dockerfile_and_compose_set_what_the_service_reads() -> None:
    known = {setting.name for setting, _ in settings()} | {"PYTHONUNBUFFERED"}
    in_compose = set(re.findall(r"^      ([A-Z_]+): ", COMPOSE, re.MULTILINE))
    assert in_compose
    assert DOCKERFILE.env.keys() | in_compose <= known


# What the image does.


@dataclass(frozen=True)
class Image:
    """A folder that holds what the image would: our files, and a Python of its own."""

    workdir: Path
    venv: Path
    dockerfile: Dockerfile
    as_built: dict[Path, tuple[int, int]] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """PATH inside: the image's Python before all else."""
        return os.pathsep.join([str(self.venv / "bin"), os.defpath])

    def environment(self, **extra: str) -> dict[str, str]:
        """What a process in the container would find: nothing of this machine's environment."""
        return {"PATH": self.path, **self.dockerfile.env, **extra}

    def files(self) -> dict[Path, tuple[int, int]]:
        """Every file with its size and time of change; one that came, went or changed makes a difference."""
        paths = (path for top in (self.workdir, self.venv) for path in top.rglob("*"))
        stats = {path: path.lstat() for path in paths}
        return {path: (stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()}


@dataclass(frozen=True)
class Container:
    """A running image."""

    image: Image
    process: subprocess.Popen[bytes]
    environment: Mapping[str, str]
    log: Path

    @property
    def url(self) -> str:
        """Where the service is asked to listen."""
        return f"http://127.0.0.1:{self.environment['MCP_SUMMARIZER_PORT']}"

    def check_health(self) -> int:
        """Run the Dockerfile's own check once; its exit status is 0 or 1."""
        command = self.image.dockerfile.healthcheck
        check = subprocess.run(command, env=self.environment, capture_output=True, timeout=30, check=False)
        return check.returncode

    def become_healthy(self) -> None:
        """Check until healthy; a service that ended, or never answers, fails with what it wrote."""
        for _ in range(HEALTH_ATTEMPTS):
            if self.check_health() == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(BETWEEN_ATTEMPTS_S)
        pytest.fail(f"not healthy, exit status {self.process.poll()}:\n{self.log.read_text('utf-8')}")

    def stop(self) -> int:
        """Stop it as Docker does, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_LIMIT_S)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image, built once: each COPY and RUN in the order of the Dockerfile."""
    built = Image(tmp_path_factory.mktemp("app"), tmp_path_factory.mktemp("python"), DOCKERFILE)
    subprocess.run([base_python(), "-m", "venv", str(built.venv)], check=True, timeout=INSTALL_LIMIT_S)
    build(built)
    set_writable(built, writable=False)
    # Here, and not in the test: whichever container runs first is the one that would write.
    built.as_built.update(built.files())
    yield built
    set_writable(built, writable=True)


def base_python() -> str:
    """Return the image's Python where this machine has it, otherwise the one that runs the tests."""
    version = DOCKERFILE.only("FROM").removeprefix("python:").removesuffix("-slim")
    found = shutil.which(f"python{version}")
    # A launcher may stand on PATH for a version that is not there.
    works = (
        found
        and subprocess.run([found, "-c", "import ensurepip"], capture_output=True, check=False).returncode
        == 0
    )
    return found if found and works else sys.executable


def build(image: Image) -> None:
    """Carry out every COPY and RUN."""
    mine = {name: value for name, value in os.environ.items() if not NOT_FOR_THE_BUILD.match(name)}
    environment = {**mine, "PATH": image.path}
    for step in image.dockerfile.instructions:
        if step.keyword == "COPY":
            copy(step.arguments, ROOT, DOCKERIGNORE, image.workdir)
        elif step.keyword == "RUN":
            run(step.arguments, image.workdir, environment)


def run(command: str, workdir: Path, environment: Mapping[str, str]) -> None:
    """Run one shell line; where it fails, what it wrote is what the test says."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=workdir,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=INSTALL_LIMIT_S,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"RUN {command}: exit status {done.returncode}\n{done.stdout}")


def set_writable(image: Image, *, writable: bool) -> None:
    """Take the right to write from everything in the image, or give it back. Root is not held by it."""
    mode = "u+w" if writable else "a-w"
    subprocess.run(["chmod", "-R", mode, str(image.workdir), str(image.venv)], check=True)


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def running(image: Image, tmp_path: Path) -> Iterator[Container]:
    """Start the image's CMD, with a way out that is closed, and end it whatever happens."""
    closed = f"http://127.0.0.1:{free_port()}"
    environment = image.environment(
        MCP_SUMMARIZER_PORT=str(free_port()), HTTP_PROXY=closed, HTTPS_PROXY=closed, ALL_PROXY=closed
    )
    log = tmp_path / "log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            image.dockerfile.command,
            cwd=image.workdir,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            yield Container(image, process, environment, log)
        finally:
            process.kill()


@pytest.fixture
def container(image: Image, tmp_path: Path) -> Iterator[Container]:
    """A container that has become healthy."""
    with running(image, tmp_path) as started:
        started.become_healthy()
        yield started


def test_the_image_holds_our_run_time_files_and_nothing_else(image: Image) -> None:
    copied = {
        path.relative_to(image.workdir).as_posix() for path in image.workdir.rglob("*") if path.is_file()
    }
    ours = {
        path.as_posix()
        for path in [*modules(), *data(), *(path.relative_to(ROOT) for path in ROOT.glob("prompts/*.md"))]
    }
    assert {path for path in copied if "__pycache__/" not in path} == ours | {
        "requirements.txt",
        "README.md",
        "LICENSE",
    }


def test_a_container_becomes_healthy_without_a_way_out(container: Container) -> None:
    answer = httpx.get(f"{container.url}/health", trust_env=False)
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


def test_a_container_summarizes_without_a_way_out(container: Container) -> None:
    text = "The harbour of Ashmere lies in the north. " * 200
    arguments = {"content": text, "max_output_tokens": 50}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "summarize", "arguments": arguments},
    }
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    answer = httpx.post(f"{container.url}/mcp", json=call, headers=headers, trust_env=False, timeout=30)
    assert answer.status_code == 200, answer.text
    assert "result" in answer.json(), (answer.text, container.log.read_text("utf-8")[-3000:])
    assert answer.json()["result"]["_meta"]["mcp-summarizer/outcome"]["status"] == "summarized"


def test_a_container_changes_nothing_in_its_image(image: Image, tmp_path: Path) -> None:
    with running(image, tmp_path) as container:
        container.become_healthy()
        assert container.stop() == 0
    assert image.files() == image.as_built


def test_a_container_stops_with_status_zero_when_asked(container: Container) -> None:
    assert container.stop() == 0, container.log.read_text("utf-8")


def test_a_container_without_its_service_is_not_healthy(container: Container) -> None:
    container.stop()
    assert container.check_health() == 1


def test_every_line_of_a_containers_log_is_json(container: Container) -> None:
    container.stop()
    lines = container.log.read_text("utf-8").splitlines()
    assert lines
    assert all(isinstance(json.loads(line), dict) for line in lines)
