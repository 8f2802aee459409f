"""Tests of provider/."""
