"""A journal's Markdown has five sections, and says each entry in the one of its kind."""

from __future__ import annotations

from memctl.working.entries import JournalEntry, JournalState, as_markdown

AT = "2026-11-20T12:00:00Z"


def test_an_entry_stands_in_the_section_of_its_kind() -> None:
    state = JournalState(
        "s1",
        "chat",
        (
            JournalEntry("context", "at dock four\nbehind it", "crane *2*", AT),
            JournalEntry("pending", "\u7ed9\u5b89\u5a1c\u5199\u4fe1 🙂", "", AT, AT),
        ),
    )
    told = as_markdown(state)

    assert told.startswith("# Session s1 in chat\n")
    assert f"## Key Context\n\n- **crane \\*2\\*** ({AT}): at dock four\n  behind it\n" in told
    assert f"- [x] to do ({AT}, done {AT}): \u7ed9\u5b89\u5a1c\u5199\u4fe1 🙂\n" in told


def test_all_five_sections_stand_there_also_when_empty() -> None:
    titles = [line for line in as_markdown(JournalState("s1")).splitlines() if line[:2] == "##"]
    assert titles == [
        "## Current Task",
        "## Key Context",
        "## Recent Decisions",
        "## Pending Actions",
        "## Blockers",
    ]
