"""How large the reports' page is, how long it takes, and what it looks like."""
