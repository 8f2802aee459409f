"""The guard: compares a summary with its source, takes out what that does not support, and puts back what was lost."""
