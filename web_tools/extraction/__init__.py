"""Fetched bytes to text: the readable part of HTML, PDF, JSON and text as Markdown, read in a process of its own."""
