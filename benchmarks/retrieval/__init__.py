"""Whether recall finds the turns that hold the answer, how fast, and how others do."""
