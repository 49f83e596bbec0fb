"""The schema of a store, one file an area, and later migrations: never edited once released."""
