"""Options that several commands share, so that each is spelt and explained alike everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only show what would happen; nothing is changed.")
]
Duplicates = Annotated[
    bool, typer.Option("--duplicates", help="Those that say what another one says.")
]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1_000_000, help="At most so many.")]
Most = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="At most so many; else as the setting recall_limit says."),
]
# Of a list: Session.limit knows what holds where it is not given.
Limited = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="At most so many; else 20, and all with --json."),
]
User = Annotated[str | None, typer.Option("--user", help="Only this user's facts.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Only this agent's facts.")]
Why = Annotated[str, typer.Option("--why", help="The reason, kept.")]
Recorded = Annotated[
    bool, typer.Option("--record/--no-record", help="Keep a record of this call in the store.")
]
