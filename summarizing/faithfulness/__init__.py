"""The guard: holds a summary against its source, takes out what that does not support, and puts back what was lost."""
