"""Speed, cost and robustness of the service, measured on a simulated model, over real sockets."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
