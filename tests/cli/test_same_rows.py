"""One question gives the same rows in the same order, whichever face asks it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.cli.calling import memctl_process
from tests.cli.test_mcp import talking_at_home
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.test_mcp import Talk

QUESTIONS = (
    "When does the ferry of Ann leave?",
    "Which harbour did we see in May?",
    "boats and ferries",
    "What is Ann's ferry line?",
)
NAME = re.compile(r"^ *(turn:\d+|episode:\d+|f_[0-9a-f]{12})", re.MULTILINE)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faces")
    with memctl.open("agent", folder) as memory:
        for n in range(12):
            memory.log(
                f"The ferry {'leaves' if n % 3 else 'is in the harbour'} at {n} o'clock",
                speaker=("Ann", "Bo")[n % 2],
                session=f"s{n // 4}",
                logged_at=f"2026-0{5 - n // 6}-0{n % 6 + 1}",
            )
        memory.remember("We saw the harbour from the ferry", happened_at="2026-05-02")
        memory.remember("Boats were drawn all day", happened_at="2026-04-02")
        for fact in ("Ann's ferry line is Bornholm", "Bo's boat is called Saffron"):
            memory.facts.store([fact])
    return folder


@pytest.fixture(scope="module")
def talk(home: Path) -> Iterator[Talk]:
    with talking_at_home(home) as opened:
        yield opened


def in_python(home: Path, question: str, **narrowing: Any) -> list[str]:
    with memctl.open("agent", home) as memory:
        return [row.name for row in memory.recall(question, 10, **narrowing)]


def named(row: dict[str, Any]) -> str:
    return str(row["id"]) if row["kind"] == "fact" else f"{row['kind']}:{row['id']}"


@each("question", QUESTIONS)
def test_shell_and_json_and_mcp_give_the_rows_of_python(
    home: Path, talk: Talk, question: str
) -> None:
    rows = in_python(home, question)
    assert rows
    words = ("recall", question, "--limit", 10)
    table = memctl_process("--home", home, *map(str, words)).out.partition("\n\n")[0]
    assert NAME.findall(table) == rows
    shell = memctl_process("--home", home, "--json", *map(str, words)).data
    assert [named(row) for row in shell] == rows
    mcp = talk.rows("recall", query=question, limit=10)
    assert [named(row._asdict()) for row in mcp] == rows


@each("question", QUESTIONS)
def test_facts_come_in_one_order_for_a_search_and_a_recall(
    home: Path, talk: Talk, question: str
) -> None:
    recalled = in_python(home, question, kinds=["fact"], min_worth=0)
    with memctl.open("agent", home) as memory:
        assert [hit.fact.id for hit in memory.facts.search(question, limit=10)] == recalled
    found = talk.rows("memory_search", query=question, limit=10)
    assert [fact.id for fact in found] == recalled
