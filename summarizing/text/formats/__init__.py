"""Formats that a text has as a whole, or that only some texts have: configuration, code, diffs, mails, results of tests."""
