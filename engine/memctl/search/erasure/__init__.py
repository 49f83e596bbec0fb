"""Erasure of what quotes an erased row, wherever it stands: by rules for every column, as data."""
