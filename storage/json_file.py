"""A JSON value in a file of the data directory: replaced at once, so that no reader finds half of it, and readable by its user only.

For little that seldom changes. Blocks: call it in a worker thread. Knows nothing of what the value means.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

# Far more than is kept; a file of any size must not fill the memory.
MAX_BYTES = 256 * 1024 * 1024


def read_json(path: Path) -> Any:
    """Return the value, None where there is no file. Raises OSError, and ValueError for what is no JSON."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    if len(data) > MAX_BYTES:
        raise ValueError(f"expected at most {MAX_BYTES} bytes")
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("expected JSON, got values nested too deeply") from None


def write_json(path: Path, value: Any) -> None:
    """Write the value in place of what is there; the directory is made if its parent is there. Raises OSError."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # with mode 0600
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump(value, file)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
