"""The guard: compares a summary with its source, takes out what the source does not support, and puts back what was lost."""
