"""A real embedding server for measuring: all-MiniLM-L6-v2 on llama.cpp, from pinned packages."""

MODEL = "all-MiniLM-L6-v2"
