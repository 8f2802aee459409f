"""The parts of the Model Context Protocol that mcp_protocol.py puts together: messages, methods, headers, tasks, subscriptions; no I/O."""
