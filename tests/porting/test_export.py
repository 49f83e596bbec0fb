"""An export: which rows leave, where they go, and what it does not touch."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import duckdb
import pytest

import memctl
from memctl.base.errors import NotFoundError, RefusedError, UnusableInputError, UsageError
from memctl.porting.exports.export_folder import export_folder
from tests.each import each
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.facts.store("Ann likes tea", category="preference")
    memory.facts.store("Falcon ships in May", category="project")
    memory.facts.forget(memory.facts.store("Carla works in Porto").ids[0])
    memory.remember("Sent the report: at last", "by e-mail", ("email",), happened_at="2026-10-02")
    memory.remember("Met Bob", happened_at="2026-11-02")
    memory.log("hello", logged_at="2026-11-03")
    memory.aliases.add("NYC", "New York")
    return memory


@pytest.mark.parametrize(
    ("chosen", "written"),
    [
        ({}, {"turn": 1, "episode": 2, "fact": 3, "alias": 1}),
        ({"tiers": ["facts"]}, {"fact": 3}),
        ({"tiers": ["facts"], "states": ["active"]}, {"fact": 2}),
        ({"tiers": ["facts"], "tags": ["PROJ"]}, {"fact": 1}),
        ({"tags": ["Email"]}, {"episode": 1}),
        ({"since": "2026-11-01", "until": "2026-11-04"}, {"turn": 1, "episode": 1}),
    ],
)
def test_only_what_is_chosen_leaves(
    filled: Memory, tmp_path: Path, chosen: dict[str, list[str]], written: dict[str, int]
) -> None:
    assert filled.export_to(tmp_path / "out", **chosen).written == written  # type: ignore[arg-type]


def test_a_profile_is_a_selection_with_a_name(filled: Memory, tmp_path: Path) -> None:
    filled.settings.set("export_profiles", '{"work": {"tiers": ["facts"], "tags": ["PROJ"]}}')

    assert filled.export_to(tmp_path / "out", profile="work").written == {"fact": 1}
    with pytest.raises(UsageError, match="no export profile"):
        filled.export_to(tmp_path / "two", profile="play")
    with pytest.raises(UsageError, match="a profile is a selection"):
        filled.export_to(tmp_path / "two", profile="work", tiers=["facts"])


@each(
    "chosen",
    [
        {"tiers": ["fact"]},
        {"states": ["glad"]},
        {"layout": "pdf"},
        {"since": "2026-11-02", "until": "2026-11-01"},
    ],
)
def test_a_word_that_is_none_is_refused(
    filled: Memory, tmp_path: Path, chosen: dict[str, list[str]]
) -> None:
    with pytest.raises(UsageError):
        filled.export_to(tmp_path / "out", **chosen)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_a_store_that_is_not_there_is_not_made(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        memory.export_to(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_facts_out_of_scope_do_not_leave(home: Path, tmp_path: Path) -> None:
    with memctl.open("harbor", home, user="ann") as hers:
        hers.facts.store("Ann likes tea")
    with memctl.open("harbor", home, user="bob") as his:
        assert his.export_to(tmp_path / "out").written == {}


def test_files_are_their_owner_s_alone(filled: Memory, tmp_path: Path) -> None:
    filled.export_to(tmp_path / "out")
    filled.export_to(tmp_path / "out.jsonl", "jsonl")

    modes = {
        path.is_dir(): stat.S_IMODE(path.stat().st_mode)
        for path in [*tmp_path.rglob("out*"), *(tmp_path / "out").rglob("*")]
    }
    assert modes == {True: 0o700, False: 0o600}


def test_a_folder_that_is_no_export_is_left_alone(filled: Memory, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for layout in ("markdown", "parquet", "openclaw"):
        with pytest.raises(RefusedError, match="no earlier export"):
            filled.export_to(tmp_path, layout)
    with pytest.raises(RefusedError, match="no earlier export"):
        filled.export_to(tmp_path / "mine.txt", "jsonl")
    with pytest.raises(RefusedError, match="is no folder"):
        filled.export_to(tmp_path / "mine.txt")

    filled.export_to(tmp_path, force=True)

    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_an_export_is_repeated_in_place_and_leaves_other_files(
    filled: Memory, tmp_path: Path
) -> None:
    filled.export_to(tmp_path / "out")
    (tmp_path / "out" / ".git").mkdir()
    (tmp_path / "out" / "README").write_text("of git")
    filled.export_to(tmp_path / "out", tiers=["facts"])

    assert (tmp_path / "out" / "README").read_text() == "of git"
    assert (tmp_path / "out" / ".git").is_dir()
    assert not list((tmp_path / "out").rglob("turns/*.md"))
    assert not list((tmp_path / "out").glob(".memctl*"))


def test_an_edit_is_not_written_over(filled: Memory, tmp_path: Path) -> None:
    filled.export_to(tmp_path / "out")
    file = tmp_path / "out" / "facts" / "project.md"
    file.write_text(file.read_text("utf-8") + "\n- Falcon is late\n", "utf-8")
    with pytest.raises(RefusedError, match="edited since"):
        filled.export_to(tmp_path / "out")

    assert "Falcon is late" in file.read_text("utf-8")


def test_nothing_is_written_through_a_link(filled: Memory, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    filled.export_to(tmp_path / "out", tiers=["facts"])
    (tmp_path / "out" / "episodes").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RefusedError, match="in the way"):
        filled.export_to(tmp_path / "out")

    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_manifest_that_was_altered_takes_nothing_away(filled: Memory, tmp_path: Path) -> None:
    (tmp_path / "precious.md").write_text("mine")
    filled.export_to(tmp_path / "out")
    manifest = tmp_path / "out" / "memctl-export.jsonl"
    manifest.write_text(manifest.read_text("utf-8") + '{"file": "../precious.md", "sha256": ""}\n')
    filled.export_to(tmp_path / "out")

    assert (tmp_path / "precious.md").read_text() == "mine"

    manifest.write_text(manifest.read_text("utf-8") + "[1]\n")
    with pytest.raises(UnusableInputError, match="none of a manifest"):
        filled.import_from(tmp_path / "out")


def test_parquet_holds_the_tables_and_the_history(filled: Memory, tmp_path: Path) -> None:
    filled.export_to(tmp_path / "out", "parquet")
    asked = f"select text, valid_from from '{tmp_path}/out/facts.parquet' where status = 'active'"
    changes = f"select event from '{tmp_path}/out/history.parquet' order by 1"

    rows = duckdb.execute(asked).fetchall()
    assert {row[0] for row in rows} == {"Ann likes tea", "Falcon ships in May"}
    assert [row[0] for row in duckdb.execute(changes).fetchall()] == ["ADD", "ADD", "ADD", "DELETE"]


def test_what_is_said_of_a_project_stands_below_its_name_and_comes_back(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path / "home") as memory:
        for attribute, value in (("deadline", "2026-12-01"), ("lead", "Ann")):
            fact = {"subject": "projectX", "attribute": attribute, "value": value}
            memory.facts.store([fact], category="project")
        memory.facts.store("Falcon ships in May", category="project")
        memory.export_to(tmp_path / "out", "memoryclaw")
    told = (tmp_path / "out" / "semantic" / "projects.md").read_text("utf-8")
    with memctl.open("other", tmp_path / "home2") as other:
        other.import_from(tmp_path / "out", "memoryclaw")
        (deadline,) = other.facts.lookup("projectX", "deadline")

    assert "- projectX:\n  - deadline: 2026-12-01\n  - lead: Ann\n- Falcon ships in May\n" in told
    assert deadline.value == "2026-12-01"


def test_screens_leave_in_gui_memory_s_form(filled: Memory, tmp_path: Path) -> None:
    exported = filled.export_to(tmp_path / "out", "gui-memory")

    assert (tmp_path / "out" / "components.json").is_file()
    assert (
        exported.files == len([one for one in (tmp_path / "out").rglob("*") if one.is_file()]) - 1
    )
    with pytest.raises(UsageError, match="as a whole"):
        filled.export_to(tmp_path / "two", "gui-memory", tiers=["facts"])


CUT_SHORT = """
import os, sys
import memctl
from memctl.porting.exports.export_folder import ExportFolder
placed = ExportFolder._place
def place(self, name):
    placed(self, name)
    if name != "memctl-export.jsonl":
        os._exit(9)  # as SIGKILL does: no block is left in order
ExportFolder._place = place
with memctl.open("harbor", sys.argv[1]) as memory:
    memory.export_to(sys.argv[2])
"""


def test_an_export_that_was_cut_short_is_said_to_be_and_repeated(
    filled: Memory, home: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    filled.export_to(target)
    filled.log("one more")
    with start_python(CUT_SHORT, home, target) as cut:
        assert cut.wait(60) == 9
    with (
        memctl.open("other", home) as other,
        pytest.raises(UnusableInputError, match="was cut short") as refused,
    ):
        other.import_from(target)
    assert refused.value.hint == "export into it again"
    filled.export_to(target)
    assert not [path for path in target.rglob("*") if path.name.startswith(".")]
    with memctl.open("other", home) as other:
        assert other.import_from(target).taken["turn"] == 2


def test_a_new_export_has_its_name_once_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with export_folder(target, {}, force=False) as made:
        made.append("notes.md", "hello")
        assert not target.exists()
        made.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (target / "notes.md").read_text("utf-8") == "hello"
