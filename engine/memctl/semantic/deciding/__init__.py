"""Deciding: facts near to a text, a caller's word on them, and impossible values."""
