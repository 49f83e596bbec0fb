"""Writes examples/every_name.py from the code: ``python -m tests.docs.every_name``.

Each public name stands there in a call with the arguments that it cannot do without: a type checker
that is content with the file has read every signature, and the stub of the asyncio face.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from memctl.async_memory import COLLECTIONS, IN_STEPS, collection_class

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EXAMPLE", "example"]

EXAMPLE = Path(__file__).parents[2] / "examples" / "every_name.py"
_HEAD = '''\
"""Every public name of memctl once, with the arguments that it cannot do without.

It is read by type checkers and by people; nothing calls these functions. Written by
`python -m tests.docs.every_name`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from memctl.drivers.done_acts import DoneAct
    from memctl.procedural.skill_records import SkillDraft
    from memctl.semantic.fact_input import FactInput
    from memctl.text.splitting import Splitter, Token
    from memctl.working.context import Context

ERRORS = (
'''
_STORES = '''\
)


def stores() -> memctl.Memory:
    """Use whole stores."""
    memctl.diff("before.png", "after.png")
    memctl.recover()
    memctl.stores()
    memctl.report("health")
    memctl.restore("backup.db")
    return memctl.open("notes")


def awaited() -> memctl.AsyncMemory:
    """Open a memory for asyncio."""
    return memctl.aopen("notes")
'''
_OBJECTS = """\
    acts: Sequence[DoneAct],
    draft: SkillDraft,
    facts: Sequence[FactInput],
    made: Context,
    page: Page,
    question: Sequence[Token],
    words: Splitter,
"""
# What stands for a parameter: by its name, or by the method and its name.
_SAMPLES = {
    "acts": "acts", "draft": "draft", "facts": "facts", "made": "made", "page": "page", "words": "words",
    "expand.question": "question", "action": '"click:Save"', "areas": "[(0, 0, 90, 20)]",
    "categories": '["rule"]', "hook": '"prompt"', "Log.ids": "[1]", "Episodes.ids": "[1]",
    "names_of.ids": '["s_1a2b3c"]', "Memory.ids": '"turn:1"', "image": '"shot.png"', "first": '"Save"',
    "several.keys": '"recall_limit"', "folder": '"skills"', "path": '"there"', "item": '"tests"',
    "Settings.key": '"recall_limit"', "key": '"Save"', "name": '"Save"', "steps": '["look", "click"]',
    "add_many.episodes": '[{"summary": "It was late"}]',
    "turns": '[{"text": "It is late"}]', "mark_processed.turns": "[1]", "memory_id": '"f_1a2b3c"',
    "row": '"turn:1"', "term": '"NYC"', "synonym": '"New York"', "value": '"20"', "view": '"timeline"',
    "verdict": '"ok"', "report.name": '"health"', "rename.name": '"Keep"', "text": '"It is late"',
    "last_used_at": '"2026-11-20T16:33:04Z"',
}  # fmt: skip


def example() -> str:
    """Return the example."""
    public = [getattr(memctl, name) for name in memctl.__all__]
    errors = [
        kind.__name__ for kind in public if isinstance(kind, type) and "Memory" not in str(kind)
    ]
    whole = _HEAD + "".join(f"    memctl.{name},\n" for name in errors) + _STORES
    for kind, opening, end in (("Memory", "", ""), ("AsyncMemory", "await ", "()")):
        head = f"{'async ' * bool(opening)}def use_{kind.lower()}(\n    m: memctl.{kind},\n"
        uses = "".join(f"    {line}\n" for line in _uses(opening, end))
        whole += f'\n\n{head}{_OBJECTS}) -> None:\n    """Use what a {kind} has."""\n{uses}'
    return whole


def _uses(opening: str, end: str) -> Iterator[str]:
    """Yield a statement for each member; to be awaited, where it is opened so."""
    kinds: dict[str, type] = {"m": memctl.Memory}
    kinds |= {f"m.{name}": collection_class(name) for name in COLLECTIONS}
    if not opening:
        kinds["m.screenshots"] = type(memctl.open("notes").screenshots)
    for spoken, of in kinds.items():
        for name, member in inspect.getmembers_static(of):
            if name.startswith("_") or name == "close" or (opening and name in IN_STEPS):
                continue
            if isinstance(member, property):
                yield f"_ = {opening}{spoken}.{name}{end}"
            elif inspect.isfunction(member):
                yield f"{opening}{spoken}.{name}({_arguments(of, name, member)})"
    yield f"{opening}m.components.pin(keys=[1, 2])"
    yield f"{opening}m.close()"
    if opening:
        yield "await m.run(lambda memory: memory.session)"
        yield "_ = [turn.text async for turn in m.turns]"
        yield "_ = await m.facts.length(), await m.facts.contains(1)"


def _arguments(of: type, name: str, method: Any) -> str:
    given = []
    taken = list(inspect.signature(inspect.unwrap(method)).parameters.values())[1:]
    for parameter in taken:
        needed = (
            parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        )
        if not needed and not (parameter.name == "key" and of.__name__ == "Components"):
            continue
        tried = (f"{name}.{parameter.name}", f"{of.__name__}.{parameter.name}", parameter.name)
        number = "1" if str(parameter.annotation) == "int" else '"Save"'
        sample = next((_SAMPLES[key] for key in tried if key in _SAMPLES), number)
        keyword = f"{parameter.name}=" if parameter.kind is parameter.KEYWORD_ONLY else ""
        given.append(keyword + sample)
    return ", ".join(given)


if __name__ == "__main__":
    EXAMPLE.write_text(example(), encoding="utf-8")
