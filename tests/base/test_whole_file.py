"""A file is written whole or not at all."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from memctl.base.whole_file import whole_file

if TYPE_CHECKING:
    from pathlib import Path


def test_it_has_its_name_once_it_is_complete_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    with whole_file(path) as file:
        file.write(b"half")
        assert not path.exists()
    assert path.read_bytes() == b"half"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_where_the_writing_ends_badly(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"before")

    def write_half() -> None:
        with whole_file(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_text_is_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    with whole_file(tmp_path / "notes", text=True) as file:
        file.write("港口\n")
    assert (tmp_path / "notes").read_bytes() == "港口\n".encode()


def test_a_new_file_does_not_take_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "notes"

    def write_second() -> None:
        with whole_file(path, new=True) as file:
            file.write(b"mine")
            path.write_bytes(b"theirs")

    with pytest.raises(FileExistsError):
        write_second()
    assert path.read_bytes() == b"theirs"
    assert list(tmp_path.iterdir()) == [path]
