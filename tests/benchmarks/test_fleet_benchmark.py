"""The benchmark of many stores runs small: every pass does all stores, and no kill changes one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.fleet.__main__ import PARTS, main
from benchmarks.fleet.generating import drawn, generate
from memctl.fleet import run

if TYPE_CHECKING:
    from pathlib import Path

_SMALL = (
    *("--stores", "5", "--questions", "2", "--large", "1", "--rows", "40"),
    *("--kills", "1", "--killed-stores", "4", "--tasks", "64", "--seed", "4"),
)


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("figures")
    main([*_SMALL, "--out", str(folder)])
    kept: dict[str, Any] = json.loads((folder / "fleet.json").read_text("utf-8"))["figures"]
    return kept


def test_every_part_is_measured_and_kept(figures: dict[str, Any]) -> None:
    assert set(figures) == set(PARTS)
    ways = {one["way"] for one in figures["rates"]["passes"]}
    assert ways == {"plain", "jobs", "Dask"}
    assert all(one["stores"] == 5 and one["cpu"] > 0 for one in figures["rates"]["passes"])
    assert figures["rates"]["routed"]["right"] == 2
    assert [run["stores"] for run in figures["beyond"]] == [64, 6]
    assert all(cell for row in figures["costs"] for cell in row[:1])


def test_killed_workers_change_no_store(figures: dict[str, Any]) -> None:
    for killed in figures["kills"]["runs"]:
        assert (killed["done"], killed["other"], killed["broken"]) == (4, 0, 0)


def test_a_generated_fleet_is_varied_sound_and_the_same_for_a_seed(tmp_path: Path) -> None:
    fleet = drawn(300)
    assert fleet == drawn(300)
    assert fleet != drawn(300, seed=2)
    assert {"empty", "screens", "en 40", "ja 8 erased"} <= {store.kind for store in fleet}
    assert len({store.origin for store in fleet}) == len({store.address for store in fleet}) == 300
    some = [store for store in fleet if store.kind in {"empty", "en 8", "ja 8 erased"}][:4]
    generate(tmp_path, some)
    assert not run("doctor", str(tmp_path / "machine-*")).failed
