"""Tests of summarizing/sanitizing/."""
