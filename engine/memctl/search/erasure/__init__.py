"""Erasure of what quotes an erased row in any table: by rules for every column, as data."""
