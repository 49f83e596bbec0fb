"""Parts of reports: what of a store is in them, what is not, and how they are named."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import memctl
from memctl.base.errors import StoreDamagedError
from memctl.fleet.fleet_report import PartName, kind_of, part_of, sign_of
from memctl.fleet.store_queue import FleetStore
from memctl.reports.questions import tables
from tests.each import each
from tests.reports.rich import fill

# Columns of texts that are in parts although nobody asked for texts: ids, kinds, states and digests;
# the names of apps, pages, screens, skills and models; counts by their names. Everything else that a
# person or an app may have said is of the type "words".
KEPT = {
    "origin": "address",
    "component": "type page",
    "template": "sha256",
    "state": "id root name page",
    "state_component": "state_id",
    "transition": "from_state to_state status",
    "observation": "kind state_id app_version stages",
    "sighting": "how",
    "recall": "fallback outcome",
    "recall_hit": "kind",
    "injection": "hook",
    "memory": "kind",
    "recalled": "kind known_as",
    "fact": "id category status expires_by",
    "guard_refusal": "rule tier day",
    "skill": "id name origin status",
    "skill_run": "skill_id status",
    "arrival": "entity",
    "file_part": "part",
    "table_pages": "entity",
    "table_contents": "entity",
    "tally": "area what",
}


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> FleetStore:
    path = fill(tmp_path_factory.mktemp("rich"))
    return FleetStore("harbor", str(path), path.stat().st_size)


def rows_in(part: bytes, folder: Path) -> list[tuple[str, list[str | None]]]:
    file = folder / "a.parquet"
    file.write_bytes(part)
    with duckdb.connect() as connection:
        return connection.execute(
            "select relation, cells from read_parquet(?)", [str(file)]
        ).fetchall()


def test_whether_each_column_may_hold_what_somebody_said_is_decided() -> None:
    kept = {
        name: " ".join(column for column, kind in table.types.items() if kind == "text")
        for name, table in tables().items()
    }
    assert {name: columns for name, columns in kept.items() if columns} == KEPT


def test_without_texts_no_text_is_in_any_cell(rich: FleetStore, tmp_path: Path) -> None:
    texts = said_in(rich)
    assert len(texts) > 40
    cells = [
        cell for _, row in rows_in(part_of(rich, texts=False), tmp_path) for cell in row if cell
    ]
    assert not [cell for cell in cells if cell in texts or cell.startswith("Ann ")]
    assert any(cell.startswith("(text ") for cell in cells)
    with_them = [cell for _, row in rows_in(part_of(rich, texts=True), tmp_path) for cell in row]
    assert texts <= set(with_them)


def said_in(store: FleetStore) -> set[str]:
    """Return the texts of a store that nobody could take for a kind, a name or an id."""
    with memctl.open(
        "harbor", store.where.removesuffix("/apps/harbor.db"), readonly=True
    ) as memory:
        columns = {
            "fact": ("text", "source", "status_why"),
            "episode": ("summary", "details"),
            "recall": ("question",),
            "component": ("name", "label"),
        }
        return {
            text
            for table, names in columns.items()
            for name in names
            for (text,) in memory.store.connection().execute(f"select {name} from {table}")
            if text and set(text) & set(" _")  # a word alone may be a kind
        }


def test_equal_texts_get_equal_numbers_and_an_empty_one_stays(tmp_path: Path) -> None:
    with memctl.open("harbor", tmp_path) as memory:
        memory.log("The tide is low")
        for _ in range(2):
            memory.recall("the quay?")
        memory.recall("the tide?")
        path = memory.store.path
    part = part_of(FleetStore("harbor", str(path), 1), texts=False)
    questions = [row[2] for name, row in rows_in(part, tmp_path) if name == "recall"]
    assert questions[0] == questions[1] != questions[2]


def test_only_settings_with_another_value_than_their_default_are_in_a_part(
    rich: FleetStore, tmp_path: Path
) -> None:
    rows = rows_in(part_of(rich, texts=False), tmp_path)
    said = {row[0]: row[1] for name, row in rows if name == "setting_in_force"}
    assert said == {
        "context_max_tokens": "60.0",
        "context_rows": "3.0",
        "keep_screenshots": "2.0",
        "lift_decider_seconds": "2.0",
    }


def test_a_part_is_a_few_kilobytes(tmp_path: Path) -> None:
    with memctl.open("harbor", tmp_path) as memory:
        for number in range(20):
            memory.log(f"Turn {number} of a quiet day")
        path = memory.store.path
    assert len(part_of(FleetStore("harbor", str(path), 1), texts=False)) < 4_000


@each("where", ["/home/ann/memory/apps/harbor.db", "/srv/a b/Häfen*?/apps/x.y.db", "/m/\udcff.db"])
def test_the_name_of_a_part_is_read_back(where: str) -> None:
    name = PartName("host@10.0.0.5", where, "a" * 32, "b" * 16)
    assert PartName.of(str(name)) == name
    assert not set(str(name)) & set("*?[]\\ ")


def test_another_file_is_no_part() -> None:
    assert PartName.of("notes.txt") is None
    assert PartName.of("host/notes.parquet") is None


def test_parts_with_texts_are_of_another_kind() -> None:
    assert kind_of(texts=True) != kind_of(texts=False)


def test_the_sign_changes_with_the_store_the_settings_of_its_home_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", tmp_path) as memory:
        memory.log("a turn")
        path = memory.store.path
    store = FleetStore("harbor", str(path), 1)
    signs = [sign_of(store)]
    assert sign_of(store) == signs[0]
    (tmp_path / "settings.toml").write_text("forget_threshold = 3\n")
    signs.append(sign_of(store))
    monkeypatch.setenv("MEMCTL_CONTEXT_ROWS", "9")
    signs.append(sign_of(store))
    with memctl.open("harbor", tmp_path) as memory:
        memory.log("another turn")
    signs.append(sign_of(store))
    assert len(set(signs)) == 4


def test_a_damaged_store_has_no_part(rich: FleetStore, tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    content = Path(rich.where).read_bytes()
    path.write_bytes(content[:8192] + b"\x07" * (len(content) - 8192))
    with pytest.raises(StoreDamagedError):
        part_of(FleetStore("harbor", str(path), 1), texts=False)
