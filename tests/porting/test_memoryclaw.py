"""A folder of MemoryClaw comes in: episodes, facts of whom they are, what waits, aliases, skills, logs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "memoryclaw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "memoryclaw"


def test_all_of_it_is_taken(memory: Memory, folder: Path) -> None:
    imported = memory.import_from(folder)

    assert imported.source == "memoryclaw"
    assert imported.refused == []
    assert imported.taken == {"turn": 2, "episode": 1, "fact": 6, "alias": 3, "skill": 1}
    assert imported.remarks == ["config.yaml: it is no memory, and is left out"]


def test_an_episode_is_read_though_a_colon_breaks_its_yaml(memory: Memory, folder: Path) -> None:
    memory.import_from(folder)
    (episode,) = memory.episodes

    assert episode.summary == "Sent the report to John: he asked for it"
    assert episode.details == "- The report went to john@example.com"
    assert episode.tags == ("email", "send", "report")
    assert episode.participants == ("user", "John")
    assert (episode.confidence, episode.happened_at) == ("high", "2026-03-10T14:30:00Z")


def test_a_nested_field_is_of_its_project_alone(memory: Memory, folder: Path) -> None:
    memory.import_from(folder)
    found = {(one.subject, one.attribute): one.value for one in memory.facts}

    assert found[("Falcon", "deadline")] == "2026-12-01"
    assert found[("Heron", "deadline")] == "2027-02-01"
    assert found[("Osprey", "deadline")] == "2027-03-01"
    assert found[("Osprey", "owner")] == "Ann"


def test_what_waited_there_waits_here(memory: Memory, folder: Path) -> None:
    memory.import_from(folder)
    (waiting,) = memory.facts.list(status="pending")

    assert waiting.text == "John phone: 555-0100"
    assert waiting.metadata["conflict"] == "CONFLICT existing: 555-0199"


def test_a_log_becomes_the_turns_of_a_thread(memory: Memory, folder: Path) -> None:
    memory.import_from(folder)
    turns = memory.turns.list(session="2026-03-10_14-00-00_cli")

    assert [(one.role, one.text, one.logged_at) for one in reversed(turns)] == [
        ("user", "Send the report\n### no block", "2026-03-10T14:00:00Z"),
        ("assistant", "Done.", "2026-03-10T14:01:00Z"),
    ]


def test_a_skill_is_a_draft_that_runs_nothing(memory: Memory, folder: Path) -> None:
    memory.import_from(folder)
    (skill,) = memory.skills.list()

    assert (skill.name, skill.status, skill.triggers) == (
        "send-report",
        "draft",
        ("send the report",),
    )
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


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"steps": [{"tool": 5}]}, "step 1, tool is no text"),
        ({"steps": [{"params": {}}]}, "step 1 names no tool"),
        ({"steps": [{"tool": "mail"}] * 201}, "steps has 201 entries"),
        ({"name": ["mail"], "steps": [{"tool": "mail"}]}, "name is no text"),
        ({"parameters": [7], "steps": [{"tool": "mail"}]}, "a parameter's name is no text"),
        ({"steps": [{"tool": "mail", "params": {"to": "http://u:p@host/"}}]}, "URL"),
    ],
)
def test_a_skill_that_does_not_fit_is_named_and_the_rest_taken(
    memory: Memory, folder: Path, told: object, why: str
) -> None:
    (folder / "skills" / "send-report.draft.json").write_text(json.dumps(told), "utf-8")
    imported = memory.import_from(folder)
    (refused,) = imported.refused
    assert (refused.where, why in refused.why) == ("skills/send-report.draft.json", True)
    assert imported.taken["fact"] == 6


@pytest.mark.parametrize(
    ("yaml", "why"),
    [
        ("a: &x [1]\nb: *x\n", "an anchor"),
        ("a: !!python/object/apply:os.system [ls]\n", "a tag"),
        ("a: [1\n", "no YAML"),
        ("- a\n- b\n", "no mapping"),
    ],
)
def test_yaml_that_is_more_than_values_is_refused_and_the_rest_taken(
    memory: Memory, folder: Path, yaml: str, why: str
) -> None:
    (folder / "semantic" / "aliases.yaml").write_text(yaml, "utf-8")
    imported = memory.import_from(folder)

    assert [one.where for one in imported.refused] == ["semantic/aliases.yaml"]
    assert why in imported.refused[0].why
    assert imported.taken["fact"] == 6


def test_broken_utf8_and_empty_files_lose_nothing_else(memory: Memory, folder: Path) -> None:
    (folder / "episodes" / "broken.md").write_bytes(b"---\nsummary: caf\xe9 at noon\n---\n")
    (folder / "episodes" / "empty.md").write_bytes(b"")
    imported = memory.import_from(folder)

    assert [one.where for one in imported.refused] == ["episodes/broken.md", "episodes/empty.md"]
    assert not any("caf" in one.summary for one in memory.episodes)
