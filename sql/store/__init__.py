"""Named SQLite statements."""
