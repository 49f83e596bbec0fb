"""``memctl export``: what leaves a store for others."""

from __future__ import annotations

import typer

from memctl_cli.commands.porting.packs import export_pack

__all__ = ["app"]

app = typer.Typer(help="Write a memory in another form: pack.")

app.command("pack")(export_pack)
