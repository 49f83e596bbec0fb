"""What many machines learned of an app becomes one pack, and comes back to each of them."""

from __future__ import annotations

import json
import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, UsageError
from memctl.fleet import Outcome
from memctl.porting.packs.signing import new_key
from memctl_cli.demo.bundle import shot
from tests.cli.calling import memctl_process
from tests.each import each
from tests.porting.fleet import APP, Machine, counted, learned

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.fleet import FleetMerge

PAGES = ("invoice", "customers", "general", "delete")
MACHINES = 4


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the homes of machines, each of which has learned three of the pages."""
    folder = tmp_path_factory.mktemp("machines")
    for number in range(MACHINES):
        with learned(folder, number, PAGES[:number] + PAGES[number + 1 :]) as memory:
            memory.packs.export_pack(folder / f"{number}.pack")
    return folder


@pytest.fixture
def homes(machines: Path, tmp_path: Path) -> list[Path]:
    """Copies of those homes."""
    shutil.copytree(machines, tmp_path / "fleet")
    return [tmp_path / "fleet" / f"machine-{number}" for number in range(MACHINES)]


def merged(sources: object, into: Path, **options: object) -> FleetMerge:
    return memctl.fleet.merge(APP, sources, into=into, **options)  # type: ignore[arg-type]


def test_a_store_that_somebody_took_while_it_was_handed_the_pack_has_failed() -> None:
    lost = Outcome("harbor", "s3://b/harbor.db.zst", "", "lost", "taken", "lease_lost", 1.0)
    done = memctl.fleet.FleetMerge(APP, "a.pack", 1, None, {}, (), (), {}, handed=(lost,))
    assert done.failed == (lost,)


def test_in_any_order_the_same_machines_make_the_same_bytes(
    homes: list[Path], tmp_path: Path
) -> None:
    orders = ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0])
    made = []
    for number, order in enumerate(orders):
        done = merged([homes[at] for at in order], tmp_path / f"{number}.pack")
        assert done.counts == {"done": MACHINES}
        assert done.knows["states"] == len(PAGES)
        made.append((tmp_path / f"{number}.pack").read_bytes())
    assert made[0] == made[1] == made[2]


def test_what_one_learned_another_recognises(tmp_path: Path) -> None:
    for name, pages in (("a", PAGES[:3]), ("b", PAGES[1:])):
        learned(tmp_path / name, 0, pages).close()
    done = merged(str(tmp_path / "?" / "machine-0"), tmp_path / "all.pack", hand_out=True)
    assert done.handed is not None
    assert ["1 state" in outcome.text for outcome in done.handed] == [True, True]
    with memctl.open(APP, tmp_path / "a" / "machine-0") as memory:
        assert len(memory.states) == len(PAGES)
        picture, _ = Machine.of(0).shown("delete")
        assert memory.match(picture).state is not None


def test_a_second_time_nobody_learns_anything(homes: list[Path], tmp_path: Path) -> None:
    for again in range(2):
        done = merged(homes, tmp_path / f"{again}.pack", hand_out=True)
    assert done.handed is not None
    assert {outcome.text for outcome in done.handed} == {"nothing new"}


def test_packs_and_stores_are_merged_alike(
    machines: Path, homes: list[Path], tmp_path: Path
) -> None:
    merged(homes, tmp_path / "stores.pack")
    merged(str(machines / "*.pack"), tmp_path / "packs.pack", unsigned=True)
    merged([*homes, str(machines / "0.pack")], tmp_path / "both.pack", unsigned=True)
    bytes_of = [(tmp_path / f"{name}.pack").read_bytes() for name in ("stores", "packs", "both")]
    assert bytes_of[0] == bytes_of[1] == bytes_of[2]


def test_a_store_that_knows_no_screens_yet_is_given_them(homes: list[Path], tmp_path: Path) -> None:
    with memctl.open(APP, tmp_path / "new") as memory:
        memory.facts.store("Ann sends the invoices")
    done = merged([*homes, tmp_path / "new"], tmp_path / "all.pack", hand_out=True)
    assert done.failed == ()
    with memctl.open(APP, tmp_path / "new") as memory:
        assert len(memory.states) == len(PAGES)


def test_many_packs_are_folded_in_groups(
    homes: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memctl.fleet.fleet_merge._FAN_IN", 2)
    done = merged(homes, tmp_path / "all.pack")
    assert done.counts == {"done": MACHINES}
    assert done.knows["states"] == len(PAGES)


def test_a_dry_run_writes_nothing_and_names_what_would_be_new(
    homes: list[Path], tmp_path: Path
) -> None:
    with memctl.open(APP, homes[0]) as memory:
        before = counted(memory)
    done = merged(homes, tmp_path / "all.pack", hand_out=True, dry_run=True)
    assert done.path is None
    assert not (tmp_path / "all.pack").exists()
    assert done.handed is not None
    assert all("1 state" in outcome.text for outcome in done.handed)
    with memctl.open(APP, homes[0]) as memory:
        assert counted(memory) == before


# -- what is left out is named ---------------------------------------------------------------


def of_another_app(pack: Path) -> None:
    with memctl.open("harbor", pack.parent / "other") as memory:
        with memory.store.transaction():
            pass
        memory.packs.export_pack(pack, replace=True)


def of_a_newer_version(pack: Path) -> None:
    with zipfile.ZipFile(pack) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    manifest = json.loads(members["manifest.json"]) | {"version": 99}
    with zipfile.ZipFile(pack, "w") as packed:
        for name, data in (members | {"manifest.json": json.dumps(manifest).encode()}).items():
            packed.writestr(name, data)


@each(
    ("spoil", "why"),
    [
        (of_a_newer_version, "version 99"),
        (of_another_app, 'is of "harbor"'),
        (lambda pack: pack.write_bytes(b"half a pack"), "broken zip file"),
    ],
)
def test_a_pack_that_cannot_be_taken_is_left_out_by_name(
    spoil: object, why: str, homes: list[Path], tmp_path: Path
) -> None:
    pack = tmp_path / "fleet" / "3.pack"
    spoil(pack)  # type: ignore[operator]
    done = merged([*homes[:2], str(pack)], tmp_path / "all.pack", unsigned=True, replace=True)
    [failed] = done.failed
    assert failed.name == str(pack)
    assert why in failed.text
    merged(homes[:2], tmp_path / "without.pack", replace=True)
    assert (tmp_path / "without.pack").read_bytes() == (tmp_path / "all.pack").read_bytes()


def test_a_damaged_store_is_left_out_by_name(homes: list[Path], tmp_path: Path) -> None:
    broken = homes[0] / "apps" / f"{APP}.db"
    broken.write_bytes(broken.read_bytes()[:5000])
    done = merged(homes, tmp_path / "all.pack", hand_out=True)
    assert done.counts == {"done": MACHINES - 1, "failed": 1}
    assert [(failed.where, failed.code) for failed in done.failed] == [
        (str(broken), "store_damaged")
    ]
    assert done.handed is not None
    assert len(done.handed) == MACHINES - 1


def test_packs_are_taken_from_those_one_trusts(homes: list[Path], tmp_path: Path) -> None:
    keys = [new_key(tmp_path / f"{name}.key") for name in ("mine", "other")]
    for number in range(2):
        with memctl.open(APP, homes[number]) as memory:
            path = tmp_path / "fleet" / f"{number}.pack"
            memory.packs.export_pack(path, tmp_path / "mine.key", replace=True)
    pattern = str(tmp_path / "fleet" / "*.pack")  # two are signed, two are not
    done = merged(pattern, tmp_path / "a.pack", key=keys[0], sign=tmp_path / "other.key")
    assert done.counts == {"done": 2, "failed": 2}
    assert done.signed_by == keys[1]
    assert merged(pattern, tmp_path / "b.pack", key=keys[1]).path is None
    assert not (tmp_path / "b.pack").exists()


def test_facts_of_a_pack_stay_out_and_are_counted(homes: list[Path], tmp_path: Path) -> None:
    with memctl.open(APP, homes[0]) as memory:
        fact = memory.facts.store("Invoices are sent on Fridays", category="rule")
        path = tmp_path / "rules.pack"
        memory.packs.export_pack(path, facts=["rule"], approved=fact.ids)
    done = merged(str(path), tmp_path / "all.pack", unsigned=True)
    assert done.left_out["facts, which travel in the packs of their own stores"] == 1


# -- wrong usage -----------------------------------------------------------------------------


def test_an_app_that_nobody_has_is_an_error_with_the_one_that_may_be_meant(
    homes: list[Path], tmp_path: Path
) -> None:
    with pytest.raises(NotFoundError, match='"ledgr"') as raised:
        memctl.fleet.merge("ledgr", homes, into=tmp_path / "all.pack")
    assert APP in raised.value.hint


def test_a_pack_that_is_there_or_is_a_source_is_not_written_over(
    homes: list[Path], tmp_path: Path
) -> None:
    pack = tmp_path / "fleet" / "0.pack"
    before = pack.read_bytes()
    with pytest.raises(UsageError, match="there already"):
        merged(homes, pack)
    with pytest.raises(UsageError, match="one of the sources"):
        merged([*homes, str(pack)], pack, replace=True)
    store = homes[0] / "apps" / f"{APP}.db"
    with pytest.raises(UsageError, match="one of the sources"):
        merged(homes, store, replace=True)
    with pytest.raises(UsageError, match="no folder"):
        merged(homes, tmp_path / "nowhere" / "all.pack")
    assert pack.read_bytes() == before


@pytest.mark.usefixtures("homes")
def test_the_command_says_what_the_pack_knows_and_what_failed(tmp_path: Path) -> None:
    (tmp_path / "fleet" / "1.pack").write_bytes(b"")
    words: list[str | Path]
    words = ["fleet", "merge", APP, tmp_path / "fleet" / "*", "--unsigned", "--hand-out"]
    answer = memctl_process(*words, "--into", tmp_path / "all.pack")
    assert answer.code == 1
    assert "8 sources, 7 done, 1 failed" in answer.out
    assert "4 states" in answer.out
    assert "handed out to 4 stores, 4 of them learned something" in answer.out
    assert "1.pack" in answer.out
    answer = memctl_process("--json", *words, "--into", tmp_path / "json.pack")
    assert answer.code == 1
    assert answer.envelope["counts"] == {"done": 7, "failed": 1}
    assert [failed["code"] for failed in answer.envelope["failed"]] == ["unusable_input"]
    assert answer.envelope["data"]["knows"]["states"] == len(PAGES)


def test_a_screen_with_empty_fields_is_recognised_from_a_pack(tmp_path: Path) -> None:
    login = shot("login")
    with memctl.open("harbor", tmp_path / "a") as memory:
        memory.learn(login.png, login.boxes_file(), page="login")
        memory.packs.export_pack(tmp_path / "a.pack")
    with memctl.open("harbor", tmp_path / "b") as memory:
        memory.packs.import_pack(tmp_path / "a.pack", unsigned=True)
        state = memory.match(login.png).state
        assert state is not None
        assert state.page == "login"


def test_stores_in_a_bucket_are_read_and_handed_the_pack_like_others(
    homes: list[Path], bucket: str, tmp_path: Path
) -> None:
    memctl.fleet.push(homes[1], bucket, release=True)
    done = merged([homes[0], bucket], tmp_path / "both.pack", hand_out=True)
    assert done.counts == {"done": 2}
    assert done.handed is not None
    assert all(outcome.text.startswith("new: ") for outcome in done.handed)
    memctl.fleet.pull(bucket, tmp_path / "back")
    with memctl.open(APP, tmp_path / "back") as memory:
        assert len(memory.states) == len(PAGES)


def test_a_pack_is_not_written_over_a_store(homes: list[Path]) -> None:
    store = homes[1] / "apps" / f"{APP}.db"
    with pytest.raises(UsageError, match="is a store"):
        merged(homes[0], store, replace=True)
