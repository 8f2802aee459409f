"""Drops hidden text and repeats before anything reads the text, and marks suspicious passages."""
