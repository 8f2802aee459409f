"""Storage that outlives a call: the originals that callers asked to keep."""
