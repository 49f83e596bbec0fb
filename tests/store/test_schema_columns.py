"""Each column is declared once, in the schema: a new one without a declaration fails here, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store.schema_text import columns, travelling

if TYPE_CHECKING:
    from memctl.store.store import Store

COLUMNS = """
select relation.name as relation, info.name, info."notnull" or info.pk as filled, info.dflt_value
from pragma_table_list as relation join pragma_table_info(relation.name) as info
where relation.schema = 'main' and relation.type = 'table' and relation.name not glob 'sqlite_*'
"""


def test_every_column_of_the_file_is_declared_and_nothing_else(store: Store) -> None:
    with store.transaction():
        here = store.rows(COLUMNS)
    found = {(table, one.name): one for table, of in columns().items() for one in of.values()}
    assert {(row["relation"], row["name"]) for row in here} == set(found)
    assert [place for place, one in found.items() if not one.declared] == []
    for row in here:
        column = found[row["relation"], row["name"]]
        assert column.nullable == (not row["filled"]), row["name"]
        if (row["dflt_value"] or "'strftime").strip("'").startswith("strftime"):
            assert column.default is None
        elif column.kind in {"text", "list", "object"} and "(" not in row["dflt_value"]:
            assert row["dflt_value"] == f"'{column.default}'"


def test_a_declaration_says_how_far_and_how_erased() -> None:
    component = columns()["component"]
    assert [component[name].reach for name in ("label", "section", "id")] == [
        "pack",
        "store",
        "local",
    ]
    assert component["section"].erasing == "own"
    assert component["section"].about == ("Title of the part of the page that it is in, likewise.")
    assert (component["pinned"].kind, component["pinned"].default) == ("flag", False)
    assert columns()["recall"]["question"].erasing == "mark"


def test_what_goes_into_a_pack_goes_into_stores_and_exports_too() -> None:
    for table in columns():
        assert {*travelling(table, "pack")} <= {*travelling(table, "store")}
        assert {*travelling(table, "pack")} <= {*travelling(table, "export")}
    assert "folded" in travelling("fact", "store")
    assert "folded" not in travelling("fact", "export")
    assert travelling("recall", "store") == travelling("recall", "export") == ()
