"""One word for one act, in the shell, in Python and over MCP; `vocabulary.txt` holds the words."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from memctl_cli.app import command_of
from memctl_cli.command import CommandWord, described, pages
from memctl_cli.mcp.build import PROFILES, build
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator

TREE = {
    page.command.removeprefix("memctl").strip(): page for page in pages(described(command_of()))
}
COMMANDS = {name for name, page in TREE.items() if not page.commands}
TABLE = {
    command: (call, why)
    for line in (Path(__file__).parent / "vocabulary.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for command, call, why in [[cell.strip() for cell in line.split("|")]]
}
# Nouns that users of the seeds know by another word than Python's.
NOUNS = {
    "memory": "facts",
    "pending": "facts",
    "wal": "journal",
    "alias": "aliases",
    "session": "sessions",
    "config": "settings",
}

# An act, and what it must not be called on any noun, with those that are meant otherwise.
ACTS: dict[str, set[str]] = {
    "list": {"ls", "all", "index", "find", "query"},
    "show": {"view", "describe", "info", "display", "inspect", "cat", "print"},
    "add": {"new", "create", "insert", "register", "put"},
    "rename": {"name", "mv", "move", "relabel"},
    "update": {"change", "edit", "modify", "alter"},
    "pin": {"keep", "star", "lock"},
    "restore": {"undo", "unforget", "unarchive", "undelete", "revive"},
    "forget": {"delete", "hide", "del", "rm", "trash"},
    "erase": {"purge", "wipe", "destroy", "shred"},
}
# Values that are kept under a name are got, not shown: the seeds' word.
KEPT_VALUES = {"memory", "wal", "cache", "config"}
# How an option is spelt, and what it must not be called.
SPELT: dict[str, set[str]] = {
    "--yes": {"--confirm", "-y", "--sure", "--no-confirm", "--assume-yes"},
    "--limit": {"--max", "--count", "--top", "--number", "-n", "--most", "--max-results"},
    "--session": {"--session-id", "--sid"},
    "--user": {"--user-id", "--for-user"},
    "--agent": {"--agent-id", "--for-agent"},
    "--dry-run": {"--dryrun", "--simulate", "--pretend", "--what-if"},
    "--why": {"--reason", "--because", "--note"},
    "--since": {"--from", "--after-date", "--start"},
    "--until": {"--to", "--before-date"},
    "--json": {"--as-json", "--format", "--output-format"},
}


def options() -> Iterator[tuple[str, CommandWord]]:
    for name, page in TREE.items():
        for option in page.options:
            yield name, option


def test_every_command_is_in_the_vocabulary_and_every_word_of_it_is_a_command() -> None:
    assert sorted(COMMANDS - TABLE.keys()) == []
    assert sorted(TABLE.keys() - COMMANDS) == []


@each("act", ACTS)
def test_an_act_has_one_word_on_every_noun(act: str) -> None:
    verbs = {command: command.split()[-1] for command in COMMANDS if " " in command}
    assert [command for command, verb in verbs.items() if verb in ACTS[act]] == []


def test_one_row_is_shown_and_a_value_under_a_name_is_got() -> None:
    verbs = [command.split() for command in COMMANDS if " " in command]
    assert {noun for noun, verb in verbs if verb == "get"} == KEPT_VALUES
    assert not {noun for noun, verb in verbs if verb == "show"} & KEPT_VALUES


@each(("does", "undoes"), [("pin", "unpin"), ("forget", "restore")])
def test_what_can_be_done_to_a_noun_can_be_undone(does: str, undoes: str) -> None:
    for noun in (name.split()[0] for name in COMMANDS if name.endswith(f" {does}")):
        assert f"{noun} {undoes}" in COMMANDS


@each("spelling", SPELT)
def test_an_option_is_spelt_alike_and_takes_the_same_everywhere(spelling: str) -> None:
    assert [(name, one.name) for name, one in options() if one.name in SPELT[spelling]] == []
    same = [one for _, one in options() if one.name == spelling]
    assert len({one.type for one in same}) == 1
    assert len({one.spellings for one in same}) == 1
    if spelling == "--limit":
        assert {one.minimum for one in same} == {1}


def test_options_are_words_in_small_letters_with_hyphens() -> None:
    for name, option in options():
        for spelling in option.spellings:
            plain = spelling.lstrip("-").replace("-", "")
            assert plain.isalpha(), f"{name} {spelling}"
            assert plain.islower(), f"{name} {spelling}"


def test_python_has_the_same_words(memory: memctl.Memory) -> None:
    renamed = {"wal init", "skills import", "pending list"}  # the calls of another word
    for command, (call, _) in TABLE.items():
        if call == "-":
            continue
        found: Any = memctl if call.startswith("memctl.") else memory
        for word in call.removeprefix("memctl.").split("."):
            found = getattr(found, word)
        noun, _, verb = command.partition(" ")
        last = {"show": "get"}.get(verb, verb or noun).replace("-", "_")
        if command not in renamed:
            assert last in call
        if verb and "." in call and noun not in {"import", "export"}:
            assert call.removeprefix("memctl.").split(".")[0] == NOUNS.get(noun, noun), command


def test_mcp_has_the_same_words(memory: memctl.Memory) -> None:
    served = {tool.name for tool in asyncio.run(build(memory, profile="all").list_tools())}
    assert served == set(PROFILES["all"])
    said = {name.replace(" ", "_").replace("-", "_") for name in TREE}
    # The journal by its Python name; one tool that forgets and brings back, whatever the noun.
    assert served - said == {"journal", "forget"}
