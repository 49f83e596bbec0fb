"""A journal's Markdown parses back to the entries that it was made of, whatever they say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UnusableInputError
from memctl.working.entries import DONE_KINDS, KINDS, JournalEntry, JournalState
from memctl.working.markdown import as_markdown, from_markdown

TIMES = st.sampled_from(["2026-11-20T12:00:00Z", "2026-11-21T00:00:00Z"])
# As the door leaves them: no control characters but tab and newline, no lone surrogates.
TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\t\n")).map(
    str.strip
)


@st.composite
def entries(draw: st.DrawFn) -> JournalEntry:
    kind = draw(st.sampled_from(KINDS))
    done = draw(st.none() | TIMES) if kind in DONE_KINDS else None
    name = draw(TEXTS.map(lambda text: text.replace("\n", " ")).filter(bool))
    text = draw(TEXTS.filter(bool))
    return JournalEntry(kind, text, name if kind == "context" else "", draw(TIMES), done)


def by_kind(given_entries: tuple[JournalEntry, ...]) -> dict[str, list[JournalEntry]]:
    return {kind: [e for e in given_entries if e.kind == kind] for kind in KINDS}


@given(
    st.lists(entries(), max_size=8),
    st.sampled_from(["s1", "agent:main:x"]),
    st.sampled_from(["", "chat"]),
)
def test_what_is_printed_parses_back(
    written: list[JournalEntry], session: str, channel: str
) -> None:
    state = JournalState(session, channel, tuple(written))
    again = from_markdown(as_markdown(state))
    assert (again.session, again.channel) == (session, channel)
    assert by_kind(again.entries) == by_kind(tuple(replace(e, id=0) for e in written))


def test_all_five_sections_stand_there_also_when_empty() -> None:
    titles = [line for line in as_markdown(JournalState("s1")).splitlines() if line[:2] == "##"]
    assert titles == [
        "## Current Task",
        "## Key Context",
        "## Recent Decisions",
        "## Pending Actions",
        "## Blockers",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), ("# Session s1\n\nprose", 3), ("# Session s1\n- [?] to do: x", 2)],
)
def test_a_line_that_is_none_of_a_journal_is_named(text: str, line: int) -> None:
    with pytest.raises(UnusableInputError, match=f"line {line} "):
        from_markdown(text)
