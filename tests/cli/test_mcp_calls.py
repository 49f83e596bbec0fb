"""Calls of agents that mean less, or something else, than a careless server would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.cli.test_mcp import Talk, talking_at_home
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking_at_home(tmp_path_factory.mktemp("calls")) as opened:
        opened.store("User likes pears", userId="bob")
        opened.store("User likes plums", userId="ann", agentId="kai")
        yield opened


@each(
    ("tool", "arguments"),
    [
        ("memory_delete_all", {"confirm": True, "agentId": "kai"}),
        ("memory_delete_all", {"confirm": "yes"}),
        ("memory_delete_all", {"confirm": 1}),
        ("memory_delete", {"all": True, "confirm": True, "agentId": "kai"}),
        ("memory_delete", {"all": "false", "confirm": True}),
        ("memory_delete", {"all": 1, "confirm": True}),
    ],
)
def test_what_does_not_plainly_mean_all_forgets_nothing(
    talk: Talk, tool: str, arguments: dict[str, Any]
) -> None:
    assert talk.error(tool, **arguments) == "usage"
    assert len(talk.rows("memory_list")) == 2


def test_a_parameter_that_a_tool_does_not_have_is_refused_by_name(talk: Talk) -> None:
    said = talk.failure("memory_search", query="pears", filter={"user_id": "ann"})
    assert said["message"] == 'memory_search has no parameter "filter"'
    assert "filters" in said["hint"]


def test_forgetting_by_query_stays_with_the_user_that_is_named(talk: Talk) -> None:
    assert "Forgotten" not in talk.text("memory_delete", query="likes pears", userId="ann")
    assert len(talk.rows("memory_search", query="pears")) == 1


def test_a_wrong_type_names_the_parameter_and_nothing_of_the_server(talk: Talk) -> None:
    assert talk.failure("memory_search", query="x", categories=[5]) == {
        "error": "usage",
        "message": '"categories": Input should be a valid string',
        "hint": "see the tool's parameters",
    }


@each(
    ("tool", "arguments", "named"),
    [
        ("memory_forget", {}, "memoryId"),
        ("memory_search", {"query": "x", "asOf": "soon"}, "asOf"),
        ("memory_search", {"query": "x", "as_of": "soon"}, "asOf"),
        ("memory_store", {"text": "User owns a cat", "validFrom": "soon"}, "validFrom"),
        ("memory_store", {"text": "User owns a cat", "expiresAt": "soon"}, "expiresAt"),
        ("recall", {"query": "x", "asOf": "soon"}, "asOf"),
    ],
)
def test_a_failure_names_parameters_as_the_tools_spell_them(
    talk: Talk, tool: str, arguments: dict[str, Any], named: str
) -> None:
    told = str(talk.failure(tool, **arguments))
    assert named in told
    assert not any(name in told for name in ("memory_id", "as_of", "valid_from", "expires_at"))


def test_the_fields_of_a_filter_keep_their_names(talk: Talk) -> None:
    assert "memory_id" in talk.failure("memory_list", filters={"colour": 1})["hint"]


def test_a_filter_that_no_database_could_read_is_refused_as_one(talk: Talk) -> None:
    many = {"OR": [{"text": "*"}] * 3000}
    assert talk.error("memory_list", filters=many) == "bad_filter"
    assert len(talk.rows("memory_list")) == 2


def test_a_fact_is_filed_anew_and_its_tag_is_told(talk: Talk) -> None:
    (made,) = talk.store("User paints on Sundays", userId="eve")
    assert "(- uncategorised, " in talk.text("memory_search", query="paints")
    talk.text("memory_update", memoryId=made.id, category="preference")
    assert "(PREF preference, 85%" in talk.text("memory_search", query="paints")
    assert "(PREF, " in talk.text("recall", query="paints")
    assert talk.error("memory_update", memoryId=made.id, category="hobby") == "usage"


def test_an_agent_asks_by_any_name_and_gets_as_many_rows_as_the_setting_says(
    tmp_path: Path,
) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.aliases.add("the boss", "Priya")
        memory.facts.store("Priya's phone is a Fairphone")
        for hour in ("noon", "one", "two"):
            memory.log(f"The handover is at {hour}", speaker="Priya")
        memory.settings.set("recall_limit", 2)
    with talking_at_home(tmp_path) as talk:
        assert "Fairphone" in talk.text("memory_lookup", subject="boss")
        assert len(talk.rows("recall", query="handover", participants=["the boss"])) == 2
