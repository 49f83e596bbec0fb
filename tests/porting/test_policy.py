"""Each table and column has a line that says how far it travels: a new one fails here, by name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memctl.porting.packs.policy import rules

if TYPE_CHECKING:
    from memctl.store.store import Store

COLUMNS = """
select schema.name as relation, info.name as column_name
from sqlite_schema as schema, pragma_table_info(schema.name) as info
where schema.type = 'table' and schema.name not glob 'sqlite_*' and schema.name not glob 'memory_fts*'
"""


def test_each_column_has_a_policy(store: Store) -> None:
    with store.transaction():
        here = {(row["relation"], row["column_name"]) for row in store.rows(COLUMNS)}
    told = Counter((rule.table, column) for rule in rules() for column in rule.columns)
    whole = {table for table, column in told if column == "*"}
    assert {one for one in here if one[0] not in whole} == {one for one in told if one[1] != "*"}
    assert whole <= {table for table, _ in here}
    assert max(told.values()) == 1


def test_each_line_says_how_far_and_why() -> None:
    assert {rule.level for rule in rules()} == {"pack", "store", "local"}
    assert all(rule.why and rule.columns for rule in rules())


def test_whole_tables_travel_nowhere() -> None:
    assert {rule.level for rule in rules() if rule.columns == ("*",)} == {"local"}
