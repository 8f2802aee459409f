"""Tests of web_tools/page_store/."""
