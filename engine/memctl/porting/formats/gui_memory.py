"""gui-memory (GUIClaw): one folder an app or site, its pictures beside four JSON files.

``meta.json``, ``components.json``, ``states.json``, ``transitions.json``, ``workflows.json``, or all
of it in an older ``profile.json``; ``components/*.png``; ``workflows/*.json`` and
``meta_workflows/*.json``; ``templates/index.json`` of the oldest. A site of a browser is a store of
its own: it is named, not taken. Full screenshots in ``pages/`` are not kept: they only tell the words
of a state whose components all stand on one. Times without a zone are UTC.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UnusableInputError
from memctl.porting.foreign_records import (
    ComponentRecord,
    FactRecord,
    Format,
    PictureFile,
    StateRecord,
    TransitionRecord,
    UnreadRecord,
)
from memctl.porting.foreign_values import (
    number_of,
    object_in,
    picture_in,
    size_of,
    strings_of,
    text_of_value,
    time_of,
    whole,
)
from memctl.porting.formats.gui_workflows import workflows
from memctl.visual.graph.foreign_screens import ForeignComponent, ForeignState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord

_PARTS = ("components", "states", "transitions", "workflows")
_SAME_SCREEN = 0.85


def recognises(path: Path) -> bool:
    """Return whether a path is an app's folder, its profile, or a folder of apps or workflows."""
    if path.is_file():
        return path.name == "profile.json"
    names = ("components.json", "profile.json", "index.json", "templates/index.json")
    if path.name in {"meta_workflows", "workflows"}:
        return any(path.glob("*.json"))
    return any((path / name).is_file() for name in names) or bool(_apps(path))


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield components, states, transitions, workflows and tips of one app or site."""
    del options
    folder = path.parent if path.is_file() else path
    apps = _apps(folder)
    if apps:
        raise UnusableInputError(
            f'"{path}" holds {len(apps)} apps: {", ".join(one.name for one in apps[:5])}',
            hint=f"each is a store: memctl --app {apps[0].name} import gui-memory {apps[0]}",
        )
    app = _AppFolder(folder)
    yield from app.components()
    yield from app.templates()
    yield from app.states()
    yield from app.transitions()
    yield from workflows(folder, app.part("workflows"), app.part("transitions"))
    yield from app.tips()
    yield from _sites(folder, text_of_value(app.meta.get("app")) or folder.name)


def _apps(folder: Path) -> list[Path]:
    """Return the folders of apps where a folder is none itself."""
    if not folder.is_dir() or any((folder / f"{name}.json").exists() for name in _TOP):
        return []
    below = [folder / "apps", folder] if (folder / "apps").is_dir() else [folder]
    return sorted(
        app
        for place in below
        for app in place.iterdir()
        if any((app / name).is_file() for name in ("components.json", "profile.json"))
    )


_TOP = ("meta", "profile", "components", "index")


def _sites(folder: Path, app: str) -> Iterator[UnreadRecord]:
    sites = folder / "sites"
    for site in sorted(sites.iterdir()) if sites.is_dir() else ():
        if not any((site / name).is_file() for name in ("components.json", "profile.json")):
            continue
        meta = object_in(site / "meta.json", folder)
        domain = text_of_value(meta.get("domain")) or site.name.replace("_", ".")
        command = f'memctl --app "chromium/{domain}" import gui-memory "{site}"'
        yield UnreadRecord(
            f"sites/{site.name}", f"a site of {app} is a store of its own: {command}", counts=False
        )


class _AppFolder:
    """One app's folder, its JSON read at once: what is broken there ends the import."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = {name: object_in(folder / f"{name}.json", folder) for name in ("meta", *_PARTS)}
        if not (folder / "meta.json").exists():
            profile = object_in(folder / "profile.json", folder)
            files["meta"] = profile
            for name in _PARTS:
                files[name] = files[name] or _part_of(profile.get(name), folder, name)
        self._files = files
        self.meta = files["meta"]
        self._now = clock.now()
        self._size = size_of(self.meta.get("img_size")) or size_of(self.meta.get("retina_img_size"))

    def part(self, name: str) -> Mapping[str, Any]:
        """Return one of the five files."""
        return self._files[name]

    # -- components ----------------------------------------------------------------------

    def components(self) -> Iterator[ForeignRecord | UnreadRecord]:
        """Yield what has a picture; name what has none."""
        for name, about in self.part("components").items():
            where = f"components.json: {name:.80}"
            if not isinstance(about, dict):
                yield UnreadRecord(where, "no object")
                continue
            try:
                looks = self._looks(about)
            except UnusableInputError as error:
                yield UnreadRecord(where, error.message)
                continue
            yield ComponentRecord(
                where=where, key=name, about=self._component(name, about), looks=looks
            )

    def _looks(self, about: Mapping[str, Any]) -> tuple[PictureFile, ...]:
        """Return the pictures of a component: the one of gui-memory, and those of a memctl."""
        first = picture_in(self._folder, about.get("icon_file"), scale=_scale_of(about))
        more = about.get("looks")
        others = [one for one in more if isinstance(one, dict)] if isinstance(more, list) else []
        return first, *(
            picture_in(self._folder, one.get("file"), scale=_scale_of(one)) for one in others
        )

    def _component(self, name: str, about: Mapping[str, Any]) -> ForeignComponent:
        x, y = number_of(about.get("rel_x")), number_of(about.get("rel_y"))
        learned = time_of(about.get("learned_at")) or self._now
        return ForeignComponent(
            name=name,
            type=text_of_value(about.get("type")),
            source=text_of_value(about.get("source")),
            label=text_of_value(about.get("label")) or None,
            page=text_of_value(about.get("page")) or None,
            middle=None if x is None or y is None else (x, y),
            confidence=min(max(number_of(about.get("confidence"), 1.0) or 0.0, 0.0), 1.0),
            learned_at=learned,
            last_seen_at=time_of(about.get("last_seen")) or learned,
            seen_count=whole(about.get("seen_count"), 1, least=1),
            misses=whole(about.get("consecutive_misses"), 0),
            pinned=about.get("pinned") is True,
            row=text_of_value(about.get("row")) or None,
            section=text_of_value(about.get("section")) or None,
            cut=about.get("cut") is True,
            field=about.get("field") is True,
            screens_learned=whole(self.meta.get("detect_count"), 0),
        )

    def templates(self) -> Iterator[ForeignRecord | UnreadRecord]:
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
                    middle=_middle_of(about.get("original_region")),
                    learned_at=learned,
                    last_seen_at=time_of(about.get("last_matched")) or learned,
                    seen_count=whole(about.get("match_count"), 0) + 1,
                )
                yield ComponentRecord(where=where, key=name, about=component, looks=(picture,))

    # -- states and ways -----------------------------------------------------------------

    def states(self) -> Iterator[ForeignRecord | UnreadRecord]:
        """Yield the states of every shape, then the pages that no state shows."""
        sets: list[set[str]] = []
        known = self.part("components")
        for key, about in self.part("states").items():
            where = f"states.json: {key:.80}"
            if not isinstance(about, dict):
                yield UnreadRecord(where, "no object")
                continue
            named = _defining(about) or _bearing(known, strings_of(about.get("visible_texts")))
            unknown = [name for name in named if name not in known]
            if unknown:
                told = ", ".join(name[:40] for name in unknown[:5])
                yield UnreadRecord(where, f"components.json has no {told}", counts=False)
            sets.append(set(named))
            screen = self._screen(self._page_of(name) for name in named if name in known)
            yield StateRecord(
                where=where,
                key=key,
                about=self._state(key, about),
                components=named,
                screen=screen,
            )
        pages = self.meta.get("pages")
        for name, about in pages.items() if isinstance(pages, dict) else ():
            held = strings_of(about.get("components")) if isinstance(about, dict) else ()
            if held and not any(_alike(set(held), one) > _SAME_SCREEN for one in sets):
                seen = time_of(about.get("learned_at")) or self._now
                page = ForeignState(
                    id=f"page:{name}", page=name, size=self._size, first_seen_at=seen,
                    last_seen_at=seen,
                )  # fmt: skip
                where = f"meta.json: page {name:.80}"
                screen = self._screen([name])
                yield StateRecord(
                    where=where, key=page.id, about=page, components=held, screen=screen
                )

    def _page_of(self, component: str) -> str:
        about = self.part("components")[component]
        return text_of_value(about.get("page")) if isinstance(about, dict) else ""

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
            name=(name or (None if key.startswith("s_") else key)),
            title=text_of_value(about.get("description")) or None,
            page=text_of_value(about.get("page")) or None,
            texts=strings_of(about.get("visible_texts")),
            size=size_of(about.get("img_size")) or self._size,
            first_seen_at=first,
            last_seen_at=time_of(about.get("last_seen")) or first,
            visits=whole(about.get("visit_count"), 1, least=1),
        )

    def transitions(self) -> Iterator[ForeignRecord | UnreadRecord]:
        """Yield the ways, each once: of equal ones the counts are added up."""
        ways: dict[tuple[str, str, str], list[Any]] = {}
        for key, value in self.part("transitions").items():
            way = _way_of(key, value)
            if way is None:
                yield UnreadRecord(f"transitions.json: {key:.80}", "it is no FROM|ACTION|TO")
                continue
            done, failed, used = _counts_of(value)
            kept = ways.setdefault(way, [0, 0, None])
            kept[0], kept[1] = kept[0] + done, kept[1] + failed
            kept[2] = max(filter(None, (kept[2], used)), default=None)
        states = self.part("states")
        for (start, action, end), (done, failed, used) in ways.items():
            yield TransitionRecord(
                where=f"transitions.json: {start}|{action}|{end}"[:120],
                key=f"{start}|{action}|{end}",
                ends=(_defining(states.get(start)), _defining(states.get(end))),
                from_state=start,
                action=action,
                to_state=end,
                successes=done,
                failures=failed,
                last_used_at=used,
            )

    def tips(self) -> Iterator[ForeignRecord | UnreadRecord]:
        """Yield the tips that a person wrote."""
        for number, tip in enumerate(strings_of(self.meta.get("tips"))):
            yield FactRecord(where=f"meta.json: tips[{number}]", text=tip, category="lesson")


def _part_of(value: object, folder: Path, name: str) -> Mapping[str, Any]:
    """Return a part of an old profile; its list of transitions as an object."""
    if value is None:
        return {}
    if isinstance(value, list) and name == "transitions":
        return {f"transitions[{number}]": one for number, one in enumerate(value)}
    if not isinstance(value, dict):
        raise UnusableInputError(
            f'"{folder / "profile.json"}": its {name} are a {type(value).__name__}',
            hint="an object is due",
        )
    return value


def _defining(about: object) -> tuple[str, ...]:
    """Return the components that define a state, of either shape."""
    if not isinstance(about, dict):
        return ()
    return strings_of(about.get("defining_components", about.get("visible")))


def _bearing(components: Mapping[str, Any], texts: Iterable[str]) -> tuple[str, ...]:
    """Return the components whose labels are among the texts that were read on a screen."""
    told = set(texts)
    labels = {
        name: text_of_value(about.get("label")) or name
        for name, about in components.items()
        if isinstance(about, dict)
    }
    return tuple(name for name, label in labels.items() if label in told)


def _way_of(key: str, value: object) -> tuple[str, str, str] | None:
    """Return where a way begins, its act, and where it leads, in any of the three forms."""
    about = value if isinstance(value, dict) else {}
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


def _scale_of(about: Mapping[str, Any]) -> float:
    scale = number_of(about.get("scale"), 1.0) or 1.0
    return scale if 0.1 <= scale <= 10 else 1.0  # noqa: PLR2004  (no screen has another)


def _middle_of(region: object) -> tuple[float, float] | None:
    """Return the middle of a region, [x, y, w, h] or an object of these."""
    if isinstance(region, dict):
        region = [region.get(key) for key in "xywh"]
    if not isinstance(region, list):
        return None
    sides = [number_of(side) for side in region]
    if len(sides) != 4 or None in sides:  # noqa: PLR2004
        return None
    x, y, w, h = (side or 0.0 for side in sides)
    return x + w / 2, y + h / 2


def _alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


FORMATS = {"gui-memory": Format(recognises, read)}
