"""gui-memory (GUIClaw): a folder an app or site, its pictures beside five JSON files.

``meta.json``, ``components.json``, ``states.json``, ``transitions.json``, ``workflows.json``, or all of it
in an older ``profile.json``; ``components/*.png``; ``workflows/*.json`` and ``meta_workflows/*.json``;
``templates/index.json`` of the oldest. A site of a browser is a store of its own: it is named, not taken.
Full screenshots in ``pages/`` are not kept: they only show the words of a state whose components all
stand on one. Times without a zone are UTC.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UnusableInputError
from memctl.porting.foreign_records import (
    ComponentRecord,
    FactRecord,
    Format,
    PictureFile,
    ScreenSkillRecord,
    StateRecord,
    TransitionRecord,
    UnreadRecord,
)
from memctl.porting.foreign_values import (
    middle_of,
    number_of,
    object_in,
    picture_in,
    size_of,
    strings_of,
    text_of_value,
    time_of,
    whole,
)
from memctl.procedural.parameters import parameter_name
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name
from memctl.visual.graph.foreign_screens import ForeignComponent, ForeignState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, Records

_TOP = ("meta", "profile", "components", "index")
_PARTS = ("components", "states", "transitions", "workflows")
_OF_APPS = ("components.json", "profile.json")
_FOLDERS = frozenset({"workflows", "meta_workflows"})
_LABELS = ("label", "page", "row", "section")
_SAME_SCREEN = 0.85


def _recognises(path: Path) -> bool:
    """Return whether a path is an app's folder, its profile, or a folder of apps or workflows."""
    if path.is_file():
        return path.name == "profile.json"
    if path.name in _FOLDERS:
        return any(path.glob("*.json"))
    names = (*_OF_APPS, "index.json", "templates/index.json")
    return any((path / name).is_file() for name in names) or bool(_apps(path))


def _read(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield components, states, transitions, workflows and tips of one app or site."""
    del options
    folder = path.parent if path.is_file() else path
    apps = _apps(folder)
    if apps:
        raise UnusableInputError(
            f'"{path}" holds {len(apps)} apps: {", ".join(app.name for app in apps[:5])}',
            hint=f"each is a store: memctl --app {apps[0].name} import gui-memory {apps[0]}",
        )
    app = _AppFolder(folder)
    yield from app.components()
    yield from app.templates()
    yield from app.states()
    yield from app.transitions()
    yield from app.workflows()
    for number, tip in enumerate(strings_of(app.meta.get("tips"))):
        yield FactRecord(where=f"meta.json: tips[{number}]", text=tip, category="lesson")
    yield from _sites(folder, text_of_value(app.meta.get("app")) or folder.name)


def _apps(folder: Path) -> list[Path]:
    """Return the folders of apps where a folder is none itself."""
    if not folder.is_dir() or any((folder / f"{name}.json").exists() for name in _TOP):
        return []
    below = [folder / "apps", folder] if (folder / "apps").is_dir() else [folder]
    return sorted(app for place in below for app in place.iterdir() if _is_app(app))


def _is_app(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _OF_APPS)


def _sites(folder: Path, app: str) -> Records:
    sites = folder / "sites"
    for site in filter(_is_app, sorted(sites.iterdir()) if sites.is_dir() else ()):
        meta = object_in(site / "meta.json", folder)
        domain = text_of_value(meta.get("domain")) or site.name.replace("_", ".")
        command = f'memctl --app "chromium/{domain}" import gui-memory "{site}"'
        yield UnreadRecord(
            f"sites/{site.name}", f"a site of {app} is a store of its own: {command}", counts=False
        )


class _AppFolder:
    """The folder of an app, its JSON read at once: what is broken there ends the import."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = {name: object_in(folder / f"{name}.json", folder) for name in ("meta", *_PARTS)}
        if not (folder / "meta.json").exists():
            profile = object_in(folder / "profile.json", folder)
            files["meta"] = profile
            for name in _PARTS:
                files[name] = files[name] or _part_of(profile.get(name), folder, name)
        self.meta = files["meta"]
        self._components, self._states, self._ways, self._flows = (files[part] for part in _PARTS)
        self._now = clock.now()
        self._size = size_of(self.meta.get("img_size")) or size_of(self.meta.get("retina_img_size"))

    # -- components ----------------------------------------------------------------------

    def components(self) -> Records:
        """Yield the components that have a picture; name the others."""
        for name, about in self._components.items():
            where = f"components.json: {name:.80}"
            if not isinstance(about, dict):
                yield UnreadRecord(where, "no object")
                continue
            more = about.get("looks")  # which memctl has written
            looks = (
                [look for look in more if isinstance(look, dict)] if isinstance(more, list) else []
            )
            try:
                pictures = (
                    self._picture(about.get("icon_file"), about),
                    *(self._picture(look.get("file"), look) for look in looks),
                )
            except UnusableInputError as error:
                yield UnreadRecord(where, error.message)
                continue
            yield ComponentRecord(
                where=where, key=name, about=self._component(name, about), looks=pictures
            )

    def _picture(self, name: object, about: Mapping[str, Any]) -> PictureFile:
        scale = number_of(about.get("scale"), 1.0) or 1.0
        usual = 0.1 <= scale <= 10  # noqa: PLR2004  (no screen has another)
        return picture_in(self._folder, name, scale=scale if usual else 1.0)

    def _component(self, name: str, about: Mapping[str, Any]) -> ForeignComponent:
        x, y = number_of(about.get("rel_x")), number_of(about.get("rel_y"))
        learned = time_of(about.get("learned_at")) or self._now
        given: dict[str, Any] = {
            **{key: text_of_value(about.get(key)) for key in ("type", "source")},
            **{key: text_of_value(about.get(key)) or None for key in _LABELS},
            **{key: about.get(key) is True for key in ("pinned", "cut", "field")},
        }
        return ForeignComponent(
            name=name,
            middle=None if x is None or y is None else (x, y),
            confidence=min(max(number_of(about.get("confidence"), 1.0) or 0.0, 0.0), 1.0),
            learned_at=learned,
            last_seen_at=time_of(about.get("last_seen")) or learned,
            seen_count=whole(about.get("seen_count"), 1, least=1),
            misses=whole(about.get("consecutive_misses"), 0),
            screens_learned=whole(self.meta.get("detect_count"), 0),
            **given,
        )

    def templates(self) -> Records:
        """Yield the pictures of the oldest form, each found by its index."""
        for folder in (self._folder, self._folder / "templates"):
            for name, about in object_in(folder / "index.json", self._folder).items():
                where = f"{folder.name}/index.json: {name:.80}"
                if not isinstance(about, dict):
                    yield UnreadRecord(where, "no object")
                    continue
                try:
                    picture = picture_in(folder, about.get("template"))
                except UnusableInputError as error:
                    yield UnreadRecord(where, error.message)
                    continue
                learned = time_of(about.get("created")) or self._now
                component = ForeignComponent(
                    name=name,
                    type="icon",
                    source=text_of_value(about.get("source")),
                    label=name,
                    middle=middle_of(about.get("original_region")),
                    learned_at=learned,
                    last_seen_at=time_of(about.get("last_matched")) or learned,
                    seen_count=whole(about.get("match_count"), 0) + 1,
                )
                yield ComponentRecord(where=where, key=name, about=component, looks=(picture,))

    # -- states and the ways between them ------------------------------------------------

    def states(self) -> Records:
        """Yield the states of every shape, then the pages that no state shows."""
        sets: list[set[str]] = []
        for key, about in self._states.items():
            where = f"states.json: {key:.80}"
            if not isinstance(about, dict):
                yield UnreadRecord(where, "no object")
                continue
            named = _defining(about) or self._bearing(strings_of(about.get("visible_texts")))
            unknown = [name[:40] for name in named if name not in self._components]
            if unknown:
                why = f"components.json has no {', '.join(unknown[:5])}"
                yield UnreadRecord(where, why, counts=False)
            sets.append(set(named))
            pages = (self._components[name] for name in named if name in self._components)
            screen = self._screen(text_of_value(_object(about).get("page")) for about in pages)
            state = self._state(key, about)
            yield StateRecord(where=where, key=key, about=state, components=named, screen=screen)
        pages_of_app = self.meta.get("pages")
        for name, about in _object(pages_of_app).items():
            held = strings_of(_object(about).get("components"))
            if held and not any(_alike(set(held), known) > _SAME_SCREEN for known in sets):
                seen = time_of(about.get("learned_at")) or self._now
                yield StateRecord(
                    where=f"meta.json: page {name:.80}",
                    key=f"page:{name}",
                    about=ForeignState(
                        id=f"page:{name}",
                        page=name,
                        size=self._size,
                        first_seen_at=seen,
                        last_seen_at=seen,
                    ),
                    components=held,
                    screen=self._screen([name]),
                )

    def _bearing(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the components whose labels are among the texts that were read on a screen."""
        read = set(texts)
        labels = {
            name: text_of_value(about.get("label")) or name
            for name, about in self._components.items()
            if isinstance(about, dict)
        }
        return tuple(name for name, label in labels.items() if label in read)

    def _screen(self, pages: Iterable[str]) -> PictureFile | None:
        """Return the screenshot of the page that most of a state was learned on, if it is there."""
        counted = Counter(filter(None, pages)).most_common(1)
        try:
            return picture_in(self._folder, f"pages/{counted[0][0]}.png") if counted else None
        except UnusableInputError:
            return None

    def _state(self, key: str, about: Mapping[str, Any]) -> ForeignState:
        first = time_of(about.get("first_seen")) or self._now
        name = text_of_value(about.get("name"))
        return ForeignState(
            id=key,
            name=name or (None if key.startswith("s_") else key),
            title=text_of_value(about.get("description")) or None,
            page=text_of_value(about.get("page")) or None,
            texts=strings_of(about.get("visible_texts")),
            size=size_of(about.get("img_size")) or self._size,
            first_seen_at=first,
            last_seen_at=time_of(about.get("last_seen")) or first,
            visits=whole(about.get("visit_count"), 1, least=1),
        )

    def transitions(self) -> Records:
        """Yield the ways, each once: of equal ones the counts are added up."""
        ways: dict[tuple[str, str, str], list[Any]] = {}
        for key, value in self._ways.items():
            way = _way_of(key, value)
            if way is None:
                yield UnreadRecord(f"transitions.json: {key:.80}", "it is no FROM|ACTION|TO")
                continue
            done, failed, used = _counts_of(value)
            kept = ways.setdefault(way, [0, 0, None])
            kept[0], kept[1] = kept[0] + done, kept[1] + failed
            kept[2] = max(filter(None, (kept[2], used)), default=None)
        for (start, action, end), (done, failed, used) in ways.items():
            key = f"{start}|{action}|{end}"
            yield TransitionRecord(
                where=f"transitions.json: {key}"[:120],
                key=key,
                ends=(_defining(self._states.get(start)), _defining(self._states.get(end))),
                from_state=start,
                action=action,
                to_state=end,
                successes=done,
                failures=failed,
                last_used_at=used,
            )

    # -- workflows -----------------------------------------------------------------------

    def workflows(self) -> Records:
        """Yield the workflows: of ``workflows.json``, and one a file in two folders."""
        for name, about in self._flows.items():
            yield _workflow(f"workflows.json: {name:.80}", name, about, self._ways)
        own = self._folder.name in _FOLDERS
        places = [self._folder] if own else [self._folder / name for name in sorted(_FOLDERS)]
        for path in (path for place in places for path in sorted(place.glob("*.json"))):
            where = f"{path.parent.name}/{path.name}"
            try:
                about = object_in(path, self._folder)
            except UnusableInputError as error:
                yield UnreadRecord(where, error.message)
                continue
            name = text_of_value(about.get("workflow", about.get("name"))) or path.stem
            yield _workflow(where, name, about, self._ways)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _part_of(value: object, folder: Path, name: str) -> Mapping[str, Any]:
    """Return a part of an old profile; its list of transitions as an object."""
    if isinstance(value, list) and name == "transitions":
        return {f"transitions[{number}]": way for number, way in enumerate(value)}
    if not isinstance(value, dict | None):
        raise UnusableInputError(
            f'"{folder / "profile.json"}": its {name} are a {type(value).__name__}',
            hint="an object is due",
        )
    return value or {}


def _defining(about: object) -> tuple[str, ...]:
    """Return the components that define a state, of either shape."""
    state = _object(about)
    return strings_of(state.get("defining_components", state.get("visible")))


def _way_of(key: str, value: object) -> tuple[str, str, str] | None:
    """Return where a way begins, its act, and where it leads, in any of the three forms."""
    about = _object(value)
    start = text_of_value(about.get("from_state", about.get("from")))
    end = text_of_value(about.get("to_state", about.get("to")))
    action = text_of_value(about.get("action"))
    target = text_of_value(about.get("target", about.get("click")))
    if target and ":" not in action:
        action = f"{action or 'click'}:{target}"
    parts = key.split("|")
    if len(parts) > 2:  # noqa: PLR2004  (a label may hold the mark: the act is what is between)
        start, end = start or parts[0], end or parts[-1]
        action = action or "|".join(parts[1:-1])
    return (start, action, end) if start and action and end else None


def _counts_of(value: object) -> tuple[int, int, str | None]:
    """Return how often a way led there, how often it did not, and when it was last used."""
    about = value if isinstance(value, dict) else {"count": value}
    count = whole(about.get("count", about.get("use_count")), 1, least=1)
    rate = min(max(number_of(about.get("success_rate"), 1.0) or 0.0, 0.0), 1.0)
    failed = whole(about.get("failures"), count - round(count * rate))
    used = time_of(about.get("last_used")) or time_of(about.get("timestamp"))
    return max(count - failed, 0), min(failed, count), used


def _alike(names: set[str], other: set[str]) -> float:
    return len(names & other) / len(names | other) if names | other else 0.0


# --- a workflow as a draft of a skill: its steps, or the way that leads to its screen

_MOST_STEPS = 200
_MOST_DESCRIPTION = 1_024
_DETAILS = ("detail", "text", "value", "url", "key", "description")


def _workflow(
    where: str, name: str, about: object, ways: Mapping[str, Any]
) -> ForeignRecord | UnreadRecord:
    if not isinstance(about, dict):
        return UnreadRecord(where, "no object")
    listed = about.get("steps")
    given = listed if isinstance(listed, list) else []
    if len(given) > _MOST_STEPS:
        return UnreadRecord(where, f"{len(given)} steps: at most {_MOST_STEPS} are taken")
    steps = [_step(number, step) for number, step in enumerate(given, 1)]
    steps = steps or _way_to(text_of_value(about.get("target_state")), ways)
    description = text_of_value(about.get("description"))[:_MOST_DESCRIPTION]
    notes = strings_of(about.get("notes"))
    if not steps:
        words = ". ".join(part.rstrip(".") for part in (f"{name}: {description}", *notes) if part)
        return FactRecord(where=where, key=name, text=words, category="lesson")
    draft = SkillDraft(
        name=skill_name(name),
        steps=tuple(steps),
        description=description,
        origin="imported",
        triggers=strings_of(about.get("triggers")) or (name.replace("_", " "),),
        facts=notes,
        parameters={
            parameter_name(key): text_of_value(value)
            for key, value in _object(about.get("parameters")).items()
        },
    )
    return ScreenSkillRecord(where=where, key=name, draft=draft)


def _step(number: int, given: object) -> SkillStep:
    """Return a step as inert text: what is not known as an act is never done."""
    if not isinstance(given, dict):
        return _act(number, text_of_value(given) or json.dumps(given)[:400])
    call = "/".join(text_of_value(given.get(key)) for key in ("app", "workflow") if given.get(key))
    params = given.get("params")
    values = {
        "target": given.get("target", given.get("component", given.get("name", call))),
        "beside": given.get("beside"),
        "detail": next((given[key] for key in _DETAILS if given.get(key)), None)
        or (json.dumps(params, ensure_ascii=False) if params else None),
        "from_state": given.get("from_state"),
        "to_state": given.get("to_state"),
        "output": given.get("output", given.get("output_as")),
    }
    action = text_of_value(given.get("action", given.get("type"))) or ("call" if call else "step")
    texts: dict[str, Any] = {key: text_of_value(value) or None for key, value in values.items()}
    return SkillStep(number, action, irreversible=given.get("irreversible") is True, **texts)


def _act(number: int, words: str, start: str = "", end: str = "") -> SkillStep:
    """Return the step of ``click:Save``; of any other words, a step with that text."""
    kind, colon, target = words.partition(":")
    if not colon or " " in kind.strip():
        return SkillStep(number, "step", detail=words)
    return SkillStep(
        number,
        kind.strip(),
        target=target.strip() or None,
        from_state=start or None,
        to_state=end or None,
    )


def _way_to(target: str, ways: Mapping[str, Any]) -> list[SkillStep]:
    """Return the steps of the way to a screen, back along what was gone most often."""
    into: dict[str, list[tuple[int, str, str]]] = {}
    for key, about in ways.items():
        start, _, rest = key.partition("|")
        action, _, end = rest.rpartition("|")
        count = _object(about).get("count", 1)
        if start and action and end != start:
            weight = count if isinstance(count, int) else 1
            into.setdefault(end, []).append((weight, start, action))
    back: list[tuple[str, str, str]] = []
    met = {target}
    while len(back) < _MOST_STEPS:
        fresh = [way for way in into.get(target, ()) if way[1] not in met]
        if not fresh:
            break
        _, start, action = max(fresh)
        back.append((action, start, target))
        met.add(start)
        target = start
    return [_act(number, *way) for number, way in enumerate(back[::-1], 1)]


FORMATS = {"gui-memory": Format(_recognises, _read)}
