"""A pack that is broken, forged, newer or too large is refused, and nothing is written."""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import (
    MemctlError,
    NewerStoreError,
    RefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.porting.packs.signing import new_key, public_key
from tests.each import each
from tests.porting.small_stores import made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.memory import Memory

Members = dict[str, bytes]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two private keys and a pack that the first one signed."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("mine", "foreign"):
        new_key(folder / f"{name}.key")
    with made(folder, "a") as memory:
        memory.packs.export_pack(folder / "signed.pack", folder / "mine.key")
        memory.packs.export_pack(folder / "plain.pack")
    return folder


@pytest.fixture
def untouched(memory: Memory) -> Iterator[Memory]:
    """A store that nothing may make."""
    yield memory
    assert not memory.store.exists


def changed(keys: Path, change: Callable[[Members], Any], source: str = "plain.pack") -> Path:
    """Return a copy of a pack whose members were changed, with another's hands."""
    with zipfile.ZipFile(keys / source) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    change(members)
    path = keys / "changed.pack"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return path


def told(members: Members, change: Callable[[Any], Any], name: str = "memory.json") -> None:
    """Change what a member says, and let the manifest vouch for it."""
    value = json.loads(members[name])
    change(value)
    members[name] = json.dumps(value).encode()
    if name != "manifest.json":
        manifest = json.loads(members["manifest.json"])
        manifest["members"][name] = hashlib.sha256(members[name]).hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()


def refused(memory: Memory, path: Path, **options: Any) -> MemctlError:
    with pytest.raises(MemctlError) as raised:
        memory.packs.import_pack(path, **{"unsigned": "key" not in options, **options})
    return raised.value


def test_a_signed_pack_comes_in_with_its_key(memory: Memory, keys: Path) -> None:
    key = public_key(str(keys / "mine.key"))
    merged = memory.packs.import_pack(keys / "signed.pack", key=key)
    assert merged.signed_by == key
    assert len(memory.components) == merged.added["component"] > 0


def test_a_private_key_is_its_owners_and_is_not_written_over(keys: Path) -> None:
    assert stat.S_IMODE((keys / "mine.key").stat().st_mode) == 0o600
    with pytest.raises(UsageError, match="is there already"):
        new_key(keys / "mine.key")


def test_a_foreign_signature_is_refused(untouched: Memory, keys: Path) -> None:
    error = refused(untouched, keys / "signed.pack", key=public_key(str(keys / "foreign.key")))
    assert isinstance(error, RefusedError)
    assert error.exit_code == 3


def test_a_pack_of_which_nobody_says_whose_it_is_is_refused(untouched: Memory, keys: Path) -> None:
    for name in ("signed.pack", "plain.pack"):
        error = refused(untouched, keys / name, unsigned=False)
        assert (type(error), error.exit_code) == (RefusedError, 3)
        assert "--unsigned" in (error.hint or "")


def test_an_unsigned_pack_is_refused_where_a_signature_is_asked(
    untouched: Memory, keys: Path
) -> None:
    key = public_key(str(keys / "mine.key"))
    assert refused(untouched, keys / "plain.pack", key=key, unsigned=True).exit_code == 3


def change_manifest(members: Members) -> None:
    told(members, lambda it: it.update(address="other"), "manifest.json")


def change_memory(members: Members) -> None:
    members["memory.json"] = members["memory.json"].replace(b"Print", b"Prunt")


def change_picture(members: Members) -> None:
    first, second = [name for name in members if name.endswith(".png")][:2]
    members[first] = members[second]


def drop_picture(members: Members) -> None:
    del members[next(name for name in members if name.endswith(".png"))]


@each("change", [change_manifest, change_memory, change_picture, drop_picture])
def test_a_signed_pack_that_was_changed_is_refused(
    change: Callable[[Members], None], untouched: Memory, keys: Path
) -> None:
    path = changed(keys, change, "signed.pack")
    error = refused(untouched, path, key=public_key(str(keys / "mine.key")))
    assert (type(error), error.exit_code) == (RefusedError, 3)


def test_a_newer_pack_is_refused(untouched: Memory, keys: Path) -> None:
    newer = changed(keys, lambda it: told(it, lambda m: m.update(version=3), "manifest.json"))
    error = refused(untouched, newer)
    assert (type(error), error.exit_code) == (NewerStoreError, 5)


@each("share", [0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_pack_is_refused(share: float, untouched: Memory, keys: Path) -> None:
    data = (keys / "plain.pack").read_bytes()
    path = keys / "short.pack"
    path.write_bytes(data[: int(len(data) * share)])
    error = refused(untouched, path)
    assert (type(error), error.exit_code) == (UnusableInputError, 2)


@each("lost", [1, 51, 300])
def test_a_pack_that_lost_its_beginning_is_refused(
    lost: int, untouched: Memory, keys: Path
) -> None:
    path = keys / "late.pack"
    path.write_bytes((keys / "plain.pack").read_bytes()[lost:])
    error = refused(untouched, path)
    assert (type(error), error.exit_code) == (UnusableInputError, 2)


@each("name", ["../../evil.db", "/etc/evil", "pictures/../x.png", "notes.txt"])
def test_a_name_that_no_pack_has_is_refused(name: str, untouched: Memory, keys: Path) -> None:
    path = changed(keys, lambda members: members.update({name: b"x"}))
    error = refused(untouched, path)
    assert (type(error), error.exit_code) == (UnusableInputError, 2)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(untouched: Memory, keys: Path) -> None:
    zeros = b"[" + b" " * (65 << 20)
    path = changed(keys, lambda members: members.update({"memory.json": zeros}))
    assert path.stat().st_size < 1 << 20
    assert "has over" in str(refused(untouched, path))


def test_a_zip_that_lies_about_its_sizes_is_refused(untouched: Memory, keys: Path) -> None:
    zeros = b"[" + b" " * (65 << 20)
    path = changed(keys, lambda members: members.update({"memory.json": zeros}))
    data = bytearray(path.read_bytes())
    real, small = (len(zeros)).to_bytes(4, "little"), (100).to_bytes(4, "little")
    path.write_bytes(bytes(data).replace(real, small))
    assert refused(untouched, path).exit_code in {2, 3}


BROKEN: dict[str, Callable[[Any], Any]] = {
    "no lists": lambda memory: memory.clear(),
    "a place beyond the list": lambda memory: memory["states"][0]["components"].append(
        [99, 1, 0, 0]
    ),
    "an edge to nowhere": lambda memory: memory["transitions"][0].update(to=99),
    "a width of 0": lambda memory: memory["components"][0].update(w=0),
    "a count that is true": lambda memory: memory["components"][0].update(cut=True),
    "a time that is none": lambda memory: memory["components"][0].update(learned_at="today"),
    "a label with an escape": lambda memory: memory["components"][0].update(label="a\x1b[2J"),
    "a column more": lambda memory: memory["components"][0].update(row_text="Ann"),
    "no picture": lambda memory: memory["components"][0].update(pictures=[]),
    "an unknown origin": lambda memory: memory["components"][0].update(keys={"f" * 32 + ":1": 1}),
    "a key of SQL": lambda memory: memory["components"][0].update(keys={"x' or 1 --": 1}),
    "a picture of another size": lambda memory: memory["components"][0]["pictures"][0].update(w=7),
    "a list": lambda memory: memory.update(components={"0": {}}),
}


@each("what", BROKEN)
def test_a_pack_that_says_what_none_can_is_refused(
    what: str, untouched: Memory, keys: Path
) -> None:
    path = changed(keys, lambda members: told(members, BROKEN[what]))
    error = refused(untouched, path)
    assert (type(error), error.exit_code) == (UnusableInputError, 2)
    assert "broken" in str(error)


@each("text", [b"[" * 100_000, b"\xff\xfe", b"NaN", b"", b"[]"])
def test_a_member_that_is_no_json_is_refused(text: bytes, untouched: Memory, keys: Path) -> None:
    path = changed(keys, lambda members: members.update({"manifest.json": text}))
    assert refused(untouched, path).exit_code == 2


def test_what_is_no_pack_is_refused(untouched: Memory, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x")
    for path in (tmp_path / "text", tmp_path / "none", tmp_path):
        assert refused(untouched, path).exit_code == 2


def test_a_pack_of_another_app_comes_in_by_force_alone(keys: Path, home: Path) -> None:
    with memctl.open("chromium/example.com", home) as memory:
        assert refused(memory, keys / "plain.pack").exit_code == 3
        assert not memory.store.exists
        merged = memory.packs.import_pack(keys / "plain.pack", unsigned=True, force=True)
        assert merged.address == "harbor"
        assert len(memory.components) > 0
