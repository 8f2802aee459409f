"""Tests of web_tools/fetching/."""
