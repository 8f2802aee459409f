"""Tests of summarizing/."""
