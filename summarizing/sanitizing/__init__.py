"""What is dropped before anything reads the text: hidden text, repeats, orders to a model."""
