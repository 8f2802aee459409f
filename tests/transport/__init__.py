"""Tests of transport/."""
