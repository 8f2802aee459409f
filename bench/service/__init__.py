"""How fast, how thrifty and how hard to break the service is: measured on a simulated model, over real sockets."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# Parts of the fidelity bench, whose pipelines are compared here, use the stand-in server of the tests.
if str(ROOT / "tests") not in sys.path:
    sys.path.append(str(ROOT / "tests"))
