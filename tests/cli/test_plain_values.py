"""What is read without pydantic is read as Typer reads it, and refused in Typer's words."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from hypothesis import example, given
from hypothesis import strategies as st

from memctl_cli.command import Commands
from tests.processes import as_another_user, python

if TYPE_CHECKING:
    from collections.abc import Sequence


def taken(
    text: Annotated[str, typer.Option()] = "",
    number: Annotated[int, typer.Option()] = 3,
    limit: Annotated[int, typer.Option(min=1, max=9)] = 5,
    share: Annotated[float | None, typer.Option(max=1)] = None,
    several: Annotated[list[str] | None, typer.Option()] = None,
    numbers: Annotated[list[int] | None, typer.Option(min=0)] = None,
    path: Annotated[Path | None, typer.Option()] = None,
    there: Annotated[Path | None, typer.Option(exists=True)] = None,
    flag: Annotated[bool, typer.Option("--flag/--no-flag")] = False,
) -> dict[str, Any]:
    return dict(locals())


def answers(words: Sequence[str], *, plainly: bool) -> dict[str, Any] | str:
    app = (Commands if plainly else typer.Typer)(pretty_exceptions_enable=False)
    app.command()(taken)
    command = typer.main.get_command(app)
    try:
        found = command(args=list(words), prog_name="x", standalone_mode=False)
    except Exception as error:  # noqa: BLE001  (whatever Typer says is compared)
        return f"{type(error).__name__}: {error}"
    assert isinstance(found, dict)
    return {name: (type(value), value) for name, value in found.items()}


OPTIONS = ["text", "number", "limit", "share", "several", "numbers", "path", "there"]
VALUES = st.one_of(
    st.text(max_size=6),
    st.integers().map(str),
    st.floats().map(str),
    st.text(alphabet="0123456789+-._ e\u0663", max_size=5),
    st.sampled_from(["", "-", "yes", " 5 ", "\udcff", "/", "/nowhere/x", "1" * 19, "a\0b"]),
)


@given(st.lists(st.tuples(st.sampled_from(OPTIONS), VALUES), max_size=4))
@example([("limit", "0")])
@example([("limit", "10")])
@example([("number", "seven")])
@example([("share", "1.5")])
@example([("numbers", "-1"), ("numbers", "2")])
@example([("several", "a"), ("several", "")])
@example([])
def test_every_value_is_taken_or_refused_as_typer_does(given: list[tuple[str, str]]) -> None:
    words = [f"--{name}={value}" for name, value in given]
    assert answers(words, plainly=True) == answers(words, plainly=False)


def test_a_file_that_may_not_be_read_is_refused_as_typer_does() -> None:
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        closed = Path(folder, "closed.png")
        closed.touch(mode=0)
        words = ["--path", str(closed)]
        refused = as_another_user(lambda: answers(words, plainly=True))
        assert "not readable" in str(refused)
        assert refused == as_another_user(lambda: answers(words, plainly=False))


def test_plain_words_load_no_pydantic_and_odd_ones_do(home: Path) -> None:
    loaded = python(
        """
        import sys
        from memctl_cli import main

        for words in [["turns", "list", "--limit", "7"], ["turns", "list", "--limit", "seven"]]:
            try:
                main(["--home", sys.argv[1], *words])
            except SystemExit as left:
                print("left", left.code, "pydantic" in sys.modules)
        """,
        home,
    ).splitlines()
    left = [line for line in loaded if line.startswith("left")]
    assert left == ["left 0 False", "left 2 True"]
