"""Tests of web_tools/."""
