"""Which lines are headings, how high each stands, and whose they are; knows nothing of queries or facts."""
