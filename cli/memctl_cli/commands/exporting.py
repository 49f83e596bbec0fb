"""``memctl export``: what leaves a store for others."""

from __future__ import annotations

from memctl_cli.commands.porting.forms import forms
from memctl_cli.commands.porting.packs import export_pack

__all__ = ["app"]

app = forms({"pack": export_pack}, text="Write a memory in another form: pack.")
