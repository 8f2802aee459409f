"""Tests of web_tools/search/."""
