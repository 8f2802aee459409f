"""A page in HTML as Markdown, with what its reader sees and nothing else; knows no other format."""
