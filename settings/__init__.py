"""Reads settings from arguments, the environment and .env, and checks their values."""
