"""Tests of gateway/masking/."""
