"""Tests that need processes, containers, replicas, other programs or many minutes: `make test-all` runs them too."""
