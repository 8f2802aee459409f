"""The same work without a server: one text in, its summary out."""
