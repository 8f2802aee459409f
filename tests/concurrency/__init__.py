"""Tests of concurrency/."""
