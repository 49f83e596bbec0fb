"""``memctl export pack``, ``import pack`` and ``import store``, as a shell calls them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import memctl_process
from tests.porting.small_stores import made

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two homes that know the app harbor."""
    folder = tmp_path_factory.mktemp("homes")
    for name in ("a", "b"):
        with made(folder, name):
            pass
    return folder


def test_a_pack_is_listed_signed_and_taken_in(homes: Path) -> None:
    made_by, taken_by = (("--home", homes / name, "--app", "harbor") for name in ("a", "b"))
    key, pack = homes / "my.key", homes / "harbor.pack"
    told = memctl_process("--json", "export", "pack", "--new-key", key).data
    listed = memctl_process(*made_by, "export", "pack", "--list")
    assert "2 states:\n    home, orders\n" in listed.out
    assert not pack.exists()
    unasked = memctl_process(*made_by, "export", "pack", pack, "--sign", key)
    assert (unasked.code, pack.exists()) == (3, False)
    assert "10 components:\n" in unasked.out
    written = memctl_process("--json", *made_by, "export", "pack", pack, "--sign", key, "--yes")
    assert written.data["signed_by"] == told["public_key"]
    unsure = memctl_process("--json", *taken_by, "import", "pack", pack)
    assert unsure.code == 3
    merged = memctl_process(*taken_by, "import", "pack", pack, "--key", told["public_key"])
    assert (merged.code, merged.error) == (0, "")
    assert re.search(r"^component +3 +7$", merged.out, re.MULTILINE)


def test_another_store_is_tried_and_taken_in(homes: Path) -> None:
    other = homes / "a" / "apps" / "harbor.db"
    mine = ("--json", "--home", homes / "new", "--app", "harbor", "import", "store", other)
    tried = memctl_process(*mine, "--dry-run").data
    assert not (homes / "new").exists()
    assert tried["added"] == memctl_process(*mine).data["added"]
    assert tried["added"]["component"] == 10


def test_what_names_no_form_is_read_as_a_path(tmp_path: Path) -> None:
    answer = memctl_process("--json", "--home", tmp_path, "import", "--dry-run", tmp_path / "none")
    assert answer.code != 0
    assert answer.envelope["command"] == "import"


def test_a_file_of_which_every_record_is_refused_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('[1]\n{"kind": "turn", "speaker": "Ann"}\n', "utf-8")
    call = ("--home", tmp_path, "import", file)
    told, listed = memctl_process("--json", *call), memctl_process(*call)

    assert (told.code, listed.code) == (3, 3)
    assert "rows.jsonl:1: no object" in told.envelope["error"]["message"]
    assert 'refused: rows.jsonl:2: turn: it has no "text"' in listed.out


def test_json_that_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000, "utf-8")
    told = memctl_process("--json", "--home", tmp_path, "import", tmp_path / "deep.json")

    assert told.code == 2
    assert "is no JSON" in told.envelope["error"]["message"]


def test_what_an_import_took_is_json_by_kind(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# Notes\n\nThe ferry leaves at nine.\n", "utf-8")
    answer = memctl_process("--json", "--home", tmp_path / "home", "import", "from", notes)
    assert sum(answer.data["taken"].values()) == answer.envelope["count"] > 0
