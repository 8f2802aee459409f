"""Tests of summarizing/extractive/."""
