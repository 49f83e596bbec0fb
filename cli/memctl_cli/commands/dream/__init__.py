"""``memctl dream``: consolidation, what it did, why, and how it is taken back."""

from __future__ import annotations

import typer

from memctl_cli.commands.dream import checking, dreaming, fading, knowing, tidying, viewing

app = typer.Typer(help="Consolidation: logs become episodes and facts, with a reason for each.")
for part in (dreaming, checking, fading, tidying, knowing, viewing):
    part.register(app)
