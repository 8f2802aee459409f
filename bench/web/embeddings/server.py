"""Serves an embedding model over HTTP: the OpenAI-compatible server of llama.cpp, as the wheel of xllamacpp has it.

    python -m bench.web.embeddings.server MODEL.gguf

Runs in the environment of bench/requirements-embeddings.txt. Its first line says where it will listen; GET /health says when it does.
"""
# mypy: disable-error-code="import-not-found, import-untyped"

import json
import signal
import socket
import sys

import xllamacpp

from bench.web.embeddings import MODEL

# The model reads 512 tokens at a time; four texts side by side.
SLOTS = 4
TOKENS_OF_A_SLOT = 512

# Threads wait for each other by spinning: with a busy neighbour two are slower than one.
THREADS = 1


def main() -> None:
    """Serve until a signal comes."""
    given = xllamacpp.CommonParams()
    given.model.path = sys.argv[1]
    given.model_alias = {MODEL}
    given.hostnames = ["127.0.0.1"]
    given.port = _free_port()
    given.embedding = True
    given.n_parallel = SLOTS
    given.n_ctx = given.n_batch = given.n_ubatch = SLOTS * TOKENS_OF_A_SLOT
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = THREADS
    given.offline = True
    given.cache_ram_mib = 0
    # Before the server is there: it writes lines of its own.
    sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{given.port}"}) + "\n")
    sys.stdout.flush()
    server = xllamacpp.Server(given)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


if __name__ == "__main__":
    main()
