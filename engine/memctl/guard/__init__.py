"""The door before every write, and the rules by which a text is refused."""
