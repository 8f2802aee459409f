"""The MCP tools that agents call: their definitions, arguments and handlers."""
