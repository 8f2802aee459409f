"""Tests of gateway/ that kill processes, or need servers that others wrote."""
