"""Facts on the pages: seen, corrected, forgotten, decided, and what two windows do to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.ui.site import browsing, forms_of, send

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    with memctl.open(home=tmp_path) as memory:
        memory.facts.store("The backup runs on the Atlas server", category="technical")
    return browsing(tmp_path)


def fact_of(home: Path) -> memctl.semantic.records.Fact:
    with memctl.open(home=home, readonly=True) as memory:
        return memory.facts.list(filters={"category": "technical"})[0]


def test_a_corrected_fact_is_stored_and_undone(client: TestClient, tmp_path: Path) -> None:
    fact = fact_of(tmp_path)
    page = client.get(f"/agent/facts/{fact.id}")
    path = f"/agent/facts/{fact.id}/correct"
    done = send(client, page, path, text="The backup runs on the Borealis server")
    assert fact_of(tmp_path).text == "The backup runs on the Borealis server"
    assert "Corrected: The backup runs on the Borealis server" in done.text
    undone = client.post(path, data={**forms_of(done)[path], "text": fact.text})
    assert undone.status_code == 200
    assert fact_of(tmp_path).text == fact.text


def test_the_second_window_is_told_and_overwrites_nothing(
    client: TestClient, tmp_path: Path
) -> None:
    fact = fact_of(tmp_path)
    path = f"/agent/facts/{fact.id}/correct"
    first, second = (client.get(f"/agent/facts/{fact.id}") for _ in range(2))
    send(client, first, path, text="The backup runs on the Borealis server")
    late = send(client, second, path, text="The backup runs on the Comet server")
    assert late.status_code == 409
    assert "changed meanwhile" in late.text
    assert "Borealis" in late.text
    assert "Comet" in late.text
    assert fact_of(tmp_path).text == "The backup runs on the Borealis server"
    send(client, late, path)
    assert fact_of(tmp_path).text == "The backup runs on the Comet server"


def test_a_forgotten_fact_leaves_the_list_and_is_brought_back(
    client: TestClient, tmp_path: Path
) -> None:
    fact = fact_of(tmp_path)
    page = client.get("/agent/facts")
    done = send(client, page, f"/agent/facts/{fact.id}/forget")
    assert "Forgotten: The backup" in done.text
    assert "No fact." in done.text
    back = send(client, done, f"/agent/facts/{fact.id}/restore")
    assert "Restored" in back.text
    assert fact_of(tmp_path).status == "active"
    form = forms_of(page)[f"/agent/facts/{fact.id}/forget"]
    assert client.post(f"/agent/facts/{fact.id}/shout", data=form).status_code == 404


def test_both_sides_of_a_pair_are_shown_and_the_waiting_one_replaces(
    client: TestClient, tmp_path: Path
) -> None:
    with memctl.open(home=tmp_path) as memory:
        home = {"subject": "Ann", "attribute": "home"}
        old = memory.facts.store([{**home, "value": "Porto"}]).ids[0]
        memory.facts.store([{**home, "value": "Lisbon"}], confidence="low")
        memory.facts.store("The Falcon deadline is 2026-12-01")
        memory.facts.store("The Falcon deadline is 2026-12-15", confidence="low")
    page = client.get("/agent/waiting")
    for side in ("Lisbon", "Porto", "2026-12-15", "2026-12-01"):
        assert side in page.text
    first, second = (path for path in forms_of(page) if path.endswith("/approve"))
    for path in (first, second):
        page = send(client, page, path)
        assert "Approved" in page.text
    assert "Nothing waits." in page.text
    with memctl.open(home=tmp_path) as memory:
        assert memory.facts.get(old).status == "superseded"
        assert len(memory.facts) == 4


def test_what_the_engine_refuses_is_told_and_stays_typed(
    client: TestClient, tmp_path: Path
) -> None:
    fact = fact_of(tmp_path)
    path = f"/agent/facts/{fact.id}/correct"
    page = client.get(f"/agent/facts/{fact.id}")
    secret = send(client, page, path, text="The password of the backup is hunter2-Xy9!")
    assert secret.status_code == 403
    assert "looks like a secret" in secret.text
    bad = send(client, page, path, importance="much")
    assert bad.status_code == 400
    assert 'value="much"' in bad.text
    assert fact_of(tmp_path) == fact


def test_a_correction_of_an_immutable_fact_waits_beside_it(
    client: TestClient, tmp_path: Path
) -> None:
    with memctl.open(home=tmp_path) as memory:
        name = memory.facts.store("The user's name is Ada", category="identity").ids[0]
    page = client.get(f"/agent/facts/{name}")
    waits = send(client, page, f"/agent/facts/{name}/correct", text="The user's name is Ada Berg")
    assert "name is Ada Berg" in waits.text
    (path,) = (path for path in forms_of(waits) if path.endswith("/approve"))
    send(client, waits, path)
    with memctl.open(home=tmp_path) as memory:
        assert memory.facts.get(name).status == "superseded"


def test_looking_at_a_fact_is_no_use_of_it(client: TestClient, tmp_path: Path) -> None:
    fact = fact_of(tmp_path)
    for path in ("facts", f"facts/{fact.id}", "facts?q=backup", "waiting", ""):
        assert client.get(f"/agent/{path}").status_code == 200
    with memctl.open(home=tmp_path) as memory:
        assert memory.store.value("select count(*) from fact_use") == 0


def test_a_long_list_of_facts_goes_on_while_others_write(
    client: TestClient, tmp_path: Path
) -> None:
    with memctl.open(home=tmp_path) as memory:
        for start in (0, 40):
            memory.facts.store([f"Part {n} lies in shelf {n}" for n in range(start, start + 40)])
        page = memory.facts.list(after="", limit=50)
        memory.facts.pin(page[-1].id)
        rest = memory.facts.list(after=page.next_after, limit=50)
        assert len({fact.id for fact in [*page, *rest]}) == 81
        assert rest.next_after is None
    assert client.get("/agent/facts").text.count("data-row") == 50
