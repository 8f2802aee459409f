"""Real texts: documents that nobody here wrote, questions about them, and what summaries keep of the facts asked for.

Read in this order: sources/ (which documents, which facts, which questions), archives.py (a package -> a file), documents.py
(a file -> a text with its questions), gold.py (a text -> its facts, and whether a summary keeps them), layout.py
(a text -> its lines and their headings; with source_lines.py, source_headings.py, line_wraps.py, html_lines.py) and checks.py (what
a summary says wrongly), baselines.py, ours.py (what is measured), trials.py, report.py.
"""
