"""The command line: summarizes one text without a server."""
