"""Skills shown once on pages of the project's own, and run again where the rows have changed."""
