"""Finding and normalizing facts, and the index of what a text states."""
