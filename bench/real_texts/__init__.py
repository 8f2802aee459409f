"""Real texts: documents that nobody here wrote, questions about them, and what summaries keep of the facts asked for.

Read in this order: sources/ (which documents, which facts, which questions), archives.py (a package -> a file), documents.py
(a file -> a text with its questions), gold.py (a text -> its facts, and whether a summary keeps them),
source_layout/ (a text -> its lines and their headings), checks.py (what a summary says wrongly; whole_sentences.py: where sentences end; json_checks.py: of JSON) and causes.py (why it lacks a fact), baselines.py, ours.py (what is measured), trials.py, report.py.
"""
