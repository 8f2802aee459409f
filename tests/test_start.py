"""What a start of the service leaves out, since it would take memory and time for nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import certifi

from tests.support.service import ROOT

# Starts the program, which ends at once, and tells what it has loaded.
SCRIPT = """
import json, os, runpy, sys
sys.argv = ["app.py", "--version"]
try:
    runpy.run_path("app.py", run_name="__main__")
except SystemExit:
    from aiohttp import connector
    certificates = connector._SSL_CONTEXT_VERIFIED.cert_store_stats()["x509"]
    print(json.dumps(["httpx" in sys.modules, certificates, os.environ.get("SSL_CERT_FILE")]))
"""


def loaded(**settings: str) -> list[object]:
    """Return whether the client of models is loaded, how many certificates are, and the variable that names their file."""
    command = [sys.executable, "-c", SCRIPT]
    said = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=True)
    result: list[object] = json.loads(said.stdout.splitlines()[-1])
    return result


def test_neither_the_client_of_models_nor_certificates_are_loaded_and_the_environment_stays() -> None:
    given = certifi.where()
    assert loaded(SSL_CERT_FILE=given) == [False, 0, given]
    assert loaded() == [False, 0, None]
