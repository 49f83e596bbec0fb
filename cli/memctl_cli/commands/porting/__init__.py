"""Commands that give to other stores and take from them."""
