"""The cache keeps values for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, SecretRefusedError, UsageError
from memctl.working.session_cache import SessionCache

if TYPE_CHECKING:
    from memctl.memory import Memory


@pytest.fixture
def cache(memory: Memory) -> SessionCache:
    return SessionCache(memory.store, "s1")


def test_a_value_is_replaced_by_the_next_of_its_name(cache: SessionCache) -> None:
    cache.set("ferry", "nine")
    cache.set("ferry", "ten")
    assert [(one.name, one.value) for one in cache.list()] == [("ferry", "ten")]


def test_a_value_expires(cache: SessionCache, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cache.set("ferry", "nine", seconds=60)
    assert kept.expires_at == "2026-11-20T12:01:00Z"
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:01:00Z")
    assert cache.list() == []
    with pytest.raises(NotFoundError, match="ferry"):
        cache.get("ferry")


def test_an_expired_value_leaves_the_file_with_the_next_write(
    cache: SessionCache, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.set("ferry", "nine", seconds=60)
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-21T12:00:00Z")
    cache.set("train", "ten")
    assert [row["name"] for row in memory.store.rows("select name from cache")] == ["train"]


def test_removing_and_clearing(cache: SessionCache) -> None:
    for name in ("a", "b", "c"):
        cache.set(name, "x")
    assert cache.remove("a").value == "x"
    assert cache.clear() == 2
    with pytest.raises(NotFoundError):
        cache.remove("a")


@pytest.mark.parametrize("seconds", [0, -1, 10**9])
def test_a_time_out_of_range_is_refused(cache: SessionCache, seconds: int) -> None:
    with pytest.raises(UsageError, match="out of range"):
        cache.set("ferry", "nine", seconds=seconds)


def test_a_secret_is_not_kept(cache: SessionCache) -> None:
    with pytest.raises(SecretRefusedError):
        cache.set("login", "password: hunter2secret!")
    assert cache.list() == []
