"""Screens as trees of texts and controls: their layout, the target of an act, and its changes."""
