"""memctl: the memory of an agent that uses apps, in one SQLite file per app."""
