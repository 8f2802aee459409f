"""How fast, how thrifty and how hard to break the service is: measured on a simulated model, over real sockets."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
