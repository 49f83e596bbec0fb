from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.guard.__main__ import _judged, main
from benchmarks.guard.lists import FIRST_CONTACT, own_lists
from tests.guard.lists import LISTS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_further_list_has_its_first_contact() -> None:
    assert set(FIRST_CONTACT) == set(LISTS)
    assert set(own_lists()) == {"first", *LISTS}


def test_what_was_missed_and_what_was_refused_is_counted_by_its_kind() -> None:
    figures = _judged(
        [("pin", "my PIN is 4471"), ("riddle", "it is under the mat")],
        [("talk", "see you on Friday"), ("cloud", "the password is hunter22")],
    )
    assert figures["refused"] == 1
    assert figures["missed_by_format"] == {"riddle": 1}
    assert figures["falsely_refused"] == 1
    assert figures["refused_by_kind"] == {"cloud": 1}


def test_a_list_of_your_own_is_judged_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets, harmless = tmp_path / "secrets.txt", tmp_path / "harmless.txt"
    secrets.write_text("my PIN is 4471\n", "utf-8")
    harmless.write_text("see you on Friday\n", "utf-8")
    monkeypatch.setattr("benchmarks.guard.__main__.keep", lambda name, _: tmp_path / name)
    monkeypatch.setattr(
        "sys.argv", ["guard", "--secrets", str(secrets), "--harmless", str(harmless)]
    )
    main()
    printed = capsys.readouterr().out
    assert "1 of 1" in printed
    assert "0 of 1" in printed
