"""What is dropped before anything reads the text (hidden text, repeats), and the passages that are marked as suspicious."""
