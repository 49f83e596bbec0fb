"""Writes ``schema/whole.json`` anew, after a new migration: ``python -m memctl.store.keep_schema``."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from memctl.store.migrations import made_schema, migrations
from memctl.store.whole_schema import NAME

__all__ = ["keep_schema"]


def keep_schema() -> None:
    """Take every step in an empty database, and keep the schema that they make."""
    steps = migrations()
    kept = {"last": steps[-1].name, "objects": made_schema(len(steps))}
    path = Path(str(import_module("memctl.schema").__file__)).with_name(NAME)
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep_schema()
