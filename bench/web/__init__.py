"""Reading pages, measured: `web.readFromPage` of the service, and of an npm package made to the same description, side by side.

Read in this order: packages.toml (where the pages and the model come from), documentation.py (a page of HTML -> its blocks, links and anchors),
questions.py (pages -> questions with known answers, by a rule), site.py (serves the pages), embeddings/ (the embedding server, a
real one), counting_proxy.py (stands before it and counts), contestants.py (ours and the peer, as processes), trials.py, report.py.
"""
