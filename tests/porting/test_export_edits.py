"""An edited export, imported again, changes exactly what was edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.porting.importer import Imported

    Edit = Callable[[str, str, str], Imported]


@pytest.fixture
def tea(memory: Memory) -> str:
    memory.facts.store("Bob likes coffee", category="preference")
    memory.remember("Sent the report to Bob", "by e-mail", ("email",))
    memory.log("hello")
    return memory.facts.store("Ann likes tea", category="preference").ids[0]


@pytest.fixture
def edit(memory: Memory, tea: str, tmp_path: Path) -> Edit:
    assert tea
    memory.export_to(tmp_path / "out")

    def edited(pattern: str, old: str, new: str) -> Imported:
        (file,) = (tmp_path / "out").glob(pattern)
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")
        return memory.import_from(tmp_path / "out")

    return edited


def test_an_edited_text_updates_the_fact_and_history_keeps_the_old_one(
    memory: Memory, tea: str, edit: Edit
) -> None:
    imported = edit("facts/preference.md", "---\nAnn likes tea", "---\nAnn likes white tea")

    assert imported.taken == {"changed fact": 1}
    assert memory.facts.get(tea).text == "Ann likes white tea"
    changes = [(one.event, one.old_text) for one in memory.facts.history(tea)]
    assert changes == [("ADD", None), ("UPDATE", "Ann likes tea")]


def test_a_word_that_is_replaced_in_a_whole_file_changes_what_the_text_says(
    memory: Memory, tmp_path: Path
) -> None:
    ann = memory.facts.store("Ann's timezone is Europe/Lisbon").ids[0]
    memory.export_to(tmp_path / "out")
    for file in (tmp_path / "out" / "facts").iterdir():
        file.write_text(file.read_text("utf-8").replace("Lisbon", "Porto"), "utf-8")
    assert memory.import_from(tmp_path / "out").taken == {"changed fact": 1}
    changed = memory.facts.get(ann)
    assert (changed.text, changed.value) == ("Ann's timezone is Europe/Porto", "Europe/Porto")
    assert memory.facts.history(ann)[0].new_text == "Ann's timezone is Europe/Lisbon"


def test_importing_an_edit_twice_changes_it_once(
    memory: Memory, tea: str, edit: Edit, tmp_path: Path
) -> None:
    edit("facts/preference.md", "---\nAnn likes tea", "---\nAnn likes white tea")
    again = memory.import_from(tmp_path / "out")

    assert (again.written, again.refused) == (0, [])
    assert len(memory.facts.history(tea)) == 2


def test_what_was_not_edited_stays_though_it_has_changed_here(
    memory: Memory, tea: str, edit: Edit
) -> None:
    memory.facts.update(tea, "Ann likes black tea")
    edit("facts/preference.md", "---\nBob likes coffee", "---\nBob likes strong coffee")

    texts = {fact.text for fact in memory.facts}
    assert texts == {"Ann likes black tea", "Bob likes strong coffee"}


def test_what_was_edited_at_both_ends_is_refused(memory: Memory, tea: str, edit: Edit) -> None:
    memory.facts.update(tea, "Ann likes black tea")
    imported = edit("facts/preference.md", "---\nAnn likes tea", "---\nAnn likes white tea")

    assert imported.written == 0
    assert "changed here since" in imported.refused[0].why
    assert memory.facts.get(tea).text == "Ann likes black tea"


def test_a_text_without_properties_is_a_new_fact_of_its_file_s_category(
    memory: Memory, edit: Edit
) -> None:
    new = "Ann likes tea\n\n---\n---\nCarla likes rain\n"
    imported = edit("facts/preference.md", "---\nAnn likes tea\n", f"---\n{new}")
    (fact,) = [one for one in memory.facts if one.text == "Carla likes rain"]

    assert imported.taken == {"fact": 1}
    assert fact.category == "preference"


@pytest.mark.parametrize(
    ("old", "new", "name", "value"),
    [
        ("importance: 0.85", "importance: 0.5", "importance", 0.5),
        ("category: preference", "category: rule", "category", "rule"),
        ("category:", "pinned: true\ncategory:", "pinned", True),
        ("category:", "status: 'forgotten'  # by hand\ncategory:", "status", "forgotten"),
        ("category:", "metadata:\n  a: 1\ncategory:", "metadata", {"a": 1}),
        ("category:", "expires_at: 2030-01-02\ncategory:", "expires_at", "2030-01-02T00:00:00Z"),
    ],
)
def test_properties_are_edited_as_yaml(
    memory: Memory, edit: Edit, old: str, new: str, name: str, value: object
) -> None:
    imported = edit("facts/preference.md", old, new)
    (fact,) = [one for one in memory.facts.list(status="any") if "coffee" in one.text]

    assert imported.taken == {"changed fact": 1}
    assert getattr(fact, name) == value


def test_an_episode_s_words_are_edited_and_found(memory: Memory, edit: Edit) -> None:
    imported = edit("episodes/*.md", "Sent the report", "Sent the invoice")

    assert imported.taken == {"changed episode": 1}
    (found,) = memory.recall("invoice")
    assert found.text.startswith("Sent the invoice")
    assert memory.episodes.get(int(found.id)).details == "by e-mail"


def test_a_turn_is_what_was_said_and_is_not_edited(memory: Memory, edit: Edit) -> None:
    imported = edit("turns/*.md", "---\nhello", "---\ngoodbye")

    assert imported.written == 0
    assert 'of turn "' in imported.refused[0].why
    assert [one.text for one in memory.turns.list()] == ["hello"]


def test_a_line_that_is_gone_is_forgotten_only_when_asked(
    memory: Memory, tea: str, tmp_path: Path
) -> None:
    memory.export_to(tmp_path / "out")
    file = tmp_path / "out" / "facts" / "preference.md"
    text = file.read_text("utf-8")
    file.write_text(text[: text.index("\n---\nid: " + tea)], "utf-8")
    kept = memory.import_from(tmp_path / "out")

    assert kept.written == 0
    assert "--prune" in kept.remarks[0]
    assert memory.facts.get(tea).status == "active"

    pruned = memory.import_from(tmp_path / "out", options={"prune": True})

    assert pruned.taken == {"forgotten fact": 1}
    assert memory.facts.get(tea).status == "forgotten"
    assert memory.import_from(tmp_path / "out", options={"prune": True}).written == 0


def test_a_ruler_in_a_text_is_named_and_nothing_is_pruned_meanwhile(
    memory: Memory, edit: Edit, tmp_path: Path
) -> None:
    imported = edit(
        "facts/preference.md", "Ann likes tea\n", "Ann likes tea\n\n---\n\nand said so to Bob\n"
    )

    assert "write *** instead" in imported.refused[0].why
    pruned = memory.import_from(tmp_path / "out", options={"prune": True})
    assert pruned.written == 0
    assert {fact.text for fact in memory.facts} == {"Ann likes tea", "Bob likes coffee"}


def test_yaml_that_stands_for_something_else_is_refused(memory: Memory, edit: Edit) -> None:
    imported = edit("facts/preference.md", "category: preference", "category: &one rule")

    assert "holds an anchor" in imported.refused[0].why
    assert {fact.category for fact in memory.facts} == {"preference"}


def test_a_copied_item_with_the_id_of_another_is_refused(
    memory: Memory, tea: str, edit: Edit, tmp_path: Path
) -> None:
    file = tmp_path / "out" / "facts" / "preference.md"
    text = file.read_text("utf-8")
    copied = text[text.index("---\nid: " + tea) :].replace("\nAnn likes tea", "\nAnn likes rain")
    imported = edit("facts/preference.md", text, f"{text}\n{copied}")

    assert "stands twice" in imported.refused[0].why
    assert memory.facts.get(tea).text == "Ann likes tea"


def test_an_edited_id_is_refused_and_nothing_is_lost_by_it(
    memory: Memory, tea: str, edit: Edit, tmp_path: Path
) -> None:
    edit("facts/preference.md", tea, "f_000000000001")
    pruned = memory.import_from(tmp_path / "out", options={"prune": True})

    assert "is no id of this export" in pruned.refused[0].why
    assert memory.facts.get(tea).status == "active"


def test_files_of_an_export_without_its_manifest_are_no_notes(
    memory: Memory, tea: str, edit: Edit, tmp_path: Path
) -> None:
    assert edit("facts/preference.md", "---\nAnn likes tea", "---\nAnn likes tea").known > 0
    (tmp_path / "out" / "memctl-export.jsonl").unlink()
    imported = memory.import_from(tmp_path / "out", "markdown")

    assert imported.written == 0
    assert "memctl-export.jsonl" in imported.refused[0].why
    assert memory.facts.get(tea).text == "Ann likes tea"
