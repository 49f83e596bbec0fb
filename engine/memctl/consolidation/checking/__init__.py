"""Checks of what is known: what fades, and what may be wrong by now."""
