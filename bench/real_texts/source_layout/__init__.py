"""A document's lines, their headings and wrapped sentences, read independently of the service: it is judged by this."""
