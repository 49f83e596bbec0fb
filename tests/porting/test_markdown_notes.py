"""Plain Markdown comes in: items and paragraphs as facts, those of a day as what happened."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from memctl.porting.markdown_reading import front_matter, note_parts
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def test_a_folder_of_notes_comes_in(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(
        "---\ntitle: a note: of mine\n---\n# Harbor\nThe crane stands at dock four.\n\n"
        "- [PREF] Bob likes coffee\n",
        "utf-8",
    )
    (tmp_path / "2026-10-03 meeting.md").write_text("Met Carla at the harbor\n", "utf-8")
    imported = memory.import_from(tmp_path)

    assert imported.source == "markdown"
    assert {(fact.text, fact.category) for fact in memory.facts} == {
        ("The crane stands at dock four.", None),
        ("Bob likes coffee", "preference"),
    }
    assert [one.happened_at for one in memory.episodes] == ["2026-10-03T00:00:00Z"]


def test_the_encoding_of_a_note_is_found_out(memory: Memory, tmp_path: Path) -> None:
    encodings = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
    for one in encodings:
        told = f"---\ntitle: Dienst\n---\n- Jörg mag {one}\n- \u5c0f\u96e8 \u559c\u6b22 🙂 {one}\n"
        (tmp_path / f"{one}.md").write_bytes(told.encode(one))
    assert memory.import_from(tmp_path).refused == []

    texts = {one.text for one in memory.facts.list(limit=-1)}
    assert texts == {
        text
        for one in encodings
        for text in (f"Jörg mag {one}", f"\u5c0f\u96e8 \u559c\u6b22 🙂 {one}")
    }


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("note.md", "- Jörg mag Tee\n", "cp1252"),
        ("rows.csv", "text\nJörg mag Tee\n", "latin-1"),
        ("rows.jsonl", '{"text": "Jörg mag Tee"}\n', "cp1250"),
    ],
)
def test_a_text_whose_letters_would_break_is_refused(
    memory: Memory, tmp_path: Path, name: str, text: str, encoding: str
) -> None:
    (tmp_path / name).write_bytes(text.encode(encoding))

    with pytest.raises(UnusableInputError, match="neither UTF-8 nor UTF-16"):
        memory.import_from(tmp_path / name)
    assert list(memory.facts) == []


def test_a_note_in_another_encoding_does_not_keep_others_of_its_folder_out(
    memory: Memory, tmp_path: Path
) -> None:
    (tmp_path / "old.md").write_bytes("- Jörg mag Tee\n".encode("cp1252"))
    (tmp_path / "today.md").write_text("- Jörg trinkt Kaffee\n", "utf-8")
    done = memory.import_from(tmp_path)

    assert [one.where for one in done.refused] == ["old.md"]
    assert [one.text for one in memory.facts] == ["Jörg trinkt Kaffee"]


def test_boxes_come_in_as_what_is_to_be_done_and_what_is_done(
    memory: Memory, tmp_path: Path
) -> None:
    told = "# Boat\n- [ ] Paint the hull\n- [x] Buy rope\n- The hull is green\n"
    (tmp_path / "boat.md").write_text(told, "utf-8")
    memory.import_from(tmp_path)
    entries = memory.journal.of("todos").get().entries

    assert [(one.text, bool(one.done_at)) for one in entries] == [
        ("Paint the hull", False),
        ("Buy rope", True),
    ]
    assert [one.text for one in memory.facts] == ["The hull is green"]


def test_a_file_without_a_record_is_an_error(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Only a heading\n", "utf-8")
    with pytest.raises(UnusableInputError, match="no record"):
        memory.import_from(tmp_path / "notes.md")


def test_parts_know_their_headings_their_parents_and_their_boxes() -> None:
    text = (
        "# A\n## B\n- one\n  more of one\n  - [x] two\n- [ ] three\n\nlast\n"
        "```\n- code\n\n# code\n```\n"
    )
    parts = [
        (one.text, one.headings, one.parents, one.done)
        for one in note_parts(enumerate(text.splitlines(), 1))
    ]

    assert parts == [
        ("one\nmore of one", ("A", "B"), (), None),
        ("two", ("A", "B"), ("one\nmore of one",), True),
        ("three", ("A", "B"), (), False),
        ("last\n```\n- code\n\n# code\n```", ("A", "B"), (), None),
    ]


def test_front_matter_is_read_or_left_in_the_text() -> None:
    assert front_matter("---\na: [1, 2]\n---\nrest", "x") == ({"a": [1, 2]}, "rest")
    assert front_matter("---\na: b: c\n---\nrest", "x") == ({"a": "b: c"}, "rest")
    prose = "---\nThe dock is wet.\nBob knows: ask him.\n---\nrest"
    assert front_matter(prose, "x") == ({}, prose)
    assert front_matter("no front matter\n---\n", "x") == ({}, "no front matter\n---\n")


@each("yaml", ["a: &x 1", "a: !!str 1", "a: " + "[" * 2000, "a: " + "x" * 1_000_001])
def test_yaml_that_could_burst_is_refused(yaml: str) -> None:
    # What is no YAML is read by lines; it is never built into values.
    try:
        told, _ = front_matter(f"---\n{yaml}\n---\n", "x")
    except UnusableInputError:
        return
    assert isinstance(told["a"], str)


def test_prose_between_rulers_is_not_lost(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("---\nThe dock is wet today.\n---\n- Bob swims\n", "utf-8")
    memory.import_from(tmp_path)

    assert {one.text for one in memory.facts} == {"The dock is wet today.", "Bob swims"}


def test_code_that_nobody_closed_ends_with_its_item() -> None:
    told = "- one\n  ```\n  - code\n- two\n\n## Next\n\n- three"
    parts = [one.text for one in note_parts(enumerate(told.split("\n"), 1))]

    assert parts == ["one\n  ```\n  - code", "two", "three"]


def test_yaml_without_pyyaml_names_the_extra(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "plain.md").write_text(
        '---\ntitle: Tea\ntags: ["a"]\n---\nAnn likes tea\n', "utf-8"
    )
    assert memory.import_from(tmp_path / "plain.md").taken == {"fact": 1}
    (tmp_path / "list.md").write_text("---\ntags:\n- a\n---\nAnn likes rain\n", "utf-8")
    with pytest.raises(UsageError, match="PyYAML is not installed") as caught:
        memory.import_from(tmp_path / "list.md")
    assert caught.value.hint == "pip install 'memctl-engine[imports]'"
