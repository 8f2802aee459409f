"""How well a segment answers a query: BM25F over its own words, what it hangs on and its neighbours."""
