"""Whether a thousand components are found in the time of one, and whether all of them are."""
