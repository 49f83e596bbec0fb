"""The desktop: a picture of it is learned, and a display that is not there is an error."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError
from memctl.drivers.moving import decoded
from memctl.drivers.screen_driver import ScreenDriver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.memory import Memory
    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

needs_xvfb = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb here")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="displays are named on Linux only")


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A display without a monitor."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
    command.append("-noreset")  # who comes after the last one has gone need not wait for it
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        monkeypatch.setenv("DISPLAY", f":{server.stdout.readline().strip()}")
        yield
        server.terminate()


@needs_xvfb
@pytest.mark.usefixtures("display")
def test_the_desktop_is_a_picture_without_boxes(memory: Memory) -> None:
    look = memory.look("screen")
    assert look is not None
    assert (look.size, look.boxes) == ((640, 480), [])
    assert decoded(look.png).shape == (480, 640, 3)
    assert memory.learn("screen").image.w == 640


@on_linux
@pytest.mark.parametrize("name", [None, ":987"])
def test_a_display_that_is_not_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    if name is None:
        monkeypatch.delenv("DISPLAY", raising=False)
    else:
        monkeypatch.setenv("DISPLAY", name)
    with pytest.raises(UnusableInputError, match="the screen cannot be read: ") as raised:
        ScreenDriver().look()
    assert "\n" not in raised.value.message
    assert raised.value.hint == "is there a display? On Linux, DISPLAY names it"
