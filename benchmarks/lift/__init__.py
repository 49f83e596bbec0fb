"""What skills are worth: done once, done again, on real apps."""
