"""Ground of every room: errors, arguments, clock, home, scope, categories, tokens."""
