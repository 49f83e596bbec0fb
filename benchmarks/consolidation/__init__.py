"""Consolidation: what is kept, what replaces what, and what a killed run leaves."""
