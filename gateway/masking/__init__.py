"""Secrets in what servers send, replaced by placeholders before anything else reads it."""
