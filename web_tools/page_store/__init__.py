"""Pages that were read, kept on disk with the vectors of their passages: in DuckDB, in a thread of its own."""
