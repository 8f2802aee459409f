"""Tests of summarizing/relevance/."""
