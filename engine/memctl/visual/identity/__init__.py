"""Identity: the differences between a component and others that look like it."""
