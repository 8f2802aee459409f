"""Choosing segments within a budget: the summarizer that needs no model."""
