"""Exports of a store: the rows that leave it, and the layouts of their files."""
