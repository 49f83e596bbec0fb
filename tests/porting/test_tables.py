"""Rows of anybody's making: CSV, tables of SQLite, arrays of JSON; columns are mapped."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import UnusableInputError, UsageError
from memctl.porting.importer import records_in
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory

ROWS = [
    {"who": "Ann", "body": "The ferry leaves at 7, from pier 4", "sent": "2026-03-01T07:00:00Z"},
    {"who": "Béla", "body": '我们 "8点" 走 🙂\nall of us', "sent": "2026-03-01T07:01:00Z"},
]
COLUMNS = {"who": "speaker", "body": "text", "sent": "logged_at"}


def _csv(delimiter: str = ",", ends: str = "\r\n") -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    lines = [delimiter.join(ROWS[0]), *(delimiter.join(map(cell, row.values())) for row in ROWS)]
    return ends.join(lines) + ends


def _table(path: Path, name: str = "chat") -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute(f"create table {name} (who, body, sent)")
        connection.executemany(f"insert into {name} values (:who, :body, :sent)", ROWS)
    connection.close()
    return path


def _said(memory: Memory) -> list[tuple[str | None, str, str]]:
    turns = memory.turns.list(limit=-1)
    return sorted((str(turn.speaker), turn.text, turn.logged_at) for turn in turns)


EXPECTED = [tuple(row.values()) for row in ROWS]


@pytest.mark.parametrize(
    ("encoding", "delimiter", "ends"),
    [
        ("utf-8", ",", "\r\n"),
        ("utf-8-sig", ";", "\n"),
        ("utf-16", "\t", "\r\n"),
        ("utf-16-le", "|", "\n"),
        ("utf-16-be", ",", "\n"),
    ],
)
def test_rows_of_a_csv_file_are_turns(
    memory: Memory, tmp_path: Path, encoding: str, delimiter: str, ends: str
) -> None:
    path = tmp_path / "chat.csv"
    path.write_bytes(_csv(delimiter, ends).encode(encoding))
    imported = memory.import_from(path, options={"columns": COLUMNS})
    assert (imported.source, imported.taken) == ("csv", {"turn": 2})
    assert _said(memory) == EXPECTED


def test_rows_of_a_table_are_turns(memory: Memory, tmp_path: Path) -> None:
    path = _table(tmp_path / "chat.sqlite")
    imported = memory.import_from(path, options={"columns": COLUMNS})
    assert (imported.source, imported.taken) == ("sqlite", {"turn": 2})
    assert _said(memory) == EXPECTED


def test_a_foreign_database_and_what_stands_beside_it_stay_as_they_are(
    memory: Memory, tmp_path: Path
) -> None:
    path = _table(tmp_path / "chat.db")
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.execute("insert into chat values ('Cy', 'only in the log', '2026-03-02')")
    writer.commit()  # and it stays open
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()}
    memory.import_from(path, options={"columns": COLUMNS})
    after = {one.name: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()}
    writer.close()
    assert ("Cy", "only in the log", "2026-03-02T00:00:00Z") in _said(memory)
    assert before == after


def test_of_several_tables_one_is_named(memory: Memory, tmp_path: Path) -> None:
    path = _table(_table(tmp_path / "chat.db", "chat"), "mail")
    with pytest.raises(UsageError, match="2 tables") as caught:
        memory.import_from(path, options={"columns": COLUMNS})
    assert "chat, mail" in str(caught.value.hint)
    imported = memory.import_from(path, options={"columns": COLUMNS, "table": "mail"})
    assert imported.written == 2


def test_a_store_of_memctl_is_no_table(memory: Memory, home: Path) -> None:
    with memctl.open("other", home) as other:
        other.log("hello")
        path = other.store.path
    with pytest.raises(UnusableInputError, match="store of memctl") as caught:
        memory.import_from(path)
    assert "import store" in str(caught.value.hint)


@pytest.mark.parametrize("shape", ["array", "object"])
def test_objects_of_an_array_are_records(memory: Memory, tmp_path: Path, shape: str) -> None:
    path = tmp_path / "chat.json"
    given = {"version": 1, "messages": ROWS} if shape == "object" else ROWS
    path.write_text(json.dumps(given), encoding="utf-8-sig")
    imported = memory.import_from(path, options={"columns": COLUMNS})
    assert (imported.source, imported.taken) == ("json", {"turn": 2})
    assert _said(memory) == EXPECTED


def test_of_several_arrays_one_is_named(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"people": [], "messages": ROWS}), encoding="utf-8")
    with pytest.raises(UsageError, match="2 arrays"):
        memory.import_from(path)
    options = {"columns": COLUMNS, "table": "messages"}
    assert memory.import_from(path, options=options).written == 2


@each("content", ["17", '"text"', "{}", '{"a": 1}', "[1, 2", "{", '{"a": [{'])
def test_json_without_an_array_of_objects_is_refused(
    memory: Memory, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnusableInputError):
        memory.import_from(path, "json")


def test_cells_become_what_their_columns_hold(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text(
        "summary,tags,participants,happened_at\n"
        'Moved the pier,"harbor; work","[""Ann"", ""Bo, junior""]",2026-03-01\n',
        encoding="utf-8",
    )
    memory.import_from(path)
    (episode,) = memory.episodes.list()
    assert episode.tags == ("harbor", "work")
    assert episode.participants == ("Ann", "Bo, junior")
    path.write_text(
        'text,category,importance,metadata,valid_from\nBo lives in Porto,relationship,0.4,"{""a"": 1}",\n',
        encoding="utf-8",
    )
    memory.import_from(path)
    (fact,) = memory.facts.list()
    assert (fact.category, fact.importance, fact.metadata) == ("relationship", 0.4, {"a": 1})


def test_numbers_of_a_time_are_seconds_or_milliseconds(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    rows: list[dict[str, Any]] = [
        {"role": "user", "text": "a", "logged_at": 1_700_000_000},
        {"role": "user", "text": "b", "logged_at": 1_700_000_001_000, "session": 12},
        {"role": "user", "text": "c", "logged_at": 1e300},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    imported = memory.import_from(path)
    times = sorted(turn.logged_at for turn in memory.turns.list())
    assert times == ["2023-11-14T22:13:20Z", "2023-11-14T22:13:21Z"]
    assert [one.where for one in imported.refused] == ["x.jsonl:3"]


def test_a_table_without_a_text_says_what_it_has(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    path.write_text(_csv(), encoding="utf-8")
    with pytest.raises(UnusableInputError, match="who, body, sent") as caught:
        memory.import_from(path)
    assert "--column" in str(caught.value.hint)
    with pytest.raises(UsageError, match='no column "corpus"'):
        memory.import_from(path, options={"columns": {"corpus": "text"}})


def test_a_broken_row_is_named_and_the_rest_taken(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_bytes(
        b"text,importance\nAnn lives in Porto,0.5\nBo lives in Faro,much\n"
        b"Cy lives in Rome,0.5\nDee,0.1,too,many\n\n,0.3\n"
    )
    imported = memory.import_from(path)
    assert imported.taken == {"fact": 2}
    assert [one.where for one in imported.refused] == [
        "facts.csv:3",
        "facts.csv:5",
        "facts.csv:7",
    ]


@pytest.mark.parametrize("damage", ["truncated", "overwritten"])
def test_a_damaged_database_is_an_error(memory: Memory, tmp_path: Path, damage: str) -> None:
    path = _table(tmp_path / "chat.db")
    data = path.read_bytes()
    path.write_bytes(data[:5_000] if damage == "truncated" else data[:100] + bytes(len(data) - 100))
    with pytest.raises(UnusableInputError, match=r"damaged|malformed"):
        memory.import_from(path, options={"columns": COLUMNS})


def test_values_of_a_wrong_type_are_refused_and_the_rest_taken(
    memory: Memory, tmp_path: Path
) -> None:
    wrong: list[dict[str, Any]] = [
        {"logged_at": True},
        {"role": ["user"]},
        {"speaker": {"name": "Ann"}},
        {"kind": ["turn"]},
        {"kind": "fact", "importance": [1]},
        {"kind": "fact", "metadata": "[1]"},
        {"kind": "episode"},
    ]
    good = {"text": "The ferry leaves at 7", "speaker": "Ann"}
    rows = [*({**good, **one} for one in wrong), good]
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    imported = memory.import_from(tmp_path / "rows.json")

    assert imported.taken == {"turn": 1}
    assert [one.where for one in imported.refused] == [f"rows.json[{n}]" for n in range(len(wrong))]


def test_a_fact_may_be_told_by_its_parts(memory: Memory, tmp_path: Path) -> None:
    parts = {"subject": "harbor", "attribute": "port", "value": 8080}
    (tmp_path / "rows.json").write_text(json.dumps([parts]), "utf-8")
    memory.import_from(tmp_path / "rows.json")

    assert [fact.value for fact in memory.facts] == ["8080"]


def test_a_column_that_is_none_of_ours_is_refused(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"text": "The ferry leaves at 7", "at": 1}]', "utf-8")
    with pytest.raises(UsageError, match='no column "when"'):
        memory.import_from(tmp_path / "rows.json", options={"columns": {"at": "when"}})


def test_a_value_of_a_wrong_type_is_not_shown(memory: Memory, tmp_path: Path) -> None:
    row = {"summary": "Met Bob", "details": {"key": "hunter2"}}
    (tmp_path / "rows.json").write_text(json.dumps([row]), "utf-8")
    imported = memory.import_from(tmp_path / "rows.json")

    assert "hunter2" not in imported.refused[0].why


def test_a_column_that_nothing_takes_is_named(tmp_path: Path) -> None:
    file = tmp_path / "talk.csv"
    file.write_text("text,role,at,id\nThe pier is open.,user,2024-05-01,1\n", encoding="utf-8")
    with memctl.open("agent", tmp_path) as memory:
        first = memory.import_from(file, dry_run=True)
        assert first.remarks == ["not taken, for want of a column: at (--column THEIRS=OURS)"]
        mapped = memory.import_from(file, options={"columns": {"at": "logged_at"}})
        assert mapped.remarks == []
        assert memory.turns.list()[0].logged_at.startswith("2024-05-01")


ENDLESS = "with recursive c(n) as (select 1 union all select n + 1 from c)"


@each(
    ("view", "why"),
    [
        (f"{ENDLESS} select 'Ann lives in Porto ' || n as text from c", "far more than it holds"),
        (f"{ENDLESS} select 'Ann' as text from c where n < 0", "work without end"),
        (f"{ENDLESS} select max(n) || '' as text from c", "work without end"),
        (f"{ENDLESS} select hex(zeroblob(9000000)) as text from c", "far more than it holds"),
        ("select a.text from rows a, rows b, rows c, rows d, rows e, rows f, rows g", "far more"),
        ("select text from seven", "circularly defined"),
    ],
)
def test_a_view_without_end_is_refused_and_nothing_of_it_written(
    view: str, why: str, tmp_path: Path
) -> None:
    file = Path(mkdtemp(dir=tmp_path)) / "rows.db"
    with closing(sqlite3.connect(file)) as made:
        made.execute("create table rows (text)")
        made.executemany("insert into rows values (?)", [("Ann lives in Porto",)] * 10)
        made.execute(f"create view seven as {view}")
        made.commit()
    with memctl.open("harbor", file.parent) as memory:
        with pytest.raises(UnusableInputError, match=why):
            memory.import_from(file, "sqlite", options={"table": "seven"})
        assert not memory.store.exists or not len(memory.facts)
        assert memory.import_from(file, "sqlite", options={"table": "rows"}).met == 10


def test_a_view_that_ends_is_read(memory: Memory, tmp_path: Path) -> None:
    _table(tmp_path / "talk.db")
    with closing(sqlite3.connect(tmp_path / "talk.db")) as made:
        made.execute(
            "create view said as select body as text, sent as logged_at, 'user' as role from chat"
        )
        made.commit()
    memory.import_from(tmp_path / "talk.db", "sqlite", options={"table": "said"})
    assert [text for _, text, _ in _said(memory)] == [row["body"] for row in ROWS]


@each("kind", ["pipe", "device", "a link to a device"])
def test_what_never_ends_is_not_opened(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"{kind}.csv"
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    with memctl.open("harbor", tmp_path) as memory, pytest.raises(UnusableInputError) as raised:
        memory.import_from(Path("/dev/zero") if kind == "device" else file, "csv")
    assert "where a file has to be" in str(raised.value)


def test_a_folder_of_links_without_end_is_read_once(memory: Memory, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "note.md").write_text("# Notes\n\n- Zoe owns the dock.\n")
    (notes / "folder").symlink_to(notes)
    (notes / "itself.md").symlink_to("itself.md")
    os.mkfifo(notes / "pipe.md")
    memory.import_from(notes)
    assert [fact.text for fact in memory.facts] == ["Zoe owns the dock."]


def test_letters_of_another_encoding_are_refused_by_their_place(
    memory: Memory, tmp_path: Path
) -> None:
    (tmp_path / "rows.csv").write_bytes("text\nAnn\nZoë owns the dock\n".encode("cp1252"))
    with pytest.raises(UnusableInputError, match=r"line 3, byte 3"):
        memory.import_from(tmp_path / "rows.csv")


def test_a_cell_that_is_no_text_is_said(memory: Memory, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "rows.db")) as made:
        made.execute("create table rows (text)")
        made.execute(
            "insert into rows values (cast(x'5a6feb206f776e732074686520646f636b' as text))"
        )
        made.commit()
    with pytest.warns(UserWarning, match="a letter was lost"):
        memory.import_from(tmp_path / "rows.db", "sqlite")


def test_the_total_is_known_before_an_import(tmp_path: Path) -> None:
    table, csv, lines, array, broken = (
        tmp_path / name for name in ("a.db", "a.csv", "a.jsonl", "a.json", "b.json")
    )
    _table(table)
    csv.write_text(_csv(), newline="")
    lines.write_text("\n\n".join(map(json.dumps, ROWS)))
    array.write_text(json.dumps({"rows": ROWS}))
    broken.write_text("[{")
    totals = [records_in(path) for path in (table, csv, lines, array)]
    assert totals == [2, 2, 2, 2]
    assert records_in(broken) is None
    assert records_in(tmp_path / "none") is None
