"""How many secrets are refused, and how many ordinary texts with them."""
