"""Calling a model's API politely: places, retries, a circuit breaker, a response cache."""
