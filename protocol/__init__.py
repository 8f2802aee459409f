"""All of the Model Context Protocol but the table of methods, which is in mcp_protocol.py; no I/O."""
