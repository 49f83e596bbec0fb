"""Plain Markdown comes in: items and paragraphs as facts, those of a day as what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError
from memctl.porting.front_matter import front_matter
from memctl.porting.note_lines import note_parts

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
    assert front_matter("no front matter\n---\n", "x") == ({}, "no front matter\n---\n")


@pytest.mark.parametrize(
    "yaml", ["a: &x 1", "a: !!str 1", "a: " + "[" * 5000, "a: " + "x" * 1_000_001]
)
def test_yaml_that_could_burst_is_refused(yaml: str) -> None:
    # What is no YAML is read by lines; it is never built into values.
    try:
        told, _ = front_matter(f"---\n{yaml}\n---\n", "x")
    except UnusableInputError:
        return
    assert isinstance(told["a"], str)


def test_code_that_nobody_closed_ends_with_its_item() -> None:
    told = "- one\n  ```\n  - code\n- two\n\n## Next\n\n- three"
    parts = [one.text for one in note_parts(enumerate(told.split("\n"), 1))]

    assert parts == ["one\n  ```\n  - code", "two", "three"]
