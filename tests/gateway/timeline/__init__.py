"""Tests of gateway/timeline."""
