"""What stands in a text for a secret that was masked: how it is written and found again. Masks nothing: the gateway does."""

import re

_PLACEHOLDER = re.compile(r"\[masked ([^\[\]]{1,100}) [0-9a-f]{8}\]")


def placeholder(name: str, digest: str) -> str:
    """Return what stands for a secret; `name`: its kind, `digest`: eight hexadecimal digits, the same for equal secrets."""
    return f"[masked {name} {digest}]"


def without_digests(text: str) -> str:
    """Return a text whose placeholders say no more than what was masked: the same after a restart, when the key is another one."""
    return _PLACEHOLDER.sub(r"[masked \1]", text)


def masked_texts(text: str) -> int:
    """Return how many places of a text were masked."""
    return sum(1 for _ in _PLACEHOLDER.finditer(text))
