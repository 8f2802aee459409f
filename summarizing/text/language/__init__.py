"""What is known of languages: words, sentences and what ties them, stems, normalization, graphemes; knows nothing of blocks."""
