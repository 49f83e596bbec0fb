"""What happened: raw turns, episodes, and finding the right one again."""
