"""Tests of bench/: that its judges judge, and its reports say what was measured."""
