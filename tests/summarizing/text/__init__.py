"""Tests of summarizing/text/."""
