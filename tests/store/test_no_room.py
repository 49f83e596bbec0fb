"""A full disk loses only the call that met it, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import MemctlError
from tests.processes import python
from tests.store.stored import COUNT, OPEN, PUT, put

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.store.store import Store


def test_a_full_disk_loses_only_the_call_that_met_it(store: Store) -> None:
    with store.transaction():
        put(store, "before")
    pages = store.value("pragma page_count")
    store.connection().execute(f"pragma max_page_count = {pages + 4}")
    with pytest.raises(MemctlError, match="the disk is full") as raised, store.transaction():
        store.execute_many(PUT, [{"key": str(n), "value": "x" * 4000} for n in range(100)])
    assert raised.value.exit_code == 1
    assert store.value(COUNT) == 1
    with store.transaction():
        put(store, "after")
    assert store.value("pragma integrity_check") == "ok"


def test_a_file_that_may_not_grow_loses_only_the_call_that_met_it(home: Path) -> None:
    assert python(
        f"""{OPEN}
    with store.transaction():
        put("before")
    import resource
    import memctl

    size = store.path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        with store.transaction():
            for n in range(3_000):
                put(f"{{n}} " + 400 * "x")
        print("written")
    except memctl.MemctlError as error:
        print(error.exit_code, "harbor.db" in error.message, bool(error.hint))
    print(store.value("select count(*) from setting"), store.value("pragma integrity_check"))
    """,
        home,
    ).splitlines() == ["1 True True", "1 ok"]


def test_a_store_that_has_no_room_to_be_made_is_one_clear_error(home: Path) -> None:
    printed = python(
        f"""{OPEN}
    import resource
    import memctl

    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, unlimited[1]))
    try:
        with store.transaction():
            put("a")
        print("written")
    except memctl.MemctlError as error:
        print(error.exit_code, "harbor.db" in error.message)
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    with store.transaction():
        put("a")
    print(store.value("select address from store"))
    """,
        home,
    )
    assert printed.splitlines() == ["1 True", "harbor"]
