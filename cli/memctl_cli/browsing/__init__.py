"""Stores in Datasette: their metadata, and how cells are shown."""
