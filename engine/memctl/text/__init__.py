"""Words as every tier needs them: cleaning, splitting, aliases, repairs of typos."""
