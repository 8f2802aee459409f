"""The command line form as a process: encodings, closed pipes, Ctrl-C."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.parts import KEY, count, prose
from tests.support.service import ROOT


def test_a_closed_pipe_ends_a_comparison_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x " * 500_000)
    command = f"{sys.executable} summarizer.py --env-file {os.devnull} {path} --compare --max-output-tokens 900000 | head -c 1"
    done = subprocess.run(  # noqa: S602
        command,
        shell=True,
        cwd=ROOT,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "OPENROUTER_API_KEY": KEY},
        check=False,
        timeout=60,
    )
    assert done.stderr == b""


def process(
    *arguments: str, data: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the program in an environment of its own, in which no encoding is set."""
    return subprocess.run(
        [sys.executable, "summarizer.py", "--env-file", os.devnull, *arguments],
        cwd=ROOT,
        input=data,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONUTF8": "0", **(env or {})},
        check=False,
        timeout=60,
    )


def test_a_file_is_summarized_by_a_process(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    book.write_text(prose(10), "utf-8")
    done = process(str(book), "--max-output-tokens", "300")
    assert done.returncode == 0
    assert count(done.stdout.decode().removesuffix("\n")) <= 300
    assert json.loads(done.stderr)["status"] == "summarized"


def test_standard_input_that_fits_comes_out_byte_for_byte() -> None:
    data = b"caf\xe9 \xe5\xad\x97 \xf0\x9f\x98\x89\r\n"
    done = process("-", data=data)
    assert (done.returncode, done.stdout) == (0, data)
    assert json.loads(done.stderr)["status"] == "passthrough"


# Presses Ctrl-C in the middle of work that never ends, on the thread that the service's work runs on.
STUCK = """
import os, signal, sys, threading
from contextlib import asynccontextmanager
from command_line import cli

def work():
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()

class Stuck:
    def __init__(self, offload):
        self.offload = offload

    async def summarize(self, task, progress):
        await self.offload.threads_for("", 0).run(work)

@asynccontextmanager
async def open_stuck(config, model, offload, tokenizer):
    yield Stuck(offload)

cli.open_summarizer = open_stuck
sys.argv = ["summarizer.py", "--env-file", os.devnull, "-"]
sys.exit(cli.main())
"""


def test_an_interrupt_does_not_wait_for_work_in_progress() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STUCK],
        cwd=ROOT,
        input=b"text",
        capture_output=True,
        env={"PATH": os.environ["PATH"]},
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_closed_pipe_ends_a_summary_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x " * 500_000)
    command = f"{sys.executable} summarizer.py --env-file {os.devnull} {path} --max-output-tokens 900000 | head -c 1"
    done = subprocess.run(  # noqa: S602
        command,
        shell=True,
        cwd=ROOT,
        capture_output=True,
        env={"PATH": os.environ["PATH"]},
        check=False,
        timeout=60,
    )
    assert done.stdout == b"x"
    assert done.stderr == b""


@pytest.mark.parametrize(
    "redirection, status, said",
    [(">&-", 2, ""), ("> /dev/full", 2, "summarizer: the summary could not be written")],
)
def test_a_summary_that_cannot_be_written_is_status_2(
    tmp_path: Path, redirection: str, status: int, said: str
) -> None:
    (tmp_path / "page.md").write_text("A line.\n", "utf-8")
    command = f"{sys.executable} summarizer.py --env-file {os.devnull} {tmp_path / 'page.md'} {redirection}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
