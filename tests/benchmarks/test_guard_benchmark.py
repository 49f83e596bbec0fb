from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.guard.__main__ import judged, main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_refused_texts_are_counted_and_the_kinds_of_others_named() -> None:
    given = [("pin", "my PIN is 4471"), ("riddle", "see you on Friday")]
    assert judged(given) == {"texts": 2, "refused": 1, "stored: riddle": 1}


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
