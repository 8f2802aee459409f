"""What agents call: the tools' definitions, their arguments and their handlers."""
