"""Finding remembered templates on a screenshot."""
