"""Generated documents whose facts are known, the pipelines that summarize them, and the judge of the summaries."""
