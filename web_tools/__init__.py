"""Web search, and reading of pages: the passages of a page that answer a question, from a cache on this machine."""
