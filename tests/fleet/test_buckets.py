"""Files of a folder, objects of a bucket: read, written, listed, and in a bucket on conditions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import (
    ChangedMeanwhileError,
    FileAccessError,
    NotFoundError,
    RefusedError,
    UsageError,
)
from memctl.fleet import buckets
from tests.fleet.conftest import way_to

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_and_a_bucket_answer_alike(bucket: str, tmp_path: Path) -> None:
    for place in (bucket, str(tmp_path / "parts"), (tmp_path / "as url").as_uri()):
        assert buckets.names(place) == []
        buckets.write(f"{place}/parts/a b.parquet", b"first")
        buckets.write(f"{place}/parts/a b.parquet", b"second")
        buckets.write(f"{place}/c", b"")
        buckets.write(f"{place}2/c", b"beside it, not below it")
        assert buckets.read(f"{place}/parts/a b.parquet") == b"second"
        assert buckets.sizes(place) == {"c": 0, "parts/a b.parquet": 6}
        assert buckets.names(f"{place}/parts/") == ["a b.parquet"]
        buckets.remove(f"{place}/c")
        buckets.remove(f"{place}/c")
        with pytest.raises(NotFoundError, match='c" is not there'):
            buckets.read(f"{place}/c")


def test_a_write_on_a_condition_is_one_writer_s_and_keeps_what_is_said_beside_it(
    bucket: str,
) -> None:
    url = f"{bucket}/apps/harbor.db.zst"
    beside = {"owner": "Zoë's, Mac/ 100% ", "digest": "ab"}
    made = buckets.put(url, b"1", beside, None)
    with pytest.raises(ChangedMeanwhileError, match="by somebody else"):
        buckets.put(url, b"2", {}, None)
    mine = buckets.put(url, b"3", beside, made)
    with pytest.raises(ChangedMeanwhileError):
        buckets.put(url, b"4", {}, made)
    there = buckets.fetch(url)
    assert there is not None
    assert (there.data, there.e_tag) == (b"3", mine.e_tag)
    head = buckets.fetch(url, content=False)
    assert head is not None
    assert head.data == b""
    assert head.metadata.items() >= beside.items()
    assert buckets.fetch(f"{bucket}/apps/none") is None


def test_an_answer_that_is_lost_is_told_from_another_s_write(
    bucket: str, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[dict[str, str]] = []

    def way(method: str, path: str, headers: dict[str, str]) -> str | None:
        if method == "PUT" and path.endswith("/a") and not lost:
            lost.append(headers)
            return "lost"
        return None

    with way_to(s3_server, way) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        made = buckets.put(f"{bucket}/a", b"ours", {}, None)
        assert lost
        assert buckets.put(f"{bucket}/a", b"again", {}, made).e_tag != made.e_tag
        lost.clear()
        with pytest.raises(ChangedMeanwhileError):
            buckets.put(f"{bucket}/a", b"a rival's", {}, made)


def test_the_bucket_s_clock_counts_not_this_machine_s(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2031-01-01T00:00:00Z")
    assert abs((buckets.server_now(bucket) - datetime.now(UTC)).total_seconds()) < 5
    assert buckets.names(bucket) == []  # the probe is gone


def test_a_bucket_without_conditions_is_refused_with_the_reason(
    bucket: str, s3_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(_method: str, _path: str, headers: dict[str, str]) -> None:
        headers.pop("if-none-match", None)
        headers.pop("if-match", None)

    with way_to(s3_server, deaf) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(RefusedError, match="ignores the conditions"):
            buckets.server_now(bucket)
        assert buckets.names(bucket) == []
    with way_to(
        s3_server, lambda _method, _path, headers: "if-none-match" in headers and 501
    ) as old:
        monkeypatch.setenv("AWS_ENDPOINT_URL", old)
        with pytest.raises(RefusedError, match="on a condition"):
            buckets.server_now(bucket)
    with pytest.raises(RefusedError, match="is a folder"):
        buckets.server_now(tmp_path.as_uri())


def test_no_right_to_one_prefix_names_it_and_the_others_work(
    bucket: str, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with way_to(
        s3_server, lambda _method, path, _headers: 403 if "secret" in path else None
    ) as way:
        monkeypatch.setenv("AWS_ENDPOINT_URL", way)
        buckets.write(f"{bucket}/open/a", b"1")
        for act in (
            lambda: buckets.write(f"{bucket}/secret/a", b"1"),
            lambda: buckets.read(f"{bucket}/secret/a"),
            lambda: buckets.names(f"{bucket}/secret"),
            lambda: buckets.put(f"{bucket}/secret/a", b"1", {}, None),
        ):
            with pytest.raises(FileAccessError, match=r"no right to .*/secret"):
                act()


def test_what_is_missing_is_said_with_what_to_do(
    bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for act in (buckets.names, buckets.read, buckets.server_now):
        with pytest.raises(NotFoundError, match='no bucket "nobody-has-it"') as missing:
            act("s3://nobody-has-it/memory")
        assert "make it first" in missing.value.hint
    for url in ("s3://", "ftp://team/x"):
        with pytest.raises(UsageError, match="names no bucket"):
            buckets.names(url)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(FileAccessError, match="error sending request") as gone:
        buckets.names(bucket)
    assert "AWS_ENDPOINT_URL" in gone.value.hint
