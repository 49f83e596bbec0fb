"""The schema that all migrations together make, kept in ``schema/whole.json``.

Every command compares a store's schema with it, object by object. To make it by taking all
steps in an empty database costs 0.02 s, more than the rest of opening a store.

After a new migration ``python -m memctl.store.keep_schema`` writes it anew; until then the steps
are taken, and ``tests/store/test_migrations.py`` fails.
"""

from __future__ import annotations

import json
from functools import cache

from memctl.base.packaged import text_in

__all__ = ["NAME", "kept_schema"]

NAME = "whole.json"


@cache
def kept_schema(last: str) -> dict[str, str] | None:
    """Return ``{"table component": "create table ...", ...}`` as of the migration `last`.

    ``None`` where another one was the last when it was kept.
    """
    try:
        kept = json.loads(text_in("memctl.schema", NAME))
    except OSError:
        return None
    return kept["objects"] if kept["last"] == last else None
