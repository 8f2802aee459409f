"""How well a segment answers a query."""
