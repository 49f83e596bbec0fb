"""The twin of a skill against what happened: generated apps that drift, and how well it knew."""
