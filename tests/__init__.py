"""The tests of the service; a file is named after the module that it tests."""
