"""Other MCP servers' tools behind one URL, their results masked, summarized and retrievable."""
