"""Vectors of an endpoint: asked where words bring nothing; never a failure of recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import RefusedError, UsageError
from memctl.endpoint.endpoint import Endpoint
from memctl.search.vectors.embed import Embedder
from tests.endpoint.model_server import ModelServer, embedded, hanging, send

if TYPE_CHECKING:
    from memctl.memory import Memory


@pytest.fixture
def coloured(memory: Memory, server: ModelServer) -> Memory:
    server.answer = embedded
    memory.settings.set("fallback", "endpoint")
    memory.settings.set("endpoint_embedding_model", "colours")
    memory.log("The red lighthouse stands on Bornholm")
    memory.log("Green hills lie behind the harbour")
    return memory


def test_a_question_without_known_words_finds_the_nearest_row(coloured: Memory) -> None:
    found = coloured.recall("something reddish")
    assert (found[0].text.split()[1], found[0].fallback) == ("red", True)
    assert coloured.reembed().model == "endpoint:colours"


def test_another_model_behind_the_same_name_is_refused_until_reembedded(
    coloured: Memory, server: ModelServer
) -> None:
    coloured.recall("something reddish")

    def other(handler: Any, asked: dict[str, Any]) -> None:
        rows = [{"index": n, "embedding": [1.0, -n]} for n in range(len(asked["input"]))]
        send(handler, {"data": rows})

    server.answer = other
    with pytest.raises(RefusedError, match="vectors of this store"):
        Embedder(coloured.store, coloured.settings).ready()
    assert "memctl reembed" in coloured.recall("something reddish").waiting
    assert coloured.reembed().dims == 2


@pytest.mark.parametrize(
    "body",
    [
        {"data": []},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        {"data": [{"index": 0, "embedding": [float("nan")]}]},
        {"error": "no such model"},
    ],
)
def test_an_endpoint_that_gives_no_vectors_leaves_the_keyword_answer(
    coloured: Memory, server: ModelServer, body: Any
) -> None:
    server.answer = lambda handler, _: send(handler, body)
    found = coloured.recall("Which lighthouse is it?")
    assert "lighthouse" in found[0].text
    assert "the fallback was not asked" in found.waiting


def test_a_late_endpoint_is_left_alone_by_recall_too(coloured: Memory, server: ModelServer) -> None:
    server.answer = hanging(server)
    coloured.settings.set("endpoint_timeout_seconds", 0.25)
    notes = [coloured.recall("Which lighthouse is it?").waiting for _ in range(4)]
    assert ["no answer within" in note for note in notes] == [True, True, True, False]
    assert "left alone" in notes[3]


def test_a_secret_of_a_row_is_masked_before_it_is_sent(
    coloured: Memory, server: ModelServer
) -> None:
    coloured.log("The badge is BX-4711")
    coloured.settings.set("secret_patterns", r"BX-\d{4}")
    coloured.recall("something reddish")
    sent = str([asked["input"] for asked in server.asked])
    assert "badge" in sent
    assert "4711" not in sent


def test_vectors_without_a_named_model_are_refused(memory: Memory) -> None:
    memory.settings.set("fallback", "endpoint")
    with pytest.raises(UsageError, match="no model of vectors"):
        memory.reembed()


def test_many_texts_are_several_requests(coloured: Memory, server: ModelServer) -> None:
    texts = [f"red {n}" for n in range(40)]
    vectors = Endpoint(coloured.store, coloured.settings).embed(texts)
    assert [len(asked["input"]) for asked in server.asked] == [32, 8]
    assert len(vectors) == 40


@pytest.mark.parametrize(
    ("vectors", "said"),
    [([[1.0, 2.0]], "2 numbers now, 3 before"), ([[1e308, 1e308, 1e308]], "is no vector")],
)
def test_a_vector_of_another_length_or_of_no_length_leaves_the_keyword_answer(
    coloured: Memory, server: ModelServer, vectors: list[list[float]], said: str
) -> None:
    coloured.recall("something reddish")

    def strange(handler: Any, asked: dict[str, Any]) -> None:
        known = asked["input"] != ["Which lighthouse is it?"]
        if known:
            send(handler, {"data": embedded(handler, asked)})
        else:
            send(handler, {"data": [{"index": 0, "embedding": vectors[0]}]})

    server.answer = strange
    found = coloured.recall("Which lighthouse is it?")
    assert "lighthouse" in found[0].text
    assert said in found.waiting
