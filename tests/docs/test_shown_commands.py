"""Every command that a document shows exists, with the options that it is given."""

from __future__ import annotations

import re
import shlex
from functools import cache
from typing import TYPE_CHECKING

from memctl_cli.app import command_of, hoisted
from memctl_cli.command import described, pages
from tests.docs.test_site import DOCUMENTS, ROOT

if TYPE_CHECKING:
    from memctl_cli.command import CommandPage

_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^(?:\$ )?(memctl [-a-z].*)$", re.MULTILINE)
_INLINE = re.compile(r"`(memctl [-a-z][^`\n]*)`")
_OPTION = re.compile(r"--[a-z][a-z-]*")
_END = re.compile(r"\s(?:\||>|;|&&|2>|<)\s?|\)\"?$|\s{3}")  # of the command: a pipe, a remark
_HELP = frozenset({"--help", "-h", "--version", "--json"})
_OLD = "CHANGELOG.md"  # tells of commands that were


@cache
def known() -> dict[str, CommandPage]:
    return {page.command: page for page in pages(described(command_of()))}


def unknown(shown: str) -> str:
    """Return what does not exist of a command line; nothing where all of it does."""
    words = shlex.split(_END.split(shown)[0], comments=True)[1:]
    rest = hoisted(words)[1]
    name = "memctl"
    while rest and f"{name} {rest[0]}" in known():
        name = f"{name} {rest.pop(0)}"
    for left_out in ("from", "to"):  # import from, export to
        if f"{name} {left_out}" in known():
            name = f"{name} {left_out}"
    page = known()[name]
    if page.commands and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        return f"{name} {rest[0]}"
    options = {name for word in rest if _OPTION.fullmatch(name := word.partition("=")[0])}
    there = _HELP.union(*(word.spellings for word in page.options))
    return " ".join(sorted(options - there))


def test_a_document_shows_commands_that_exist() -> None:
    for document in DOCUMENTS:
        text = ROOT.joinpath(document).read_text("utf-8")
        shown = [
            *_LINE.findall("\n".join(_BLOCK.findall(text))),
            *_INLINE.findall(_BLOCK.sub("", text)),
        ]
        wrong = {line: unknown(line) for line in shown if unknown(line)}
        assert document == _OLD or not wrong, (document, wrong)


def test_what_does_not_exist_is_seen() -> None:
    assert unknown("memctl components delete 3") == "memctl components delete"
    assert unknown("memctl --app harbor learn a.png --boxen b.json") == "--boxen"
    assert unknown('memctl --app harbor recall "-- no" --explain | head') == ""
