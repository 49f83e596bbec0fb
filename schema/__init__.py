"""The migrations of a store: SQL only, never edited once released."""
