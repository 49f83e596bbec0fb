"""Named SQL, by engine."""
