"""``memctl diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot
    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def files(folder: Path, harbor: dict[str, Shot], *names: str) -> list[Path]:
    paths = [folder / f"{name}.png" for name in names]
    for path, name in zip(paths, names, strict=True):
        path.write_bytes(harbor[name].png)
    return paths


def test_two_screenshots_are_compared(run: Run, tmp_path: Path, harbor: dict[str, Shot]) -> None:
    one, two = files(tmp_path, harbor, "invoices", "invoices-moved")
    answer = run("diff", one, two, "--png", tmp_path / "out.png")
    assert answer.code == 0
    assert answer.out.count("moved ") == 3
    assert "3 changes in 1.3% of the pixels" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80
    with Image.open(tmp_path / "out.png") as picture:
        assert picture.size == (2 * 1280 + 16, 2 * 836 + 16)


def test_equal_screenshots_are_no_failure(
    run: Run, tmp_path: Path, harbor: dict[str, Shot]
) -> None:
    (one,) = files(tmp_path, harbor, "login")
    answer = run("diff", one, one)
    assert (answer.code, answer.out.strip()) == (0, "no difference")


def test_an_app_names_what_changed(run: Run, tmp_path: Path, harbor: dict[str, Shot]) -> None:
    one, two = files(tmp_path, harbor, "invoices", "invoices-hover")
    run("--app", "harbor", "learn", one)
    data = run("--app", "harbor", "--json", "diff", one, two).data
    (change,) = data["changes"]
    assert change["kind"] == "changed"
    assert change["name"]
    assert data["first"] == [1280, 800]


def test_a_component_is_compared_with_itself(
    run: Run, tmp_path: Path, harbor: dict[str, Shot]
) -> None:
    (one,) = files(tmp_path, harbor, "invoices")
    run("--app", "harbor", "learn", one)
    answer = run("--app", "harbor", "diff", "1", "--png", tmp_path / "out.png")
    assert answer.code == 0
    assert "it has one look only" in answer.out
    assert (tmp_path / "out.png").is_file()


def test_unusable_arguments_are_one_line(run: Run, tmp_path: Path, harbor: dict[str, Shot]) -> None:
    one, other = files(tmp_path, harbor, "login", "settings")
    with Image.open(other) as picture:
        picture.crop((0, 0, 900, 800)).save(other)
    cases = {
        ("diff", one): (2, "there is nothing to compare it with"),
        ("diff", one, tmp_path / "nothing.png"): (2, "there is no file"),
        ("diff", one, other): (2, "the pictures differ in size: 1280 x 800 and 900 x 800"),
        ("--app", "harbor", "diff", "Save"): (4, "no store"),
    }
    for words, (code, said) in cases.items():
        answer = run(*words)
        assert (answer.code, said in answer.error) == (code, True), words
