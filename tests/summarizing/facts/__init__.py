"""Tests of summarizing/facts/."""
