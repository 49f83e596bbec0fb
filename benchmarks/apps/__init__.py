"""Real apps, each installed in an environment of its own, and deeds done in them again."""
