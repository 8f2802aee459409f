"""A text as its parts: tokens, blocks, segments, sentences, words; knows nothing of facts or queries."""
