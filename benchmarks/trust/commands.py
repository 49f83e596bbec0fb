"""Every command of memctl that writes, on a small store that all of them have something to do in.

A line has the commands that go before, each with ``;`` behind it, then the one that is tried. ``~`` stands
for a space inside of a word, ``{name}`` for an id of the store, ``< file`` for what is read.
"""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import memctl
from memctl_cli.app import command_of
from memctl_cli.demo import bundle
from tests.porting.foreign_chats import lines_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APP = "harbor"
WRITING = """
learn in/archive.png --boxes in/archive.json --page archive
learn in/login.png --boxes in/login.json --page login
learn in/shots
match in/login.png --record
wait the~login in/login.png --record --timeout 1
components rename {component} the~button
components pin {component}
components pin {component} ; components unpin {component}
components forget {component} --yes
components forget {component} --yes ; components restore {component}
components erase {component} --yes
components erase {component} --yes ; components erased --lift 1
components list --png out/sheet.png
states rename {state} the~door
states ignore {state} 1,1,20,20
states merge {state} {other} --yes
states merge {state} {other} --yes ; states restore {other}
transitions record {state} click:more {other}
transitions commit
transitions discard --yes
transitions discard --yes ; transitions restore --yes
log The~heron~flew~over~the~quay
turns add in/turns.jsonl
turns archive turn:1
turns archive turn:1 ; turns restore turn:1
turns erase turn:1 --yes
remember The~quay~was~painted --tag x
episodes forget {episode}
episodes forget {episode} ; episodes restore {episode}
episodes erase {episode} --yes
recall who~waits~at~the~quay
recall who~waits ; feedback recall:1 --used turn:1
recalls forget recall:1
recalls forget recall:1 ; recalls restore recall:1
alias add quay pier
alias add quay pier ; alias remove quay pier
memory store Ann~lives~in~Porto
memory store Ann~lives~in~Porto Bo~works~at~the~mill Dana~likes~tea
memory update {fact} Berth~0~belongs~to~Bo
memory forget {fact}
memory forget {fact} ; memory restore {fact}
memory erase {fact} --yes
memory pin {fact}
memory pin {fact} ; memory unpin {fact}
memory delete-all --yes
classify --apply
extract --from-log --store
pending approve {pending}
pending reject {pending}
tokens add kai
tokens add kai ; tokens revoke kai
wal init
wal task Load~the~barge
wal plan first~this then~that
wal skill add-a-guest
wal context weather rain
wal observe The~crane~is~slow
wal decide The~crane~goes~last
wal pending Ask~Ann
wal blocker No~key
wal pending Ask~Ann ; wal done Ask~Ann
wal snapshot
wal snapshot ; wal restore
wal clear
session start tuesday
session start tuesday ; session end tuesday --summary Painted
hook start < in/start.json
hook prompt < in/prompt.json
hook prompt < in/prompt.json ; hook reply < in/reply.json
hook tool < in/tool.json
hook compact < in/compact.json
hook start < in/start.json ; hook end < in/end.json
hook install claude-code --write
cache set berth 9
cache set berth 9 ; cache remove berth
cache clear
context who~waits
dream run --apply
dream run --apply ; dream rollback 1 --yes
dream decay --apply
dream sublimate --apply
dream verify --paths in
dream palace --out out/palace
dream run --apply ; dream promote 15
skills detect --keep
skills import in/skill.json
skills import in/skill.json ; skills approve add-a-guest
skills import in/skill.json ; skills reject add-a-guest
skills import in/skill.json ; skills archive add-a-guest --why old
skills import in/skill.json ; skills update add-a-guest --description Books
skills import in/skill.json ; skills export add-a-guest out
config set forget_threshold 20
config set forget_threshold 20 ; config unset forget_threshold
config set forget_threshold 20 --home-wide
config set forget_threshold 20 --home-wide ; config unset forget_threshold --home-wide
import in/turns.jsonl
import in/notes.md
import in/mem0.json
import in/harbor.jsonl
import in/harbor-notes
import pack in/other.pack --unsigned --force
import store in/other.db --force
export pack out/harbor.pack --yes
export pack out/harbor.pack --yes ; export pack out/harbor.pack --replace --yes
export to jsonl out/lines.jsonl
export to markdown out/notes
export to markdown out/notes ; log Another ; export to markdown out/notes
export to parquet out/tables
export to openclaw out/claw
export to memoryclaw out/memoryclaw
export to gui-memory out/gui
report health --csv out/csv
report health --html out/health.html
backup
backup out/copy.db
restore in/copy.db
recover --out out/saved.db
vacuum
erase turn:2 --yes
erase --query ferry --yes
erase --component {component} --yes
doctor --fix
fleet run backup home
fleet run dream home
fleet merge harbor in/copy.db in/other.db --into out/fleet.pack --unsigned
fleet report health home --into out/parts
"""
# Several steps, each whole and kept: who does it again, says it again.
IN_STEPS = ("hook prompt", "hook start")
# What writes nothing, needs a browser, a person or a server, never ends by itself, or (hook uninstall) knows
# its own home by its path.
OTHERS = """
locate; diff; watch; path; reembed; mcp; stores; browse; ui; status; schema; demo; components show; states list;
states show; transitions list; transitions pending; turns list; turns show; episodes list; episodes show; recalls list;
recalls show; alias list; memory search; memory get; memory lookup; memory list; memory slots; memory history;
memory triage; memory guide; pending list; tokens list; wal get; wal snapshots; session list; hook uninstall; cache get;
cache list; dream status; dream candidates; dream explain; dream install; dream uninstall; dream knowledge; dream tidy;
skills show; skills trace; skills match; skills list; skills calibration; skills record; skills draft; skills run;
skills resume; skills drop; skills next; skills repair; skills feedback; config list; config get; fleet stores;
fleet push; fleet pull; fleet recall
"""


def missing() -> set[str]:
    """Return the commands of the program that are in neither list."""
    tried = {line.rpartition(" ; ")[2] for line in WRITING.strip().splitlines()}
    others = {" ".join(part.split()) for part in OTHERS.split(";")}
    names = set(_names(command_of(), ""))
    return {
        n for n in names if n not in others and not any(f"{t} ".startswith(f"{n} ") for t in tried)
    }


def _names(command: Any, name: str) -> Iterator[str]:
    below = getattr(command, "commands", None)
    if not below:
        yield name.strip().replace("import from", "import")
        return
    for word, inner in below.items():
        yield from _names(inner, f"{name} {word}")


def make_world(folder: Path) -> dict[str, str]:
    """Make a home and what the commands take in; return the ids that they name."""
    given = folder / "in"
    for name in ("in/shots", "out", "tmp", "home", "user"):
        (folder / name).mkdir(parents=True)
    for name in ("login", "archive"):
        shot = bundle.shot(name)
        (given / f"{name}.png").write_bytes(shot.png)
        (given / f"{name}.json").write_text(json.dumps(shot.boxes_file()), "utf-8")
    for name in ("archive.png", "archive.json"):
        shutil.copy(given / name, given / "shots" / name)
    places = _make_store(folder / "home", given)
    _make_others(given)
    return places


def _make_store(home: Path, given: Path) -> dict[str, str]:
    with memctl.open(APP, home, session="monday") as memory:
        for name in ("login", "settings"):
            shot = bundle.shot(name)
            memory.learn(shot.png, shot.boxes_file(), page=name)
        for seen in memory.states.list():
            memory.states.rename(seen.id, f"the {seen.page}")
        state, other = (state.id for state in memory.states.list())
        for start, end in ((state, other), (other, state)) * 3:
            memory.transitions.record(start, "click:go", end, session="monday")
            memory.transitions.commit()
        memory.transitions.record(state, "click:go", other, session="monday")
        for turn in range(12):
            memory.log(f"Berth {turn}: Ann waits at the ferry. I prefer tea {turn}.", speaker="Ann")
        facts = [memory.facts.store(f"Berth {n} belongs to Ann's company").ids[0] for n in range(4)]
        episode = memory.remember("The quay was inspected", tags=["x"])
        memory.recall("who waits at the quay?")
        memory.journal.task("Load the ferry")
        memory.cache.set("berth", "7")
        memory.facts.store("The ferry leaves at nine", about="ferry.leaves")
        waiting = memory.facts.store("Osprey uses Kafka", confidence="low", source="log:1").ids[0]
        component = memory.components.list()[0].name
        memory.backup(given / "copy.db")
        memory.export_to(given / "harbor.jsonl", "jsonl")
        memory.export_to(given / "harbor-notes")
    return {
        "state": state, "other": other, "fact": facts[0], "component": component.replace(" ", "~"), "episode": str(episode),
        "pending": waiting,
    }  # fmt: skip


def _make_others(given: Path) -> None:
    with memctl.open("pier", given / "elsewhere") as memory:
        shot = bundle.shot("archive")
        memory.learn(shot.png, shot.boxes_file(), page="archive")
        memory.log("The pier is closed")
        memory.facts.store("Zoe lives in Lyon")
        memory.backup(given / "other.db")
        memory.packs.export_pack(given / "other.pack")
    shutil.rmtree(given / "elsewhere")
    turns = [
        {"role": "user", "session": f"s{n % 3}", "text": f"Buoy {n} is lit"} for n in range(120)
    ]
    lines_file(given / "turns.jsonl", turns)
    (given / "notes.md").write_text("# Harbor\n\n- Ann likes tea\n- Bo lives in Porto\n", "utf-8")
    facts = {"results": [{"id": f"m{n}", "memory": f"Dana owns boat {n}"} for n in range(9)]}
    (given / "mem0.json").write_text(json.dumps(facts), "utf-8")
    call = {"session_id": "s1", "transcript_path": "t.jsonl", "cwd": "."}
    for name, event, more in (
        ("start", "SessionStart", {"source": "startup"}),
        ("prompt", "UserPromptSubmit", {"prompt": "We decided to keep invoices for 18 months."}),
        ("reply", "Stop", {"last_assistant_message": "It is done."}),
        ("tool", "PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}}),
        ("compact", "PreCompact", {"trigger": "auto"}),
        ("end", "SessionEnd", {"reason": "exit"}),
    ):  # fmt: skip
        words = {**call, "hook_event_name": event, **more}
        (given / f"{name}.json").write_text(json.dumps(words), "utf-8")
    skill = files("memctl_cli.demo.app").joinpath("add-a-guest.json")
    (given / "skill.json").write_bytes(skill.read_bytes())
