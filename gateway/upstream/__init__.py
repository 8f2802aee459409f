"""The MCP client through which the gateway calls other MCP servers, over stdio and Streamable HTTP, in both eras."""
