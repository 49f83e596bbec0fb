"""Calls of agents that mean less, or something else, than a careless server would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.cli.test_mcp import Talk, talking_at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking_at_home(tmp_path_factory.mktemp("calls")) as opened:
        opened.data("memory_store", text="User likes pears", userId="bob")
        opened.data("memory_store", text="User likes plums", userId="ann", agentId="kai")
        yield opened


@pytest.mark.parametrize(
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
    assert talk.data("memory_list")["count"] == 2


def test_a_parameter_that_a_tool_does_not_have_is_refused_by_name(talk: Talk) -> None:
    said = talk.call("memory_search", query="pears", filter={"user_id": "ann"})
    assert said.structured_content is not None
    assert said.structured_content["message"] == 'memory_search has no parameter "filter"'
    assert "filters" in said.structured_content["hint"]


def test_forgetting_by_query_stays_with_the_user_that_is_named(talk: Talk) -> None:
    assert talk.data("memory_delete", query="likes pears", userId="ann").get("deleted") is None
    assert talk.data("memory_search", query="pears")["count"] == 1


def test_a_wrong_type_names_the_parameter_and_nothing_of_the_server(talk: Talk) -> None:
    assert talk.call("memory_store", facts=[5]).structured_content == {
        "error": "usage",
        "message": '"facts": Input should be a valid string, or Input should be a valid dictionary',
        "hint": "see the tool's parameters",
    }


def test_a_filter_that_no_database_could_read_is_refused_as_one(talk: Talk) -> None:
    many = {"OR": [{"text": "*"}] * 3000}
    assert talk.error("memory_list", filters=many) == "bad_filter"
    assert talk.data("memory_list")["count"] == 2


def test_a_turn_as_long_as_a_log_file_does_not_flood_the_answer(tmp_path: Path) -> None:
    with memctl.open(home=tmp_path) as memory:
        memory.log("harbour " + "noise " * 100_000)
        memory.remember("The harbour was closed", details="fog " * 100_000)
    with talking_at_home(tmp_path) as talk:
        answer = talk.call("recall", query="harbour")
    assert len(str(answer)) < 30_000
    assert "more characters)" in str(answer.content)
