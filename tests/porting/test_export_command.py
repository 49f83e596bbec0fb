"""`memctl export` and `memctl import`, as a person types them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.calling import memctl_process

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def test_a_store_goes_out_is_edited_and_comes_in_again(
    memory: Memory, home: Path, tmp_path: Path
) -> None:
    memory.facts.store("Ann likes tea", category="preference")
    out = tmp_path / "notes"
    app = ("--home", home, "--app", "harbor")
    exported = memctl_process(*app, "export", "markdown", out, "--tier", "facts")
    file = out / "facts" / "preference.md"
    file.write_text(file.read_text("utf-8").replace("\nAnn likes tea", "\nAnn likes rain"), "utf-8")
    imported = memctl_process(*app, "import", out)

    assert exported.out.startswith("1 fact written into 1 file: ")
    assert imported.out == "memctl: 1 record met, taken: 1 changed fact\n"
    assert [fact.text for fact in memory.facts] == ["Ann likes rain"]


def test_as_json_an_export_counts_its_rows_by_kind(
    memory: Memory, home: Path, tmp_path: Path
) -> None:
    memory.log("hello")
    memory.facts.store("Ann likes tea")
    out = tmp_path / "all.jsonl"
    exported = memctl_process("--home", home, "--app", "harbor", "--json", "export", "jsonl", out)

    assert exported.data == {
        "layout": "jsonl",
        "path": str(out),
        "written": {"turn": 1, "fact": 1},
        "files": 1,
    }
    assert exported.envelope["count"] == 2


def test_a_refusal_exits_3_and_says_what_to_do(memory: Memory, home: Path, tmp_path: Path) -> None:
    memory.log("hello")
    (tmp_path / "mine.txt").write_text("mine")
    app = ("--home", home, "--app", "harbor", "--json")
    refused = memctl_process(*app, "export", "markdown", tmp_path)

    assert refused.code == 3
    assert "--force" in refused.envelope["error"]["hint"]
