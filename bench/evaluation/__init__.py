"""Generated documents whose facts are known, and the judge of their summaries. Knows nothing of the service."""
