"""Stores backed up into a bucket and restored from it: whole, known again, nobody's overwritten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import zstandard

import memctl
from memctl.base.errors import NotFoundError, RefusedError, UsageError
from memctl.fleet import buckets
from tests.fleet.conftest import way_to

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ADDRESSES = ("chromium/united.com", "harbor", "mail")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for address in ADDRESSES:
        with memctl.open(address, tmp_path / "home") as memory:
            memory.facts.store(f"Ann likes {address}")
    return tmp_path / "home"


def facts_of(address: str, home: Path) -> list[str]:
    with memctl.open(address, home, readonly=True) as memory:
        return [fact.text for fact in memory.facts.list()]


def texts_of(run: memctl.fleet.Run) -> dict[str, str]:
    return {outcome.name: outcome.text for outcome in run.outcomes}


def unpacked(bucket: str) -> Mapping[str, bytes]:
    """Return every object of a bucket, unpacked as anybody could: with the dictionary beside it."""
    result = {}
    for name in buckets.names(bucket):
        data = buckets.read(f"{bucket}/{name}")
        if name.endswith(".zst"):
            beside = buckets.fetch(f"{bucket}/{name}", content=False)
            assert beside is not None
            words = buckets.read(f"{bucket}/dictionaries/{beside.metadata['dictionary']}.db")
            raw = zstandard.ZstdCompressionDict(words, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
            data = zstandard.ZstdDecompressor(dict_data=raw).decompress(data, allow_extra_data=True)
        result[name] = data
    return result


def test_what_is_pushed_comes_back_equal_and_small(home: Path, bucket: str, tmp_path: Path) -> None:
    pushed = memctl.fleet.push(home, bucket)
    assert pushed.counts == {"done": 3}
    listed = memctl.fleet.stores(bucket)
    assert [store.name for store in listed] == list(ADDRESSES)
    assert all(store.bytes < 5000 for store in listed)
    assert memctl.fleet.pull(bucket, tmp_path / "other").counts == {"done": 3}
    for address in ADDRESSES:
        assert facts_of(address, tmp_path / "other") == [f"Ann likes {address}"]
    again = memctl.fleet.pull(bucket, tmp_path / "other")
    assert set(texts_of(again).values()) == {"as it is there already"}


def test_only_what_has_changed_is_sent_again(home: Path, bucket: str) -> None:
    memctl.fleet.push(home, bucket)
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ben likes boats")
    texts = texts_of(memctl.fleet.push(home, bucket, jobs=2))
    assert texts.pop("harbor").endswith("sent")
    assert set(texts.values()) == {"unchanged"}


def test_a_single_store_comes_back_by_its_address_or_its_object(
    home: Path, bucket: str, tmp_path: Path
) -> None:
    memctl.fleet.push(home, bucket)
    memctl.fleet.pull(bucket, tmp_path / "a", app="harbor")
    memctl.fleet.pull(f"{bucket}/apps/chromium/sites/united.com.db.zst", tmp_path / "a")
    assert [store.name for store in memctl.fleet.stores(tmp_path / "a")] == list(ADDRESSES[:2])
    with pytest.raises(NotFoundError, match='has no store "nothing"'):
        memctl.fleet.pull(bucket, tmp_path / "a", app="nothing")
    with pytest.raises(UsageError, match="is no bucket"):
        memctl.fleet.pull(str(home), tmp_path / "a")


def test_a_store_that_differs_is_replaced_only_by_force_and_kept(home: Path, bucket: str) -> None:
    memctl.fleet.push(home, bucket)
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ben likes boats")
    refused = memctl.fleet.pull(bucket, home, app="harbor")
    assert refused.failed[0].code == "refused"
    assert len(facts_of("harbor", home)) == 2
    assert (
        "is what was there"
        in memctl.fleet.pull(bucket, home, app="harbor", force=True).outcomes[0].text
    )
    assert facts_of("harbor", home) == ["Ann likes harbor"]
    assert len(list((home / "backups" / "harbor").glob("*replaced*"))) == 1


def test_what_is_damaged_on_the_way_restores_nothing(
    home: Path, bucket: str, s3: Any, tmp_path: Path
) -> None:
    memctl.fleet.push(home, bucket)
    name, _, prefix = bucket.removeprefix("s3://").partition("/")
    key = f"{prefix}/apps/harbor.db.zst"
    there = s3.get_object(Bucket=name, Key=key)
    data = there["Body"].read()
    s3.put_object(
        Bucket=name, Key=key, Body=data[:200] + b"x" + data[201:], Metadata=there["Metadata"]
    )
    done = memctl.fleet.pull(bucket, tmp_path / "other")
    assert done.counts == {"done": 2, "failed": 1}
    assert done.failed[0].code == "store_damaged"
    assert not (tmp_path / "other/apps/harbor.db").exists()


def test_another_machine_s_object_and_another_store_s_are_refused_by_name(
    home: Path, bucket: str, tmp_path: Path
) -> None:
    memctl.fleet.push(home / "apps/harbor.db", bucket)
    memctl.fleet.pull(bucket, tmp_path / "other")
    elsewhere = memctl.fleet.push(tmp_path / "other", bucket)
    assert "belongs to" in elsewhere.failed[0].text
    assert str(home) in elsewhere.failed[0].text
    (home / "apps/harbor.db").unlink()
    with memctl.open("harbor", home) as memory:
        memory.facts.store("a new store, where the old one was lost")
    fresh = memctl.fleet.push(home / "apps/harbor.db", bucket)
    assert "another store of the name" in fresh.failed[0].text
    assert memctl.fleet.pull(bucket, tmp_path / "third").counts == {"done": 1}
    assert facts_of("harbor", tmp_path / "third") == ["Ann likes harbor"]


def test_another_s_write_that_comes_between_is_never_overwritten(
    home: Path, bucket: str, s3_server: str, s3: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = home / "apps/harbor.db"
    memctl.fleet.push(store, bucket)
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ben likes boats")
    name, _, prefix = bucket.removeprefix("s3://").partition("/")

    def way(method: str, path: str, _headers: object) -> None:
        if method == "PUT" and path.endswith("harbor.db.zst"):
            s3.put_object(Bucket=name, Key=f"{prefix}/apps/harbor.db.zst", Body=b"a rival's")

    with way_to(s3_server, way) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        done = memctl.fleet.push(store, bucket)
    assert [outcome.code for outcome in done.failed] == ["changed_meanwhile"]
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    assert buckets.read(f"{bucket}/apps/harbor.db.zst") == b"a rival's"


@pytest.mark.parametrize("answer", ["refused", "lost"])
def test_a_bucket_that_goes_away_leaves_nothing_half(
    home: Path, bucket: str, s3_server: str, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    store, gone = home / "apps/harbor.db", []

    def way(method: str, path: str, _headers: object) -> str | None:
        if method == "PUT" and path.endswith("harbor.db.zst"):
            gone.append(path)  # before the put, or after it
            return answer
        return "refused" if gone else None

    with way_to(s3_server, way) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        assert [outcome.code for outcome in memctl.fleet.push(store, bucket).failed] == [
            "file_access"
        ]
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    there = [name for name in buckets.names(bucket) if name.startswith("apps/")]
    assert there == ([] if answer == "refused" else ["apps/harbor.db.zst"])
    assert memctl.fleet.push(store, bucket).counts == {"done": 1}
    assert memctl.fleet.pull(bucket, home / "again").counts == {"done": 1}


def test_no_right_to_one_prefix_fails_that_store_by_name_and_no_other(
    home: Path, bucket: str, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with way_to(
        s3_server, lambda _method, path, _headers: 403 if "chromium" in path else None
    ) as way:
        monkeypatch.setenv("AWS_ENDPOINT_URL", way)
        done = memctl.fleet.push(home, bucket)
    assert done.counts == {"done": 2, "failed": 1}
    assert done.failed[0].name == "chromium/united.com"
    assert "no right" in done.failed[0].text


def test_what_was_erased_is_in_no_object_and_old_versions_are_listed(
    home: Path, bucket: str, s3: Any
) -> None:
    name = bucket.removeprefix("s3://").partition("/")[0]
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    with memctl.open("harbor", home) as memory:
        secret = memory.facts.store("Ann's locker is opened by zanzibar")
    assert memctl.fleet.push(home, bucket).old_versions == ()
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ben likes boats")
    assert memctl.fleet.push(home, bucket).old_versions == ()  # nothing was erased yet
    with memctl.open("harbor", home) as memory:
        memory.facts.erase(secret.ids[0])
    done = memctl.fleet.push(home, bucket)
    assert not any(b"zanzibar" in data for data in unpacked(bucket).values())
    kept = s3.list_object_versions(Bucket=name, Prefix="memory/apps/harbor")["Versions"]
    old = {version["VersionId"] for version in kept if not version["IsLatest"]}
    assert {version.version for version in done.old_versions} == old
    assert len(old) == 2
    assert {version.where for version in done.old_versions} == {f"{bucket}/apps/harbor.db.zst"}
    for version in old:
        s3.delete_object(Bucket=name, Key="memory/apps/harbor.db.zst", VersionId=version)
    assert [version.version for version in memctl.fleet.push(home, bucket).old_versions] == [""]


def test_what_cannot_be_pushed_is_refused_with_the_reason(home: Path, bucket: str) -> None:
    with pytest.raises(RefusedError, match="is a folder"):
        memctl.fleet.push(home, str(home.parent / "backup"))
    memctl.fleet.push(home, bucket)
    assert memctl.fleet.push(bucket, f"{bucket}2").counts == {"failed": 3}
    (home / "apps/mail.db").write_bytes(b"SQLite format 3\0" + b"no more" * 100)
    done = memctl.fleet.push(home, bucket)
    assert [outcome.name for outcome in done.failed] == ["mail"]
    with pytest.raises(NotFoundError, match="holds no store"):
        memctl.fleet.stores(f"{bucket}/nothing")


def test_a_store_that_is_given_up_lies_in_the_backups_and_is_anybody_s(
    home: Path, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "20")
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ben likes boats")
        busy = memctl.fleet.push(home / "apps/harbor.db", bucket, release=True, patience=0)
        assert busy.failed[0].code == "busy"
    assert memctl.fleet.push(home, bucket, release=True).counts == {"done": 3}
    assert not list((home / "apps").rglob("*.db*"))
    kept = list((home / "backups/harbor").glob("*released.db"))
    with memctl.open(kept[0], readonly=True) as memory:
        assert len(memory.facts.list()) == 2
    assert memctl.fleet.run("doctor", bucket).counts == {"done": 3}
    memctl.fleet.pull(bucket, home, app="harbor")
    assert "was given up" in memctl.fleet.push(home, bucket).failed[0].text


def test_who_pulls_a_store_as_his_own_pushes_it_from_then_on(
    home: Path, bucket: str, tmp_path: Path
) -> None:
    memctl.fleet.push(home, bucket)
    other = tmp_path / "other"
    memctl.fleet.pull(bucket, other, own=True)
    with memctl.open("harbor", other) as memory:
        memory.facts.store("Ben likes boats")
    assert memctl.fleet.push(other, bucket).counts == {"done": 3}
    lost = memctl.fleet.push(home, bucket)
    assert lost.counts == {"failed": 3}
    assert str(other / "apps" / "harbor.db") in texts_of(lost)["harbor"]


def test_a_store_that_was_given_up_can_be_taken_back(home: Path, bucket: str) -> None:
    memctl.fleet.push(home, bucket, release=True)
    assert memctl.fleet.pull(bucket, home, own=True).counts == {"done": 3}
    assert memctl.fleet.push(home, bucket).counts == {"done": 3}


def test_an_object_that_was_copied_under_another_name_is_refused(
    home: Path, bucket: str, tmp_path: Path
) -> None:
    memctl.fleet.push(home, bucket)
    kept = buckets.fetch(f"{bucket}/apps/harbor.db.zst")
    assert kept is not None
    buckets.put(f"{bucket}/apps/copied.db.zst", kept.data, kept.metadata, None)
    run = memctl.fleet.pull(bucket, tmp_path / "other", app="copied")
    assert 'holds the store of "harbor"' in texts_of(run)["copied"]
    assert memctl.fleet.run("doctor", bucket).counts == {"done": 3, "failed": 1}
