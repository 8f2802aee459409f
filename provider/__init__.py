"""Calling a model's API politely: admission, retries, a circuit breaker, a response cache."""
