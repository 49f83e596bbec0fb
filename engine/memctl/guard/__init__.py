"""The door before every write, and its rules."""
