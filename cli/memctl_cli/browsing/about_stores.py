"""Metadata of stores for Datasette: titles, hidden tables, columns, questions.

The file ``metadata.json`` lists the tables that are memctl's own affairs, and how the others are
shown; the meaning of tables and columns is in the schema; the questions are those of
``sql/browse/questions.sql``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base.packaged import text_in
from memctl.store import statements
from memctl.store.schema_text import SchemaObject, columns, schema_objects, without_declaration

if TYPE_CHECKING:
    from collections.abc import Iterable


def metadata_of(names: Iterable[str]) -> dict[str, Any]:
    """Return Datasette's metadata of stores.

    Parameters
    ----------
    names
        What the stores are called there.
    """
    said = json.loads(text_in("memctl_cli.browsing", "metadata.json"))
    tables: dict[str, dict[str, Any]] = {
        schema_object.name: _about(schema_object) | said["tables"].get(schema_object.name, {})
        for schema_object in schema_objects()
    }
    for name in said["hidden"]:
        tables.setdefault(name, {})["hidden"] = True
    for name in said["inner_views"]:
        # Datasette hides tables alone; a view is kept from being listed by allowing it to nobody.
        tables.setdefault(name, {})["allow"] = False
    store = {"tables": tables, "queries": questions()}
    about = {key: said[key] for key in ("title", "description")}
    return {**about, "databases": dict.fromkeys(names, store)}


def questions() -> dict[str, dict[str, Any]]:
    """Return the questions of docs/sql.md, by the name that each has in the address."""
    result = {}
    for statement in statements.load("browse/questions").statements.values():
        title, _, more = statement.description.partition("\n")
        result[statement.name] = {
            "title": title,
            "description": more.replace("\n", " "),
            "sql": statement.sql,
        }
    return result


def _about(one: SchemaObject) -> dict[str, Any]:
    about = {name: said.about for name, said in columns().get(one.name, {}).items() if said.about}
    return {"description": " ".join(without_declaration(one.comment).split()), "columns": about}
