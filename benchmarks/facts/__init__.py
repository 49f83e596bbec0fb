"""How fast facts are stored and found, beside mem0ai in the same run."""
