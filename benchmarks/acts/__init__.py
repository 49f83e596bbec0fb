"""Acts done again: on pages of our own and in real apps, judged by what really happened."""
