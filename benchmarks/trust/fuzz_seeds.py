"""Seeds of hostile input: what the project's own tests hand to each door, whole before it is changed."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import memctl
from tests.cli.hooks.hosts import CLAUDE, CODEX, CURSOR, OPENCLAW
from tests.guard.lists import HARMLESS, SECRETS
from tests.guard.lists import texts as guard_texts
from tests.porting import (
    gui_app,
    test_memoryclaw,
    test_needles,
    test_openadapt,
    test_openclaw,
    test_recognised,
)
from tests.procedural.test_skill_files import MAIL, OWN
from tests.visual.drawn import rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.trust.fuzz_input import Draw
    from memctl.memory import Memory

Files = dict[str, bytes]
Source = tuple[str, Files, str]  # the format, its files, and the file that is it (or its folder)

STATEMENTS = (
    "Ann lives in Porto", "The launch is on 2026-12-01", "Bo prefers tea over coffee", "We decided to use SQLite because it is one file",
    "My sister's birthday is May 3rd", "Ann no longer works at Falcon", "The dock fee is 40 euros", "Remind me tomorrow at 9 to call Bo",
    "Ich wohne in Köln", "我住在上海", "project.falcon.owner = Ann", "Always run the tests before a commit.", "- **Name:** Ann Berg",
)  # fmt: skip
QUESTIONS = (
    "Where does Ann live?", "when is the launch?", "what did we decide last week about SQLite", "who owns Falcon", "Ann", "dock fee",
    "What did Bo say on 2026-11-18 between 9 and 10?", "谁住在上海", "my sister's birthday", "not Ann and not Bo", "NEAR(a b)", "2026",
)  # fmt: skip
TIMES = (
    "2026-11-20", "2026-11-20T16:33:04Z", "2026-11-20T16:33:04.123+05:30", "yesterday", "last Friday", "in three weeks", "on the 3rd of May",
    "between 2026-01-01 and 2026-02-01", "two days before Christmas", "at Easter 2027", "since March", "at half past nine", "Q3 2025", "in the 90s",
    "next Tuesday at 25:00", "letzten Montag", "vor 3 Tagen", "昨天", "2026年11月20日", "20.11.2026", "11/20/26", "mañana", "every other day",
    "a fortnight ago", "end of next month", "0000-00-00", "99999-01-01", "in 10000 years", "12 thousand days ago", "day 366 of 2025",
)  # fmt: skip
ADDRESSES = (
    "agent", "chromium/united.com", "chromium/https://www.united.com/en?x=1#y", "chromium/localhost:3000", "chromium/http://[::1]:8080/",
    "firefox/https://user:pw@bücher.example:443/", "chromium/http://192.168.0.1/", "a.b", "chromium/WWW.Example.COM.", "chromium/xn--bcher-kva.example",
    "chromium/http://日本.jp", "con", "x/aux", "a/b/c", "https://united.com", "harbor.db", "a/..", "chromium/%2e%2e/", "chromium/http://a\\b.com",
)  # fmt: skip
FILTERS: tuple[Any, ...] = (
    {"category": "project"}, {"created_at": {"gte": "2026-11-05", "lte": "2026-11-09"}}, {"importance": {"gt": 0.5, "lt": 0.85}},
    {"AND": [{"category": "*"}, {"OR": [{"text": {"icontains": "ann"}}, {"NOT": [{"user_id": "bob"}]}]}]},
    {"metadata": {"team": "Core", "a.b": 1}}, {"metadata.tags": {"in": ["ui", "week"]}}, {'metadata."a.b".c': {"ne": 3}},
    {"pinned": True, "immutable": {"ne": True}, "expires_at": {"lt": "2027-01-01"}}, {"text": {"contains": "Ann"}}, {"source": None},
)  # fmt: skip
SETTINGS = 'recall_limit = 5\nforget_threshold = 30\ntimezone = "Europe/Berlin"\nrecall_min_worth = 0.2\n# a comment\nactive_in_hooks = "off"\nguard_rules = """\nbadge = "B-[0-9]{6}"\n"""\n'
HOST_JSON = '{\n  "theme": "dark",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]},\n  "mcpServers": {"a": {"command": "b"}},\n  "version": 1\n}\n'
HOST_TOML = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\nargs = ["z"]\n\n[mcp_servers.memctl]\ncommand = "old"\n'
BOXES: tuple[Any, ...] = (
    [{"x": 20, "y": 20, "w": 90, "h": 28, "label": "Home", "type": "button", "row": "Ann", "section": "top", "confidence": 0.9}],
    [{"x": 20, "y": 70, "w": 90, "h": 28, "label": "Who", "type": "input", "text": "Ann", "field": True, "scale": 1.5, "covered": 0.2}, {"x": 20.5, "y": 120, "w": 90, "h": 28}],
    [[20, 20, 90, 28, "Home"], [20, 70, 90, 28]],
    {"area": [{"xpos": 20, "ypos": 20, "width": 90, "height": 28, "type": "match"}, {"xpos": 0, "ypos": 0, "width": 9, "height": 9, "type": "exclude"}]},
)  # fmt: skip
SKILL_WORDS = (
    "click",
    "type",
    "goto",
    "key",
    "tool",
    "wait",
    "target",
    "place",
    "effects",
    "came",
    "gone",
    "detail",
    "params",
    "{to}",
    "$to",
    "/orders?x={to}",
    "http://localhost:8000/",
)
SECRET_WORDS = (
    "token=",
    "password is ",
    "key: ",
    "=",
    ":",
    '"',
    "'",
    "\\n",
    "%3D",
    "&#61;",
    "AKIA",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Bearer ",
    "://u:p@",
    "\u200b",
    "4111 1111 1111 1111",
    "QWxhZGRpbjpvcGVu",
    "PIN ",
    "пароль ",
    "密码是",
)
HOOK_WORDS = (
    "session_id",
    "conversation_id",
    "prompt",
    "tool_input",
    "tool_response",
    "turn_id",
    "agent_id",
    "cwd",
    "text",
    "command",
    *STATEMENTS,
)
HOOKS: tuple[tuple[str, Any], ...] = (
    ("prompt", {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Where does Ann live?"}),
    ("prompt", {**CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": "I moved to Porto.", "attachments": []}),
    ("prompt", {**OPENCLAW, "prompt": [{"type": "text", "text": "My name is Ann"}, {"type": "image"}]}),
    ("reply", {**CODEX, "hook_event_name": "Stop", "last_assistant_message": "Ann lives in Porto."}),
    ("reply", {**CURSOR, "hook_event_name": "afterAgentResponse", "text": "Done."}),
    ("tool", {**CLAUDE, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "ls -l"}, "tool_response": {"stdout": "a", "is_error": False}}),
    ("tool", {**CURSOR, "hook_event_name": "afterShellExecution", "command": "pytest", "output": "3 failed", "exit_code": 1}),
    ("compact", {**CLAUDE, "hook_event_name": "PreCompact", "trigger": "auto"}),
    ("start", {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}),
    ("end", {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"}),
)  # fmt: skip
MCP_WORDS: Mapping[str, Sequence[Any]] = {
    "query": QUESTIONS, "text": STATEMENTS, "facts": [[one] for one in STATEMENTS], "memoryId": ["f_1"], "filters": FILTERS,
    "asOf": TIMES, "validFrom": TIMES, "expiresAt": TIMES, "subject": ["Ann"], "attribute": ["home"], "metadata": [{"a": 1}],
    "summary": STATEMENTS, "action": ["list", "record", "get", "task", "decide", "snapshots", "restore", "approve"], "limit": [1, 5, 100],
    "offset": [0, 1], "maxTokens": [0, 30, 400], "image": ["x.png", "screen", "http://localhost:1/"], "name": ["Home", "Save"], "confirm": [True],
    "goal": ["orders"], "boxes": BOXES, "recall": [1], "used": [["1"]], "outcome": ["ok"], "fromState": ["home"], "toState": ["orders"],
}  # fmt: skip


def stock(home: Path, app: str, pack: Path) -> None:
    """Make a store that knows something of every tier, and its pack."""
    with memctl.open(app, home, session="s1") as memory:
        for statement in STATEMENTS[:8]:
            memory.log(statement, speaker="Ann", session="s1")
            memory.facts.store(
                statement, metadata={"team": "Core", "tags": ["ui"], "a.b": {"c": 3}}
            )
        memory.remember(
            "Had lunch with Ann",
            "at the harbor",
            tags=["work"],
            participants=["Ann"],
            happened_at="2026-11-18",
        )
        memory.aliases.add("NYC", "New York")
        memory.journal.task("Ship the importer")
        memory.journal.pending("Write the docs")
        memory.journal.snapshot()
        memory.cache.set("page", "2")
        for page, labels in (
            ("home", ("Home", "Orders", "Save")),
            ("orders", ("Home", "Filter", "Print")),
        ):
            screen = rows(*labels)
            memory.learn(screen.image, screen.boxes, page=page)
            memory.learn(screen.image, screen.boxes, page=page)
        memory.transitions.record("home", "click:Orders", "orders", elapsed_ms=200)
        memory.transitions.commit()
        with TemporaryDirectory() as folder:
            for name, skill in (("own.json", OWN), ("mail.json", MAIL)):
                (Path(folder) / name).write_text(json.dumps(skill), "utf-8")
                memory.skills.approve(memory.skills.read(Path(folder) / name).id)
        memory.recall("Where does Ann live?")
        memory.tool_calls.add("shell", {"command": "ls"}, session="s1", ok=True)
        shared = memory.facts.store("We keep one file per app", category="decision").written
        fact = str(shared[0].id)
        memory.packs.export_pack(pack, facts=["decision"], approved=[fact])


@cache
def screen() -> Any:
    """Return a small screen that the boxes fit on."""
    return rows("Home", "Orders", "Save").image


@cache
def pictures() -> list[bytes]:
    """Return a small picture in every format that is read."""
    from PIL import Image

    made = []
    for mode, kinds in (("RGB", ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "PPM")), ("RGBA", ("PNG", "TIFF", "WEBP")), ("P", ("PNG", "GIF")), ("I;16", ("PNG", "TIFF")), ("1", ("PNG", "TIFF")), ("CMYK", ("JPEG", "TIFF"))):  # fmt: skip
        picture = Image.effect_noise((24, 20), 60).convert("RGB")
        picture = Image.new("I;16", (24, 20)) if mode == "I;16" else picture.convert(mode)
        for kind in kinds:
            file = io.BytesIO()
            picture.save(file, kind)
            made.append(file.getvalue())
    return made


@cache
def skills() -> list[Any]:
    """Return a skill of each known shape."""
    return [OWN, MAIL, json.loads(test_memoryclaw.FILES["skills/send-report.draft.json"])]


@cache
def secrets() -> list[str]:
    """Return texts of the lists that the guard is held to."""
    return [one.text for name in (*SECRETS, *HARMLESS) for one in guard_texts(name)]


@cache
def filter_words() -> list[str]:
    """Return the fields and operators of filters."""
    from memctl.semantic.fact_filters import FIELDS, OPERATORS

    return [*FIELDS, *OPERATORS, "AND", "OR", "NOT", "metadata.team"]


@cache
def sources(kind: str) -> list[Source]:
    """Return what others' programs leave: texts, tables, Markdown, or screens."""
    return [one for one in _all_sources() if _kind_of(one) == kind]


def _kind_of(source: Source) -> str:
    name, files, _ = source
    if name in {"csv", "sqlite", "json"} or any(data[:6] == b"SQLite" for data in files.values()):
        return "tables"
    if name in {"gui-memory", "needles", "openadapt"}:
        return "screens"
    return "markdown" if all(file.endswith(".md") for file in files) else "texts"


@cache
def _all_sources() -> list[Source]:
    made = []
    for name, makers in test_recognised.SOURCES.items():
        for make in makers:
            with TemporaryDirectory() as folder:
                path = make(Path(folder))
                made.append(
                    (
                        name,
                        _read(Path(folder)),
                        "" if path == Path(folder) else str(path.relative_to(folder)),
                    )
                )
    for name, write in (
        ("memoryclaw", test_memoryclaw.written), ("openclaw", test_openclaw.written), ("gui-memory", gui_app.airline),
        ("memctl", lambda folder: _exported(folder, "jsonl")), ("memctl", lambda folder: _exported(folder, "markdown")),
        ("needles", _needles), ("openadapt", _recording),
        ("markdown", lambda folder: _put(folder, "notes.md", test_openclaw.FILES["MEMORY.md"])),
    ):  # fmt: skip
        with TemporaryDirectory() as folder:
            path = Path(folder) / "in"
            write(path)
            one = {"x.jsonl": path.read_bytes()} if path.is_file() else _read(path)
            made.append((name, one, "x.jsonl" if path.is_file() else ""))
    return made


def _read(folder: Path) -> Files:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _put(folder: Path, name: str, text: str) -> None:
    folder.mkdir()
    (folder / name).write_text(text, "utf-8")


def _exported(folder: Path, layout: str) -> None:
    with TemporaryDirectory() as home:
        stock(Path(home), "agent", Path(home) / "x.pack")
        with memctl.open("agent", home) as memory:
            memory.export_to(folder, layout=layout)


def _needles(folder: Path) -> None:
    areas = [test_needles.area(20, 20, match=96, margin=50), test_needles.CLOCK]
    test_needles.needle(folder, "login", areas, "ENV-DESKTOP-kde", "login_screen")


def _recording(folder: Path) -> None:
    events: list[dict[str, Any]] = [
        {"kind": "click", "x": 460, "y": 40},
        {"kind": "type", "text": "Lima", "param": "city"},
    ]
    screens = [gui_app.home_screen(), gui_app.travel_screen(), gui_app.travel_screen()]
    test_openadapt.recording(folder, events, screens)


def changed_pack(draw: Draw, data: bytes) -> bytes:
    """Return a pack with a member changed, most with the digests that fit it."""
    if draw.chance(6):
        return draw.broken(data)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    name = draw.pick(["memory.json", "memory.json", "memory.json", *members])
    if name.endswith(".json"):
        value = json.loads(members[name])
        if name == "memory.json" and draw.byte() % 4:
            part = draw.pick([*value])
            value[part] = draw.show(draw.altered(value[part]))
            draw.show(part)
        else:
            value = draw.show(draw.altered(value))
        members[name] = json.dumps(value).encode()
    else:
        members[name] = draw.broken(members[name])
    manifest = json.loads(members["manifest.json"]) if name != "manifest.json" else None
    if manifest is not None and draw.byte() % 16:
        manifest["members"][name] = hashlib.sha256(members[name]).hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for member, content in members.items():
            packed.writestr(member, content)
    return file.getvalue()


class _Defects(logging.Handler):
    """Keeps the exceptions that the server logs as defects."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        if record.exc_info and record.exc_info[1] is not None:
            self.met.append(record.exc_info[1])


_servers: dict[int, Any] = {}


def server_of(memory: Memory) -> Any:
    """Return an MCP server of a memory, its loop, the parameters of its tools, and the defects that it logs."""
    from memctl_cli.mcp.build import build

    if id(memory) not in _servers:
        _servers.clear()
        server, loop, defects = build(memory, profile="all"), asyncio.new_event_loop(), _Defects()
        log = logging.getLogger("memctl_cli.mcp.server")
        log.handlers, log.propagate = [defects], False
        tools = {
            tool.name: tool.input_schema["properties"]
            for tool in loop.run_until_complete(server.list_tools())
        }
        _servers[id(memory)] = (memory, server, loop, tools, defects.met)
    return _servers[id(memory)][1:]


# Those that wait, serve, draw on a browser, start other programs, or write outside of the home.
_NOT_CALLED = frozenset({"wait", "watch", "mcp", "browse", "ui", "demo", "hook", "fleet"})
_NOT_CALLED_FORMS = frozenset(
    {"skills run", "skills resume", "skills record", "dream install", "dream uninstall"}
)


@cache
def _commands() -> list[tuple[list[str], Any]]:
    from memctl_cli.app import command_of

    def walk(command: Any, path: list[str]) -> list[tuple[list[str], Any]]:
        forms = getattr(command, "commands", None)
        if forms is None:
            return [(path, command)]
        return [one for name, form in forms.items() for one in walk(form, [*path, name])]

    return [
        (path, command)
        for path, command in walk(command_of(None), [])
        if path[0] not in _NOT_CALLED and " ".join(path) not in _NOT_CALLED_FORMS
    ]


def command_words(draw: Draw) -> list[str]:
    """Return the words of a call: a command, some of its arguments and options, with values of any kind."""
    from memctl_cli.command import word_of

    path, command = draw.pick(_commands())
    words = [*path]
    for word in map(word_of, command.params):
        option = next((spelling for spelling in word.spellings if spelling.startswith("--")), "")
        if option == "--help" or (draw.byte() % 3 and (option or not draw.byte() % 8)):
            continue
        words += [
            *([option] if option else []),
            *([] if word.type == "flag" else [_word(draw, word.choices)]),
        ]
    return words + ["--json"] * (draw.byte() % 2)


def _word(draw: Draw, choices: Sequence[str]) -> str:
    """Return a word as a shell hands it on, which names no place outside of the sandbox."""
    usual = (
        "1",
        "turn:1",
        "home",
        "Save",
        "open-orders",
        "recall_limit",
        "s1",
        "x.png",
        "2026-11-20",
        *QUESTIONS[:2],
        *choices,
    )
    text = draw.pick(usual) if draw.byte() % 2 else draw.text(usual)
    if draw.chance(9):
        text = json.dumps(draw.value(), ensure_ascii=False)
    half = b"\xff" if draw.chance(9) else b""  # a byte that is no UTF-8
    plain = text.replace("\0", "").lstrip("/").encode("utf-8", "replace") + half
    return plain.decode("utf-8", "surrogateescape")
