"""Screens as trees of texts and controls: what stands where, what is meant, and what changed."""
