"""No collection of cycles begins inside short work, and afterwards all is as it was."""

from __future__ import annotations

import gc
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from memctl.garbage import uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_nothing_is_collected_inside_and_all_is_again_afterwards() -> None:
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_inside_leaves_collecting_on() -> None:
    with pytest.raises(KeyError), uncollected():
        raise KeyError
    assert gc.isenabled()


def test_who_switched_collecting_off_finds_it_off() -> None:
    gc.disable()
    with uncollected():
        pass
    assert not gc.isenabled()


def test_two_threads_at_once_leave_collecting_on() -> None:
    def work() -> None:
        for _ in range(2_000):
            with uncollected():
                pass

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.isenabled()
