"""Erasing with proof: what is chosen goes from every table, and no byte of it stays in the files."""
