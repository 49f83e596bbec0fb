"""What plain sentences claim, and which claims cannot hold together."""
