"""The Model Context Protocol without I/O, but for the dispatch in mcp_protocol.py: messages, methods, tasks, subscriptions."""
