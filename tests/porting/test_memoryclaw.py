"""A folder of MemoryClaw comes in: episodes, facts of whom they are, what waits, aliases, skills, logs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.porting.importer import Imported

EPISODE = """---
timestamp: 2026-03-10T14:30:00Z
tags: [email, send, report]
summary: Sent the report to John: he asked for it
participants: [user, John]
confidence: high
---

## Details

- The report went to john@example.com
"""
FILES = {
    "episodes/2026-03-10_14-30-00_sent-the-report.md": EPISODE,
    "semantic/contacts.md": "# Contacts\n\n- John email: john@example.com\n",
    "semantic/projects.md": (
        "# Projects\n\n- Falcon:\n  - deadline: 2026-12-01\n\n## Heron\n- deadline: 2027-02-01\n"
        "- Osprey:\n    deadline: 2027-03-01\n    owner: Ann\n"
    ),
    "semantic/aliases.yaml": "NYC: [New York, 纽约]\nK8s: Kubernetes\n",
    "semantic/_pending.md": (
        "- John phone: 555-0100 (medium, 2026-03-10_raw.md, 2026-03-10) CONFLICT existing: 555-0199\n"
    ),
    "skills/send-report.draft.json": json.dumps(
        {
            "name": "send report",
            "status": "draft",
            "triggers": ["send the report"],
            "preconditions": {"to": {"type": "string"}},
            "steps": [{"action": "email_api", "params": {"to": "$to"}}],
            "_meta": {"note": "seen seven times"},
        }
    ),
    "logs/processed/2026-03-10_14-00-00_cli_raw.md": (
        "---\ntimestamp: 2026-03-10T14:00:00Z\nchannel: cli\nprocessed: true\n---\n"
        "### user (2026-03-10 14:00)\n\nSend the report\n### no block\n\n"
        "### assistant (2026-03-10 14:01)\n\nDone.\n"
    ),
    "config.yaml": "llm: {apiKey: none}\n",
}


def written(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "memoryclaw")


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Imported, Memory]]:
    """What an import of the folder took, and the store."""
    place = tmp_path_factory.mktemp("memoryclaw")
    with memctl.open("harbor", place / "home") as memory:
        yield memory.import_from(written(place / "memoryclaw")), memory


def test_all_of_it_is_taken(taken: tuple[Imported, Memory]) -> None:
    imported, memory = taken
    assert (imported.source, imported.refused) == ("memoryclaw", [])
    assert imported.taken == {"turn": 2, "episode": 1, "fact": 6, "alias": 3, "skill": 1}
    assert imported.remarks == ["config.yaml: it is no memory, and is left out"]
    turns = memory.turns.list(session="2026-03-10_14-00-00_cli")
    assert [(one.role, one.text, one.logged_at) for one in reversed(turns)] == [
        ("user", "Send the report\n### no block", "2026-03-10T14:00:00Z"),
        ("assistant", "Done.", "2026-03-10T14:01:00Z"),
    ]


def test_an_episode_is_read_though_a_colon_breaks_its_yaml(taken: tuple[Imported, Memory]) -> None:
    (episode,) = taken[1].episodes
    assert episode.summary == "Sent the report to John: he asked for it"
    assert episode.details == "- The report went to john@example.com"
    assert episode.tags == ("email", "send", "report")
    assert episode.participants == ("user", "John")
    assert (episode.confidence, episode.happened_at) == ("high", "2026-03-10T14:30:00Z")


def test_a_nested_field_is_of_its_project_and_what_waited_waits(
    taken: tuple[Imported, Memory],
) -> None:
    assert {
        ("Falcon", "deadline"): "2026-12-01",
        ("Heron", "deadline"): "2027-02-01",
        ("Osprey", "deadline"): "2027-03-01",
        ("Osprey", "owner"): "Ann",
    }.items() <= {(one.subject, one.attribute): one.value for one in taken[1].facts}.items()
    (waiting,) = taken[1].facts.list(status="pending")
    assert waiting.text == "John phone: 555-0100"
    assert waiting.metadata["conflict"] == "CONFLICT existing: 555-0199"


def test_a_skill_is_a_draft_that_runs_nothing(taken: tuple[Imported, Memory]) -> None:
    (skill,) = taken[1].skills.list()
    assert (skill.name, skill.status) == ("send-report", "draft")
    assert skill.triggers == ("send the report",)
    assert [(one.tool, one.detail) for one in skill.steps] == [("email_api", '{"to": "{to}"}')]


def test_a_skill_goes_out_and_comes_back_with_its_name_types_and_tool(
    memory: Memory, folder: Path, tmp_path: Path
) -> None:
    told = {
        "name": "send_email",
        "parameters": [{"name": "to", "type": "email", "required": False}],
        "steps": [{"tool": "email_api", "params": {"to": "$to", "copies": 2}}],
    }
    (folder / "skills" / "send-report.draft.json").write_text(json.dumps(told), "utf-8")
    memory.import_from(folder)
    memory.skills.approve("send_email")
    memory.export_to(tmp_path / "out", "memoryclaw")
    written = json.loads((tmp_path / "out" / "skills" / "send-email.json").read_text("utf-8"))
    assert (written["name"], written["steps"][0]["params"]["to"]) == ("send_email", "$to")

    with memctl.open("again", tmp_path / "again") as other:
        other.import_from(tmp_path / "out")
        (there,), (here,) = other.skills.list(), memory.skills.list()
    assert (there.aliases, there.specs) == (("send_email",), here.specs)
    assert [(one.tool, one.detail) for one in there.steps] == [
        ("email_api", '{"to": "{to}", "copies": 2}')
    ]


BAD_SKILLS: list[tuple[object, str]] = [
    ({"steps": [{"tool": 5}]}, "step 1, tool is no text"),
    ({"steps": [{"params": {}}]}, "step 1 names no tool"),
    ({"steps": [{"tool": "mail"}] * 201}, "steps has 201 entries"),
    ({"name": ["mail"], "steps": [{"tool": "mail"}]}, "name is no text"),
    ({"parameters": [7], "steps": [{"tool": "mail"}]}, "a parameter's name is no text"),
    ({"steps": [{"tool": "mail", "params": {"to": "http://u:p@host/"}}]}, "URL"),
]


def test_a_skill_that_does_not_fit_is_named_and_the_rest_taken(
    memory: Memory, folder: Path
) -> None:
    for number, (told, _) in enumerate(BAD_SKILLS):
        (folder / "skills" / f"bad-{number}.json").write_text(json.dumps(told), "utf-8")
    imported = memory.import_from(folder)
    whys = {one.where: one.why for one in imported.refused}
    assert len(whys) == len(BAD_SKILLS)
    assert all(why in whys[f"skills/bad-{n}.json"] for n, (_, why) in enumerate(BAD_SKILLS))
    assert (imported.taken["fact"], imported.taken["skill"]) == (6, 1)


@each(
    ("yaml", "why"),
    [
        ("a: &x [1]\nb: *x\n", "an anchor"),
        ("a: !!python/object/apply:os.system [ls]\n", "a tag"),
        ("a: [1\n", "no YAML"),
        ("- a\n- b\n", "no mapping"),
    ],
)
def test_yaml_that_is_more_than_values_is_refused_and_the_rest_taken(
    tmp_path: Path, yaml: str, why: str
) -> None:
    folder = written(tmp_path / "memoryclaw")
    (folder / "semantic" / "aliases.yaml").write_text(yaml, "utf-8")
    with memctl.open("harbor", tmp_path / "home") as memory:
        imported = memory.import_from(folder, dry_run=True)

    assert [one.where for one in imported.refused] == ["semantic/aliases.yaml"]
    assert why in imported.refused[0].why
    assert imported.taken["fact"] == 6


def test_broken_utf8_and_empty_files_lose_nothing_else(memory: Memory, folder: Path) -> None:
    (folder / "episodes" / "broken.md").write_bytes(b"---\nsummary: caf\xe9 at noon\n---\n")
    (folder / "episodes" / "empty.md").write_bytes(b"")
    imported = memory.import_from(folder)

    assert [one.where for one in imported.refused] == ["episodes/broken.md", "episodes/empty.md"]
    assert not any("caf" in one.summary for one in memory.episodes)
