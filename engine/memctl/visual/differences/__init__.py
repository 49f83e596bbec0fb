"""Differences between two pictures: what appeared, went, moved and changed."""
