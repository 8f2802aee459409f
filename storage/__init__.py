"""What outlives a call: kept originals."""
