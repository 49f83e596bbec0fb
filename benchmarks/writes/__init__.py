"""How much more remembering costs than SQLite's own bare insert."""
