"""A damaged store says so, or answers what it still holds; it never answers more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.base.errors import MemctlError, NotFoundError, StoreDamagedError, StoreError
from tests.processes import python
from tests.store.stored import OPEN, PUT, by_hand, made, opened

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with 500 rows, closed and whole; tests copy it."""
    return made(tmp_path_factory.mktemp("whole"), rows=500)


def read_all(path: Path, *, readonly: bool) -> int:
    with opened(path, readonly=readonly) as store:
        return len(store.rows("select * from setting"))


@given(share=st.floats(0, 1, exclude_max=True), readonly=st.booleans())
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_store_cut_off_anywhere_is_an_error_never_fewer_rows(
    share: float, readonly: bool, whole: Path, tmp_path: Path
) -> None:
    path = tmp_path / "harbor.db"
    content = whole.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises((StoreError, NotFoundError)):
        read_all(path, readonly=readonly)
    path.unlink()


@pytest.mark.parametrize("readonly", [True, False])
@pytest.mark.parametrize("length", [15, 16, 99, 100, 101, 511, 512, 4095, 4096, -1, -4096])
def test_half_a_store_is_refused(length: int, readonly: bool, whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    content = whole.read_bytes()[:length]
    path.write_bytes(content)
    with pytest.raises(StoreError) as raised:
        read_all(path, readonly=readonly)
    assert raised.value.exit_code == 5
    assert "harbor.db" in raised.value.message
    told = f"cut short: {len(content)} of {whole.stat().st_size} bytes"
    assert len(content) < 512 or told in raised.value.message
    assert path.read_bytes() == content


def test_a_store_that_is_cut_while_it_is_open_is_an_error_and_no_signal(home: Path) -> None:
    """A page that cannot be read would end a process that had it mapped: an unreadable disk does, too."""
    assert (
        python(
            f"""{OPEN}
    from memctl.base.errors import MemctlError

    with store.transaction():
        store.execute_many("{PUT}", [{{"key": str(n), "value": "x" * 9000}} for n in range(500)])
    store.close()
    store = Store(address.path(Path(sys.argv[1])), address)
    try:
        with store.snapshot():
            store.rows("select key from setting where key = '1'")
            with store.path.open("r+b") as file:
                file.truncate(900_000)
            store.rows("select * from setting")
    except MemctlError as error:
        print(error.exit_code)
    """,
            home,
        )
        == "5"
    )


@given(share=st.floats(0, 1), noise=st.binary(min_size=8, max_size=64), readonly=st.booleans())
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_store_overwritten_somewhere_answers_or_says_in_one_line_what_is_wrong(
    share: float, noise: bytes, readonly: bool, whole: Path, tmp_path: Path
) -> None:
    content = whole.read_bytes()
    start = int((len(content) - len(noise)) * share)
    path = tmp_path / "harbor.db"
    path.write_bytes(content[:start] + noise + content[start + len(noise) :])
    try:
        # SQLite's pages carry no checksums: a changed cell passes, a row more cannot.
        assert read_all(path, readonly=readonly) <= 500
    except MemctlError as error:
        assert error.exit_code in {4, 5}  # noqa: PT017 - most damage is in cells and raises none
    for each in tmp_path.iterdir():
        each.unlink()


def test_a_text_that_is_no_text_is_damage(home: Path) -> None:
    path = made(home)
    by_hand(path, "update setting set value = cast(x'80ff' as text)")
    with opened(path) as store, pytest.raises(StoreDamagedError, match="no UTF-8"):
        store.rows("select value from setting")
