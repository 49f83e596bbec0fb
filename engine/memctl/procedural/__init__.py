"""How things are done: habits that are mined, skills with their proof, and their runs."""
