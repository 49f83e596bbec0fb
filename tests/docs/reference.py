"""Writes docs/reference/ from the code: ``python -m tests.docs.reference``.

The commands are read from the program, the settings from their table, and Python's names by
griffe from the docstrings, without importing them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import griffe
from griffe import Docstring, DocstringSectionKind, Function

import memctl
from memctl.config.settings import KNOWN
from memctl_cli.app import command_of
from memctl_cli.command import described

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl_cli.command import CommandPage, CommandWord

__all__ = ["pages"]

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"
_WRITTEN = "<!-- Written by `python -m tests.docs.reference`: change the code instead. -->"

# The face hands on to these: what they do stands under its own methods and collections.
_TIERS = frozenset({"address", "visual"})


def pages() -> dict[str, str]:
    """Return every page of the reference, by the name of its file."""
    return {
        "commands.md": _page("Commands", _commands()),
        "settings.md": _page("Settings", _settings()),
        "python.md": _page("Python", _python()),
    }


def _page(title: str, blocks: Iterator[str]) -> str:
    return "\n\n".join([_WRITTEN, f"# {title}", *blocks]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


# -- commands ----------------------------------------------------------------------------


def _commands() -> Iterator[str]:
    program = described(command_of())
    yield (
        "`memctl COMMAND --help` prints the same, and `memctl --json --help` as JSON. `--json` "
        "before or after a command answers in one envelope. What a command ends with stands in "
        "[troubleshooting](../troubleshooting.md)."
    )
    yield _words(program)
    panels = dict.fromkeys(one.panel for one in program.commands)
    for panel in sorted(panels, key=lambda one: one is not None):
        yield f"## {panel or 'To begin with'}"
        for command in program.commands:
            if command.panel == panel:
                yield from _command(command, "###")


def _command(command: CommandPage, heading: str) -> Iterator[str]:
    yield f"{heading} {command.command.removeprefix('memctl ')}"
    yield _prose(command.help)
    if not command.commands:
        lines = (command.usage, *command.examples)
        yield "\n".join(["```console", *(f"$ {line}" for line in lines), "```"])
        yield from filter(None, [_words(command)])
    for inner in command.commands:
        yield from _command(inner, f"{heading}#")


def _words(command: CommandPage) -> str:
    words = (*command.arguments, *command.options)
    rows = [(f"`{_spelt(word)}`", _prose(word.help), _values(word)) for word in words]
    return _table(("what", "meaning", "values"), rows) if rows else ""


def _spelt(word: CommandWord) -> str:
    value = "" if word.type == "flag" or not word.spellings else f" {word.value or word.type}"
    return " / ".join(word.spellings or (word.name,)) + value


def _values(word: CommandWord) -> str:
    """Return what may stand there, and what stands there by itself."""
    low, high = word.minimum, word.maximum
    least = f"from {low:,.9g}" if low is not None else ""
    span = f"{low:,.9g} to {high:,.9g}" if low is not None and high is not None else least
    told = ", ".join(f"`{choice}`" for choice in word.choices) or span
    default = "" if word.default in (None, False, "", []) else f"default `{word.default}`"
    needed = "required" if word.required else default
    several = "several" if word.repeated else ""
    variable = f"else `{word.environment}`" if word.environment else ""
    return "; ".join(filter(None, [told, needed, several, variable]))


def _prose(text: str) -> str:
    return re.sub(r"(?<![`\w-])(--[a-z][a-z-]*)", r"`\1`", text).replace("<", "&lt;")


# -- settings ----------------------------------------------------------------------------


def _settings() -> Iterator[str]:
    yield (
        "A flag (`--set KEY=VALUE`) wins over the environment (`MEMCTL_` and the key in capitals), that "
        "over the store (`memctl config set KEY VALUE`), that over `settings.toml` in the home, and "
        "that over the default. `memctl config list` shows the values in force and where they come "
        "from."
    )
    rows = []
    for key, setting in sorted(KNOWN.items()):
        bounds = ", ".join(f"`{choice}`" for choice in setting.choices)
        if setting.low is not None:
            bounds = f"{setting.low:,.9g} to {setting.high:,.9g}"
        default = f"`{setting.default}`" if setting.default != "" else ""
        rows.append((f"`{key}`", setting.help, default, bounds))
    yield _table(("key", "meaning", "default", "values"), rows)


# -- Python ------------------------------------------------------------------------------


def _python() -> Iterator[str]:
    loaded: Any = griffe.load(
        "memctl", search_paths=[ROOT / "engine"], docstring_parser="numpy", submodules=True
    )
    yield (
        "`import memctl`; what a name raises is in one tree, "
        "[with what to do about it](../troubleshooting.md). Every collection is a property of an "
        "open memory: `m.facts.store(...)`."
    )
    yield "## memctl"
    for name in memctl.__all__:
        if loaded[name].is_function:
            yield from _function(loaded[name].final_target, f"memctl.{name}")
    yield "## memctl.fleet"
    yield "Many stores at once; [when that is needed](../fleet.md)."
    for name in memctl.fleet.__all__:
        if loaded["fleet"][name].is_function:
            yield from _function(loaded["fleet"][name].final_target, f"memctl.fleet.{name}")
    face = loaded["memory.Memory"]
    yield from _class(face, "m", "Memory")
    yield from _class(loaded["async_memory.AsyncMemory"], "m", "AsyncMemory")
    for name, kind in _collections(loaded, face):
        yield from _class(kind, f"m.{name}", f"m.{name}")


def _collections(loaded: Any, face: Any) -> Iterator[tuple[str, Any]]:
    """Yield the properties of the face whose values have methods of their own."""
    yield "settings", loaded["config.settings.Settings"]  # made with the memory: no property
    for name, member in face.all_members.items():
        path = getattr(getattr(member, "annotation", None), "canonical_path", "")
        if name in _TIERS or "property" not in member.labels or not path.startswith("memctl."):
            continue
        kind = loaded[path.removeprefix("memctl.")]
        if any(_public_methods(kind)):
            yield name, kind


def _public_methods(kind: Any) -> Iterator[Function]:
    for name, member in kind.all_members.items():
        # What asyncio awaits is described where it is called.
        if not name.startswith("_") and member.is_function and member.docstring:
            yield member


def _class(kind: Any, spoken: str, title: str) -> Iterator[str]:
    yield f"## {title}"
    yield from _docstring(kind.docstring, first_only=True)
    for method in _public_methods(kind):
        yield from _function(method, f"{spoken}.{method.name}")


def _function(function: Any, spoken: str) -> Iterator[str]:
    yield f"### {spoken}"
    yield f"```python\n{_signature(function, spoken)}\n```"
    yield from _docstring(function.docstring)


def _signature(function: Any, spoken: str) -> str:
    given: list[str] = []
    starred = False
    for parameter in function.parameters:
        if parameter.name == "self":
            continue
        kind = str(getattr(parameter.kind, "value", parameter.kind))
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        if kind == "keyword-only" and not starred:
            given.append("*")
        starred = starred or kind in {"keyword-only", "variadic positional"}
        default = f" = {parameter.default}" if parameter.default is not None and not stars else ""
        given.append(f"{stars}{parameter.name}: {parameter.annotation}{default}")
    line = f"{spoken}({', '.join(given)}) -> {function.returns}"
    if len(line) <= 88:
        return line
    inside = "".join(f"    {one},\n" for one in given)
    return f"{spoken}(\n{inside}) -> {function.returns}"


_TITLES = {
    DocstringSectionKind.parameters: "Takes",
    DocstringSectionKind.returns: "Returns",
    DocstringSectionKind.yields: "Yields",
    DocstringSectionKind.raises: "Raises",
}


def _docstring(docstring: Docstring | None, *, first_only: bool = False) -> Iterator[str]:
    if docstring is None:
        return
    for section in docstring.parsed:
        if section.kind is DocstringSectionKind.text:
            yield _plain(section.value)
        elif section.kind is DocstringSectionKind.examples and not first_only:
            told = "\n\n".join(text for _, text in section.value)
            yield f"```python\n{told}\n```"
        elif section.kind in _TITLES and not first_only:
            lines = [f"- {_item(one)}" for one in section.value]
            yield f"**{_TITLES[section.kind]}**\n\n" + "\n".join(lines)


def _item(one: Any) -> str:
    name = getattr(one, "name", "") or str(one.annotation or "")
    return f"`{name}`: {' '.join(_plain(one.description).split())}"


def _plain(text: str) -> str:
    return re.sub(r"``(.+?)``", r"`\1`", text, flags=re.DOTALL)


if __name__ == "__main__":
    for file, text in pages().items():
        FOLDER.joinpath(file).write_text(text, encoding="utf-8")
