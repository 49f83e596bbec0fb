"""How long the journal and the hooks of hosts take, and what kills take of the journal."""
