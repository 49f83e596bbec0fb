"""Turns, episodes, recall and settings on the pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.ui.site import browsing, forms_of, send

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient


@pytest.fixture
def client(home: Path) -> TestClient:
    with memctl.open(home=home) as memory:
        memory.turns.add_many(
            {"text": f"Pump {n} is loud", "session": "hall", "logged_at": f"2026-11-{n:02}"}
            for n in range(1, 29)
        )
        memory.turns.add_many(
            {"text": f"Crane {n} is slow", "session": "quay", "logged_at": f"2026-10-{n:02}"}
            for n in range(1, 31)
        )
        memory.remember("We closed hall 4", tags=["hall"], happened_at="2026-10-15T12:00:00Z")
    return browsing(home)


def rows_of(text: str) -> list[str]:
    return re.findall(r"<li data-row>\s*<a href=\"[^\"]*\">([^<]*)</a>", text)


def test_the_timeline_goes_on_where_the_page_before_has_ended(client: TestClient) -> None:
    page = client.get("/agent/timeline")
    rows = rows_of(page.text)
    while more := re.search(r'href="([^"]*)" rel="next"', page.text):
        page = client.get(more[1].replace("&amp;", "&"))
        rows += rows_of(page.text)
    assert len(rows) == len(set(rows)) == 59
    assert rows[0] == "Pump 28 is loud"
    assert rows.index("We closed hall 4") == rows.index("Crane 15 is slow") - 1
    assert len(rows_of(client.get("/agent/timeline?thread=hall&kind=turn").text)) == 28


def test_a_turn_is_archived_and_comes_back(client: TestClient) -> None:
    page = client.get("/agent/turns/1")
    done = send(client, page, "/agent/turns/1/archive")
    assert rows_of(client.get("/agent/timeline?archived=1").text) == ["Pump 1 is loud"]
    send(client, done, "/agent/turns/1/restore")
    assert rows_of(client.get("/agent/timeline?archived=1").text) == []


def test_an_episode_is_corrected_undone_and_forgotten(client: TestClient, home: Path) -> None:
    page = client.get("/agent/episodes/59")
    path = "/agent/episodes/59/correct"
    done = send(client, page, path, summary="We closed hall 5", tags="hall, five")
    late = send(client, page, path, summary="We closed hall 6")
    assert late.status_code == 409
    with memctl.open(home=home) as memory:
        assert memory.episodes.get(59).summary == "We closed hall 5"
        assert memory.episodes.get(59).tags == ("hall", "five")
        undo = re.findall(r'name="(\w+)" value="([^"]*)"', done.text.partition("<main")[0])
        client.post(path, data=dict(undo))
        assert memory.episodes.get(59).summary == "We closed hall 4"
        send(client, client.get("/agent/episodes/59"), "/agent/episodes/59/forget")
        assert len(memory.episodes) == 0


def test_a_turn_is_erased_only_where_that_is_confirmed(client: TestClient) -> None:
    page = client.get("/agent/erase/turn:1")
    assert "log" in page.text
    assert send(client, page, "/agent/erase/turn:1").status_code == 403
    assert client.get("/agent/turns/1").status_code == 200
    assert "Erased turn:1" in send(client, page, "/agent/erase/turn:1", confirm="turn:1").text
    assert client.get("/agent/turns/1").status_code == 404
    assert client.get("/agent/erase/turn:1").status_code == 404


def test_recall_gives_its_reasons_and_why_another_row_is_not_there(
    client: TestClient, home: Path
) -> None:
    page = client.get("/agent/recall", params={"q": "which pump is loud?", "row": "episode:59"})
    assert page.status_code == 200
    assert "word:pump" in page.text
    assert "Why episode:59" in page.text
    wrong = client.get("/agent/recall", params={"q": "which pump is loud?", "row": "episode"})
    assert wrong.status_code == 400
    assert "word:pump" in wrong.text
    with memctl.open(home=home) as memory:
        assert len(memory.recalls) == 0


def test_a_setting_is_kept_a_bad_value_refused_and_the_change_undone(
    client: TestClient, home: Path
) -> None:
    path = "/agent/settings/recall_limit"
    page = client.get(path)
    bad = send(client, page, path, value="many")
    assert bad.status_code == 400
    assert "a whole number" in bad.text
    assert 'value="many"' in bad.text
    done = send(client, page, path, value="7")
    assert "recall_limit is 7 now (store)" in done.text
    assert send(client, page, path, value="8").status_code == 409
    client.post(path, data={**forms_of(done)[path], "unset": "1"})
    with memctl.open(home=home) as memory:
        assert memory.settings.describe("recall_limit").source == "default"
    assert client.get("/agent/settings/no_such").status_code == 404
    assert "recall_limit" in client.get("/agent/settings?q=RECALL_lim").text
