"""The service over HTTP beside others: requests a second, memory, start, size, and what becomes of too many calls.

    make bench-http                                                          all of it, in about ten minutes
    .venv/bin/python -m bench.http --quick                                   a part of it in about two minutes
    .venv/bin/python -m bench.http --only rates --rounds 3                   one part

From a program, `asyncio.run(measure(Options()))` returns the `Results`; `table(results)` is Markdown, `bars(results)` says what
had to be reached and what was. It runs with the service's own run-time packages, on Linux, and starts the peers from environments
that the Makefile has made: `.venv-bench-mcp1`, `.venv-bench-mcp2`, `.venv-bench-fastmcp4`.
"""

from bench.http.report import bars, table
from bench.http.results import Options, Results, measure

__all__ = ["Options", "Results", "bars", "measure", "table"]
