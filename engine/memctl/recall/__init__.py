"""Recall over all tiers: one request, one list of turns, episodes and facts."""
