"""Search in facts."""
