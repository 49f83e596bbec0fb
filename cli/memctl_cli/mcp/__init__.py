"""The MCP server: its tools, their calls and their answers."""
