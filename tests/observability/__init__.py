"""Tests of observability/."""
