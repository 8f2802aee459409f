"""A text as its parts: tokens, sentences, segments, the Document that they make; knows nothing of facts or queries."""
