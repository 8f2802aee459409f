"""The settings of a start, as a process: arguments, the environment, .env, and one line per mistake."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from config import VERSION
from tests.support.recording import data, modules
from tests.support.service import PATIENCE_S, ROOT, environment, popen


def said(*arguments: str, settings: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Return the exit status and both streams of a start that ends by itself."""
    with popen(settings or {}, *arguments) as child:
        out, err = child.communicate(timeout=PATIENCE_S)
    return child.returncode, out, err


def test_help_and_version_are_printed_without_a_start() -> None:
    status, out, err = said("--help")
    assert (status, err) == (0, "")
    for word in ("--host", "--port", "--env-file", "--version", ".env.example", "Exit status"):
        assert word in out
    assert said("--version") == (0, f"mcp-summarizer {VERSION}\n", "")


def test_an_unknown_argument_stops_a_start() -> None:
    status, out, err = said("--reload")
    assert (status, out) == (2, "")
    assert err == "mcp-summarizer: unrecognized arguments: --reload; --help says what there is\n"


def test_host_and_port_take_precedence_over_the_settings() -> None:
    wrong = {"MCP_SUMMARIZER_HOST": "192.0.2.1", "MCP_SUMMARIZER_PORT": "1"}
    with popen(wrong, "--host", "127.0.0.2", "--port", "0") as child:
        assert child.stdout is not None
        try:
            url = json.loads(child.stdout.readline())["url"]
        finally:
            child.kill()
    assert url.startswith("http://127.0.0.2:")
    assert not url.startswith("http://127.0.0.2:1/")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the programs, in which a .env may lie."""
    for path in [*modules(), *data()]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "prompts").symlink_to(ROOT / "prompts")
    return tmp_path


FROM_FILE = "# settings\nexport MCP_SUMMARIZER_PORT='0' # any\nLLM_MODEL=\"from/the-file\"\nOPENROUTER_API_KEY=$SECRET\n"


def test_the_service_reads_the_file_beside_it_and_the_environment_wins(folder: Path, tmp_path: Path) -> None:
    (folder / ".env").write_text(FROM_FILE + "MCP_SUMMARIZER_HOST=192.0.2.1\n", "utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".env").write_text("LLM_MODEL=a/strangers", "utf-8")
    with subprocess.Popen(
        [sys.executable, str(folder / "app.py")],
        cwd=elsewhere,
        env=environment({"MCP_SUMMARIZER_HOST": "127.0.0.1", "SECRET": "sk-1"}),
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        try:
            started = json.loads(child.stdout.readline())
        finally:
            child.kill()
    assert (started["backend"], started["model"]) == ("openrouter", "from/the-file")
    assert started["url"].startswith("http://127.0.0.1:")


def test_the_command_line_form_reads_it_too(folder: Path) -> None:
    (folder / ".env").write_text("DEFAULT_MAX_OUTPUT_TOKENS=many\n", "utf-8")
    done = subprocess.run(
        [sys.executable, str(folder / "summarizer.py"), "-"],
        input="text",
        env=environment({}),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("summarizer: DEFAULT_MAX_OUTPUT_TOKENS: expected a whole number")


def test_a_wrong_line_stops_both_programs_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "settings.env"
    path.write_text("LLM_MODEL=x\nOPENROUTER_API_KEY='sk-secret\n", "utf-8")
    wrong = f"{path}:2: OPENROUTER_API_KEY: expected a closing ', got none up to the end of the file\n"
    assert said("--env-file", str(path)) == (2, "", f"mcp-summarizer: {wrong}")
    done = subprocess.run(
        [sys.executable, "summarizer.py", "-", "--env-file", str(path)],
        cwd=ROOT,
        input="text",
        env=environment({}),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"summarizer: {wrong}")


def test_an_unset_variable_in_a_value_is_reported(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("OPENROUTER_API_KEY=sk-$abc\n", "utf-8")
    arguments = ["--port", "0", "--env-file", str(path)]
    with popen({}, *arguments) as child:
        assert child.stdout is not None
        try:
            line = json.loads(child.stdout.readline())
        finally:
            child.kill()
    assert (line["event"], line["level"], line["names"]) == ("env_file_uses_unset_names", "warning", ["abc"])
    assert "sk-" not in json.dumps(line)


@pytest.mark.parametrize(
    "name, setting",
    [
        ("LLM_MODELL", "LLM_MODEL"),
        ("MCP_SUMMARISER_PORT", "MCP_SUMMARIZER_PORT"),
        ("OPENROUTER_APIKEY", "OPENROUTER_API_KEY"),
    ],
)
def test_a_misspelled_setting_stops_the_start(name: str, setting: str, tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(f"{name}=secret-value\n", "utf-8")
    for status, out, err in (said(settings={name: "secret-value"}), said("--env-file", str(path))):
        assert (status, out) == (2, "")
        assert err.startswith(f"mcp-summarizer: {name}: expected the name of a setting")
        assert f"did you mean {setting}?" in err
        assert err.count("\n") == 1
        assert "secret-value" not in err


INTERRUPTING = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nraise AssertionError('went on')\n"


@pytest.mark.parametrize(
    "program, module", [("app.py", "aiohttp"), ("app.py", "tiktoken"), ("summarizer.py", "tiktoken")]
)
def test_an_interrupt_while_loading_is_quiet(program: str, module: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text(INTERRUPTING, "utf-8")
    assert_quiet_when_interrupted(program, tmp_path)


# Python runs this before the program; `signal` is the first module that the program imports and Python has not loaded.
INTERRUPTING_THE_FIRST_IMPORT = """
import builtins, os
imported = builtins.__import__

def interrupting(name, *args, **kwargs):
    if name == "signal":
        os.kill(os.getpid(), 2)
    return imported(name, *args, **kwargs)

builtins.__import__ = interrupting
"""


@pytest.mark.parametrize("program", ["app.py", "summarizer.py"])
def test_an_interrupt_in_the_first_import_is_quiet(program: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING_THE_FIRST_IMPORT, "utf-8")
    assert_quiet_when_interrupted(program, tmp_path)


def assert_quiet_when_interrupted(program: str, first_on_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, program, "-"] if program == "summarizer.py" else [sys.executable, program],
        cwd=ROOT,
        env=environment({"PYTHONPATH": str(first_on_path)}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
