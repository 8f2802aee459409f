"""Fetching pages over HTTP, from public addresses and allowed networks alone."""
