"""Real apps, each in an environment of its own, in which skills are shown once and done again."""
