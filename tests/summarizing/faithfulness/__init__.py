"""Tests of summarizing/faithfulness/."""
