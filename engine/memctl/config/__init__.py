"""Settings: their definitions, and their values from flag, environment, store and default."""
