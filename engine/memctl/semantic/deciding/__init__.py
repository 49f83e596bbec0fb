"""Deciding: facts near to a text, what a caller says of them, and values that cannot be."""
