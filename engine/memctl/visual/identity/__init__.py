"""Identity: what tells one component from another that looks like it."""
