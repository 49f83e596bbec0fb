"""``memctl import``: what comes into a store from others."""

from __future__ import annotations

import typer

from memctl_cli.commands.porting.packs import import_pack, import_store

__all__ = ["app"]

app = typer.Typer(help="Take in what another memory knows: pack, store.")

app.command("pack")(import_pack)
app.command("store")(import_store)
