"""Output for people and machines: tables, lines and the JSON envelope."""
