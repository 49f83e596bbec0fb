"""The keep score against the turns that people found worth citing."""
