"""Runs of a skill: targets found, acts done, arrivals awaited, halts with their reason."""
