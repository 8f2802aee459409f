"""The summarizer that needs no model: chooses segments within a budget, and writes them with marks for what is left out."""
