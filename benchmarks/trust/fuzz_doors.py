"""The public doors that hostile input comes to, each with seeds that it is made of.

A door takes a `Draw` and a `Sandbox`; it returns, or raises an error of memctl's own. Anything else is a
finding, and so is a row that cannot be read again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl
from benchmarks.trust import fuzz_seeds
from memctl.base.errors import MemctlError
from memctl.base.home import default_home, parse_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.trust.fuzz_input import Draw
    from memctl.memory import Memory

_APP = "chromium/harbor.example"
_FRESH_AFTER = 40  # trials of a door that writes for good


class DefectError(Exception):
    """A promise that an answer broke, though nothing was raised."""


class _TakenBackError(Exception):
    """Takes back what a trial has written."""


class Door(NamedTuple):
    """A door: what is done with an input, and whether a transaction around it takes it back."""

    run: Callable[[Draw, Sandbox], object]
    rolls_back: bool = True


class Sandbox:
    """A home of its own, with a store that knows something of everything, as it was before each trial."""

    def __init__(self, folder: Path, stocked: Path) -> None:
        self._folder = folder
        self._trials = 0
        self._template = stocked
        self.pack = stocked / "harbor.pack"
        self.home = folder / "home"
        self.scratch = folder / "a" / "b" / "c" / "d" / "e"
        self._memory: Memory | None = None
        self._clean()
        self.renew()

    @property
    def memory(self) -> Memory:
        """The open memory of the app."""
        if self._memory is None:
            self._memory = memctl.open(_APP, self.home, session="s1")
        return self._memory

    @contextmanager
    def trial(self, *, rolls_back: bool) -> Iterator[None]:
        """Give a trial the store as it was, and leave nothing of it."""
        if not rolls_back:
            if self._trials % _FRESH_AFTER == 0:
                self.renew()
            self._trials += 1
            yield
            self._clean()
            return
        try:
            with suppress(_TakenBackError), self.memory.store.transaction():
                yield
                raise _TakenBackError
        finally:
            self._clean()

    def renew(self) -> None:
        """Close the store, and put the one there that was stocked."""
        self.close()
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self._template, self.home)
        os.environ["MEMCTL_HOME"] = str(self.home)
        self._trials = 0

    def close(self) -> None:
        """Close the store."""
        if self._memory is not None:
            self._memory.close()
        self._memory = None

    def _clean(self) -> None:
        os.chdir(self._folder)
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        os.chdir(self.scratch)


def stocked(folder: Path) -> Path:
    """Make the home that every sandbox is a copy of, and keep all that memctl reads of the surroundings in it."""
    home = folder / "stocked"
    (folder / "user").mkdir()
    os.environ.update(
        HOME=str(folder / "user"),
        MEMCTL_BROWSER_PATH=str(folder / "no-browser"),
        MEMCTL_DEBUG="1",
        MEMCTL_NOW="2026-11-20T16:33:04Z",
    )
    fuzz_seeds.stock(home, _APP, home / "harbor.pack")
    return home


def look(draw: Draw, memory: Memory) -> None:
    """Read all that a store holds, as its user would: a stored row must not break a later call."""
    if broken := memory.store.rows("pragma foreign_key_check"):
        raise DefectError(f"a reference leads nowhere: {tuple(broken[0])}")
    lists: list[Any] = [
        memory.facts.list(limit=-1), memory.turns.list(limit=-1), memory.episodes.list(limit=-1),
        memory.aliases.list(), memory.skills.list(), memory.components.list(), memory.states.list(),
        memory.transitions.list(), memory.journal.get(), memory.recalls.list(),
    ]  # fmt: skip
    repr(lists)
    if draw.chance(6):
        memory.recall("Where does Ann live?", record=False)
        memory.context("What about Ann?")
        memory.active("Where does Ann live?")
        for skill in memory.skills.list():
            with suppress(MemctlError):
                memory.skills.foresee(skill.id)
    if draw.chance(12):
        layout = draw.pick(("jsonl", "markdown", "openclaw", "memoryclaw"))
        with suppress(memctl.UsageError):
            memory.export_to("out", layout=layout)
        for check in () if memory.store.writing else memory.doctor():
            if not check.ok and check.check != "permissions":
                raise DefectError(f"doctor: {check}")


def _asked(draw: Draw, **seeds: Any) -> dict[str, Any]:
    """Return some of these arguments, with values of their kind or of any."""
    return {
        name: draw.value()
        if draw.chance(16)
        else draw.text()
        if draw.chance(8)
        else draw.pick(values)
        for name, values in seeds.items()
        if draw.byte() % 3 == 0
    }


# -- screens ----------------------------------------------------------------------------------


def _image(draw: Draw, box: Sandbox) -> None:
    data = draw.show(draw.broken(draw.pick(fuzz_seeds.pictures())))
    if draw.byte() % 3:
        box.memory.match(data)
    else:
        box.memory.learn(data, [{"x": 1, "y": 1, "w": 9, "h": 9, "label": "A"}])
        look(draw, box.memory)


def _boxes(draw: Draw, box: Sandbox) -> None:
    value = draw.show(
        draw.altered(draw.pick(fuzz_seeds.BOXES), ["covered", "scale", "field", "row", "button"])
    )
    given: Any = value
    match draw.byte() % 4:
        case 0:
            given = draw.json(value)
        case 1:
            given = draw.json(value).decode("utf-8", "replace")
        case 2 if isinstance(value, list):
            given = [tuple(one.values()) if isinstance(one, dict) else one for one in value]
        case _:
            pass
    more = _asked(
        draw,
        page=["home"],
        title=["Inbox"],
        app_version=["1.2"],
        window=[(0, 0, 90, 60)],
        ignore=[[(1, 1, 5, 5)]],
    )
    box.memory.learn(fuzz_seeds.screen(), given, **draw.show(more))
    look(draw, box.memory)


# -- files ------------------------------------------------------------------------------------


def _put(draw: Draw, files: dict[str, bytes], folder: Path) -> None:
    """Write a seed's files into a folder, one of them changed."""
    wrong = draw.show(draw.pick([*files]))
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if name == wrong and data[:6] == b"SQLite":
            draw.database(path)
        elif name == wrong:
            path.write_bytes(draw.show(draw.file(name, data)))


def _importing(kind: str) -> Callable[[Draw, Sandbox], None]:
    def run(draw: Draw, box: Sandbox) -> None:
        seeds = fuzz_seeds.sources(kind)
        name, files, alone = draw.pick(seeds)
        _put(draw, files, Path("in"))
        options = {
            "columns": {
                draw.text(["who", "body", "sent"]): draw.pick(
                    ("text", "speaker", "logged_at", "importance", "key")
                )
            }
        }
        done = box.memory.import_from(
            Path("in", alone) if alone else "in",
            None if draw.chance(6) else name,
            options=options
            if draw.chance(5)
            else {"table": draw.text(["chat"])}
            if draw.chance(9)
            else None,
        )
        repr(done)
        look(draw, box.memory)

    return run


def _skills(draw: Draw, box: Sandbox) -> None:
    seed = draw.pick(fuzz_seeds.skills())
    data = (
        draw.json(draw.show(draw.altered(seed, fuzz_seeds.SKILL_WORDS)))
        if draw.byte() % 8
        else draw.broken(json.dumps(seed).encode())
    )
    name = draw.pick(("skill.json", "sk/skill.json", "a b.draft.json"))
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_bytes(data)
    made = box.memory.skills.read(Path(name).parent if draw.chance(5) else name)
    skills = box.memory.skills
    with suppress(MemctlError):
        skills.approve(made.id)
    repr(skills.get(made.id))
    skills.match("open the orders of Ann")
    with suppress(MemctlError):
        skills.foresee(made.id, {draw.text(["to", "who"]): draw.text(["Ann"])})
    with suppress(MemctlError):
        box.memory.skills.read(skills.export(made.id, "out"))
    look(draw, box.memory)


def _packs(draw: Draw, box: Sandbox) -> None:
    data = fuzz_seeds.changed_pack(draw, box.pack.read_bytes())
    Path("x.pack").write_bytes(data)
    repr(box.memory.packs.import_pack("x.pack", unsigned=True, force=draw.byte() % 4 > 0))
    look(draw, box.memory)


def _settings(draw: Draw, box: Sandbox) -> None:
    from memctl.config.settings import Settings

    text = draw.show(
        draw.mixed(fuzz_seeds.SETTINGS, ["[", "= ", '"""', "\n", *box.memory.settings])
    )
    (box.home / "settings.toml").write_bytes(
        text.encode("utf-8", "surrogatepass")
        if draw.byte() % 8
        else draw.broken(text.encode("utf-8", "replace"))
    )
    try:
        with memctl.open(_APP, box.home) as memory:
            with suppress(memctl.UsageError):
                repr(memory.settings.list())
            settings = Settings(memory.store)
            names, home_wide = [*settings], draw.byte() % 2 == 1
            name = draw.show(draw.pick(names))
            try:
                settings.set(
                    name, draw.show(draw.value(["1", "0.5", "true", "off"], 0)), home_wide=home_wide
                )
            except (memctl.UsageError, memctl.RefusedError):
                return
            memory.recall("Where does Ann live?")
            memory.context("Where does Ann live?")
            settings.unset(name, home_wide=home_wide)
    finally:
        (box.home / "settings.toml").unlink(missing_ok=True)


def _hosts(draw: Draw, box: Sandbox) -> None:  # noqa: ARG001
    from memctl_cli.hooks.host_files import install_in, uninstall_from
    from memctl_cli.hooks.install import Change

    json_text = draw.mixed(fuzz_seeds.HOST_JSON, ["/*", "//", ",", "}", "{", "'"])
    if draw.byte() % 2:
        json_text = draw.json(
            draw.altered(json.loads(fuzz_seeds.HOST_JSON), ["hooks", "mcpServers"])
        ).decode("utf-8", "replace")
    files = {
        "host.json": json_text,
        "host.toml": draw.mixed(fuzz_seeds.HOST_TOML, ["[", "]", '"""', "="]),
    }
    for name, text in draw.show(files).items():
        Path(name).write_bytes(text.encode("utf-8", "surrogatepass"))
    changes = [
        Change(Path("host.json"), ("hooks", "Stop"), {"hooks": [{"type": "command"}]}, "add"),
        Change(Path("host.json"), ("version",), 1, "ensure"),
        Change(
            Path("host.toml"), ("mcp_servers", "memctl"), {"command": "memctl", "args": ["mcp"]}
        ),
        Change(Path("host.json"), ("mcpServers", "memctl"), {"command": "memctl"}),
    ]
    receipt = Path("receipt.json")
    for change in (install_in, uninstall_from):
        before = {name: Path(name).read_bytes() for name in files}
        if receipt.exists() and draw.byte() % 2:
            receipt.write_bytes(draw.show(draw.file("receipt.json", receipt.read_bytes())))
        try:
            change(changes[draw.byte() % 4 :], receipt, write=True)
        except MemctlError:
            if before != {name: Path(name).read_bytes() for name in files}:
                raise DefectError("a host's file was changed by halves") from None
            raise


# -- words ------------------------------------------------------------------------------------


def _filters(draw: Draw, box: Sandbox) -> None:
    seeds = [*fuzz_seeds.filter_words(), "Ann", "*", "2026-11-20", "a.b"]
    filters = draw.show(draw.altered(draw.pick(fuzz_seeds.FILTERS), seeds))
    facts = box.memory.facts
    kept = {fact.id for fact in facts.list(filters=filters)}
    facts.search("Where does Ann live?", filters=filters)
    rest = {fact.id for fact in facts.list(filters={"NOT": [filters]})} if filters else set()
    if kept & rest:
        raise DefectError(f"a fact passes a filter and its contrary: {kept & rest}")


def _addresses(draw: Draw, box: Sandbox) -> None:
    text = draw.show(
        draw.mixed(draw.pick(fuzz_seeds.ADDRESSES), [":", "/", "@", "[", "]", "%", "www.", "."])
    )
    if draw.chance(6):
        default_home(text)
    address = parse_address(text)
    path = address.path(box.home)
    if box.home.resolve() not in path.resolve().parents or parse_address(str(address)) != address:
        raise DefectError(f"{text!r} leads to {path}")
    if draw.chance(20):
        with memctl.open(text, box.home) as memory:
            repr(memory.status())


def _times(draw: Draw, box: Sandbox) -> None:
    said = draw.mixed(draw.pick(fuzz_seeds.TIMES), fuzz_seeds.TIMES)
    memory, which = box.memory, draw.byte() % 8
    draw.show((which, said))
    if which < 3:
        memory.recall(f"What happened {said}?", record=False)
    elif which == 3:
        asked: dict[str, Any] = {draw.pick(("since", "until", "as_of", "now")): said}
        memory.recall("Ann", record=False, **asked)
    elif which == 4:
        memory.log(
            f"We met {said}",
            logged_at=draw.pick((said, None, "0001-01-01", "9999-12-31T23:59:59Z")),
        )
    elif which == 5:
        times = (said, None) if draw.byte() % 2 else (None, said)
        memory.facts.store(f"Ann moved to Porto {said}", valid_from=times[0], expires_at=times[1])
    elif which == 6:
        memory.remember(f"Lunch {said}", happened_at=draw.pick((said, None)))
    else:
        memory.log(f"Remind me {said} to call Bo")
        memory.extract()
    if which > 3:
        look(draw, memory)


def _guard(draw: Draw, box: Sandbox) -> None:
    from memctl.guard.secret_search import find_secret, mask_secrets

    del box
    text = draw.show(draw.mixed(draw.text(fuzz_seeds.secrets()), fuzz_seeds.SECRET_WORDS))
    masked = mask_secrets(text)
    if find_secret(text) and masked == text:
        raise DefectError("a secret is found and not masked")
    if (rule := find_secret(masked)) and find_secret(mask_secrets(masked)):
        raise DefectError(f"masked twice, and {rule} still finds a secret: {masked[:300]!r}")


def _recall(draw: Draw, box: Sandbox) -> None:
    query = draw.show(
        draw.text(fuzz_seeds.QUESTIONS) if draw.byte() % 8 else draw.value(fuzz_seeds.QUESTIONS)
    )
    asked = _asked(
        draw, limit=[1, 5, 1000], max_tokens=[0, 10, 400], as_of=["2026-11-20"], since=["yesterday", "2026-01-01"],
        until=["2026-12-01"], tags=[["work"]], participants=[["Ann"]], thread=["s1"], status=["all", "archived"],
        kinds=[["turn"], ["fact", "state"]], min_confidence=[0.5], min_worth=[0, 0.3],
    )  # fmt: skip
    recalled = box.memory.recall(query, **draw.show(asked))
    for row in recalled:
        repr(row.explain)
    if len(recalled):
        row = recalled[0]
        box.memory.why_not(query, f"{row.kind}:{row.id}" if row.kind != "fact" else str(row.id))
    box.memory.context(query if isinstance(query, str) else None, draw.pick((None, 20, 800)))
    box.memory.active(query if isinstance(query, str) else "Ann")


def _texts(draw: Draw, box: Sandbox) -> None:
    memory, text, other = (
        box.memory,
        draw.show(draw.text(fuzz_seeds.STATEMENTS)),
        draw.show(draw.text(fuzz_seeds.STATEMENTS)),
    )
    match draw.show(draw.byte() % 9):
        case 0:
            memory.log(
                draw.pick((text, draw.value())),
                session=draw.pick((None, other)),
                speaker=draw.pick((None, other)),
                details=other,
            )
        case 1:
            memory.remember(
                text, other, tags=[other], participants=[other], thread=draw.pick((None, other))
            )
        case 2:
            memory.facts.store(
                text,
                metadata=draw.pick((None, {other: draw.value()})),
                source=draw.pick((None, other)),
                about=draw.pick((None, other)),
            )
        case 3:
            memory.facts.store(
                [{"subject": text, "attribute": other, "value": draw.text(fuzz_seeds.STATEMENTS)}]
            )
        case 4:
            memory.aliases.add(text, other)
        case 5:
            getattr(
                memory.journal,
                draw.pick(("task", "observe", "decide", "pending", "blocker", "done", "skill")),
            )(text)
            memory.journal.context(other, text)
        case 6:
            memory.at_once(text)
        case 7:
            memory.log(text)
            memory.extract()
        case _:
            memory.facts.update(memory.facts.list()[0].id, text=text)
    look(draw, memory)
    memory.recall(text, record=False)


def _hooks(draw: Draw, box: Sandbox) -> None:
    from memctl_cli.hooks.answers import answer_hook
    from memctl_cli.hooks.host_calls import read_host_call

    event, seed = draw.pick(fuzz_seeds.HOOKS)
    data = (
        draw.json(draw.show(draw.altered(seed, fuzz_seeds.HOOK_WORDS)))
        if draw.byte() % 8
        else draw.broken(json.dumps(seed).encode())
    )
    call = read_host_call(event, data)
    answer, problem = answer_hook(box.memory, call)
    json.dumps(answer)
    if problem is not None and not isinstance(problem, MemctlError):
        raise problem
    look(draw, box.memory)


def _erasures(draw: Draw, box: Sandbox) -> None:
    asked = _asked(
        draw, query=["Ann"], component=["Save"], state=["home"], participant=["Ann"], before=["2026-11-20"],
        why=["asked"],
    )  # fmt: skip
    ids = [
        draw.text(
            ["turn:1", "episode:1", "recall:1", "journal:1", "snapshot:1", "call:1", "k_1", "f_"]
        )
        for _ in range(draw.byte() % 3)
    ]
    receipt = box.memory.erase(
        *draw.show(ids), **draw.show(asked), dry_run=draw.byte() % 2 == 0, confirm=True
    )
    repr(receipt)
    look(draw, box.memory)


# -- calls ------------------------------------------------------------------------------------


def _mcp(draw: Draw, box: Sandbox) -> None:
    server, loop, tools, defects = fuzz_seeds.server_of(box.memory)
    name = draw.pick([*tools])
    arguments: dict[str, Any] = {}
    for parameter, schema in tools[name].items():
        if draw.byte() % 3 != 1:
            values = [*schema.get("enum", ()), *fuzz_seeds.MCP_WORDS.get(parameter, ())]
            arguments[parameter] = (
                draw.pick(values)
                if values and draw.byte() % 2
                else draw.value(fuzz_seeds.STATEMENTS)
            )
    if draw.chance(9):
        arguments[draw.text(["user_id", "all", "filters"])] = draw.value()
    draw.show((name, arguments))
    result = loop.run_until_complete(server.call_tool(name, arguments))
    if defects:
        raise defects.pop()
    for part in result.content if hasattr(result, "content") else result:
        part.model_dump_json() if hasattr(part, "model_dump_json") else json.dumps(part)
    look(draw, box.memory)


def _commands(draw: Draw, box: Sandbox) -> None:
    from memctl_cli.program import _run

    words = fuzz_seeds.command_words(draw)
    box.close()
    out, error = io.StringIO(), io.StringIO()
    given, sys.stdin = (
        sys.stdin,
        io.TextIOWrapper(io.BytesIO(draw.json(draw.value())), "utf-8", "surrogateescape"),
    )
    try:
        with redirect_stdout(out), redirect_stderr(error):
            try:
                code: Any = _run(draw.show(words))
            except SystemExit as ended:
                code = ended.code
    finally:
        sys.stdin = given
    if code not in {0, 1, 2, 3, 4, 5, 6}:
        raise DefectError(f"exit code {code}: {error.getvalue()[-300:]}")
    if "a defect in memctl" in out.getvalue() + error.getvalue():
        raise DefectError(error.getvalue()[-300:] or out.getvalue()[-300:])
    if "--json" in words and code != 0:
        json.loads(out.getvalue())
    if code == 5:
        raise DefectError(
            f"a whole store is said to be none: {error.getvalue()[-300:]} {out.getvalue()[-300:]}"
        )


RUNS = {
    "image": Door(_image),
    "boxes": Door(_boxes),
    "filters": Door(_filters),
    "skills": Door(_skills),
    "imports": Door(_importing("texts")),
    "tables": Door(_importing("tables")),
    "screens": Door(_importing("screens")),
    "markdown": Door(_importing("markdown")),
    "packs": Door(_packs),
    "addresses": Door(_addresses),
    "hooks": Door(_hooks),
    "hosts": Door(_hosts),
    "mcp": Door(_mcp, rolls_back=False),
    "settings": Door(_settings, rolls_back=False),
    "times": Door(_times),
    "guard": Door(_guard),
    "recall": Door(_recall),
    "texts": Door(_texts),
    "erasures": Door(_erasures, rolls_back=False),
    "commands": Door(_commands, rolls_back=False),
}
