"""The timeline: which tools were called, what came back, and what a summary was made with, kept in order and told live."""
