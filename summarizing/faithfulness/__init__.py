"""Holding a summary against its source: what was kept, what comes back, what the source does not support."""
