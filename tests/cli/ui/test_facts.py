"""Facts on the pages: seen, corrected, forgotten, decided, and what two windows do to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.cli.ui.site import browsing, forms_of, send

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with memctl.open(home=tmp_path) as memory:
        memory.facts.store("The backup runs on the Atlas server", category="technical")
    with browsing(tmp_path) as client:
        yield client


def fact_of(home: Path) -> memctl.semantic.records.Fact:
    with memctl.open(home=home, readonly=True) as memory:
        return memory.facts.list(status="any", limit=1)[0]


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
