"""The tests of the service, in folders named after its rooms; what needs processes, containers or other clients is in tests/slow."""
