"""Tests of gateway/upstream/."""
