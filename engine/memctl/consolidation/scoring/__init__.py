"""Scores of candidates: evidence in, parts, gates and certificates out; nothing is read or written."""
