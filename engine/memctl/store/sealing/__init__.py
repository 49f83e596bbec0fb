"""Sums by which a store shows that a byte of it was lost or changed by nobody."""
