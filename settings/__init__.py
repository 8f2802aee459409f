"""How settings are read: arguments, environment, .env, and the check of each value."""
