"""Vectors of turns and episodes, for questions whose words occur nowhere. Off by default."""
