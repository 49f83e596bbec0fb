"""Files that a user hands over: what may never end is refused before it is opened."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memctl.base.errors import UnusableInputError
from memctl.visual.reading.image import load_frame
from memctl.visual.reading.input_files import read_limited
from tests.each import each


def test_a_pipe_that_nobody_writes_to_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(UnusableInputError, match="pipe or device") as raised:
        load_frame(tmp_path / "pipe.png")
    assert '"-"' in raised.value.hint


@each("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_refused(device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"there is no {device} here")
    with pytest.raises(UnusableInputError, match="pipe or device"):
        load_frame(device)


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may be 100 bytes long at most
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(UnusableInputError, match="pipe or device"):
            load_frame("socket")


def test_one_byte_more_than_allowed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"ten bytes.")
    with pytest.raises(UnusableInputError, match="too large for a text: over 9 bytes"):
        read_limited(tmp_path / "file", most=9, what="a text")


def test_an_empty_path_is_not_the_folder_of_the_process() -> None:
    with pytest.raises(UnusableInputError, match="the path of an image is empty"):
        read_limited("", most=10, what="an image")
