"""Formats that a text has as a whole, or that only some texts have: configuration, code, diffs, mails, message catalogues, subtitles, results of tests."""
