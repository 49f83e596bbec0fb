"""``memctl skills``: how things are done, known, decided, foreseen and run."""

from __future__ import annotations

import typer

from memctl_cli.commands.skills import calibrating, demonstrating, doing, keeping, mending

app = typer.Typer(help="How things are done: recorded, found in the log, foreseen, and run.")
for part in (keeping, demonstrating, doing, mending, calibrating):
    part.register(app)
