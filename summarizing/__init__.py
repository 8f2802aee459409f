"""Text in, summary and outcome out: everything that summarizer.py is made of."""
