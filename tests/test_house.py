"""The house keeps its plan: imports point down, no circle, every name stands once."""

from __future__ import annotations

import ast
from collections import Counter
from graphlib import TopologicalSorter

from tests.house import FLOORS, arrows, imports, modules, room_of

FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}
MOST_FILES = 15


def test_every_room_has_a_floor() -> None:
    outside = {"__main__.py", "schema", "sql"}
    assert {room_of(name) for name in modules()} - outside == FLOOR.keys()


def test_imports_point_down() -> None:
    upward = {pair for pair in arrows() if FLOOR[pair[0]] <= FLOOR[pair[1]]}
    assert not upward


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert list(TopologicalSorter(imports()).static_order())


def test_a_file_name_stands_once_in_the_engine() -> None:
    names = Counter(path.name for name, path in modules().items() if name.startswith("memctl."))
    assert [name for name, count in names.items() if count > 1 and name != "__init__.py"] == []


def test_a_class_name_stands_once_in_the_engine() -> None:
    names: Counter[str] = Counter()
    for name, path in modules().items():
        if name.startswith("memctl."):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_folder_of_the_engine_is_crowded() -> None:
    folders = Counter(
        path.parent
        for name, path in modules().items()
        if name.startswith("memctl") and "memctl_cli" not in name and path.stem != "__init__"
    )
    assert {str(folder): count for folder, count in folders.items() if count > MOST_FILES} == {}
