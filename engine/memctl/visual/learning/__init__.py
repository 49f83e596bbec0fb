"""Looking at a screenshot, recognising it, learning from it."""
