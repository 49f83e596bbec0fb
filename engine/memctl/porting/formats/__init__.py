"""Foreign formats, one file each: whether a path is one, and the records in it."""
