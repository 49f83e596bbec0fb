"""How long commands take as whole processes, against what importing Typer takes."""
