"""Words, as every tier needs them: splitting, aliases, typos, characters."""
