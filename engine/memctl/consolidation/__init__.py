"""Consolidation: what of the log is kept, why, and proof that nothing was lost."""
