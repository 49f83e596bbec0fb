"""Extraction: texts and turns in, facts that are worth keeping out."""
