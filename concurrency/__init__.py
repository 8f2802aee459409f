"""Limited places shared fairly between their owners, and work done off the event loop."""
