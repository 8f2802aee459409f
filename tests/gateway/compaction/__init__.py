"""Tests of gateway/compaction/."""
