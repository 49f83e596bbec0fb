"""No collection of cycles begins inside short work, and afterwards all is as it was."""

from __future__ import annotations

import gc
import os
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from memctl.base.garbage import uncollected

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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_the_child_of_a_fork_inside_collects_again() -> None:
    with uncollected():
        if not (child := os.fork()):
            os._exit(0 if gc.isenabled() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


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
