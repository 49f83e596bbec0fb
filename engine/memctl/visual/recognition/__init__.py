"""Recognition: which page a screen shows, and what should be on it."""
