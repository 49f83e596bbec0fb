"""Runs of a skill: targets sought, acts done under guard, effects awaited and proven."""
