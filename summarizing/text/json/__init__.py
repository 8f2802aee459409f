"""JSON as records: read, cut, named; knows nothing of lines."""
