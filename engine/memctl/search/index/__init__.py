"""The word index over turns, episodes and facts: its rows, words, and who reads them."""
