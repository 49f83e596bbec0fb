"""A store in Datasette: what it is told about a store, and how cells are shown."""
