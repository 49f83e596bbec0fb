"""The pages of turns and episodes: the timeline, one of them, and erasing for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.ui.view import KEPT, ROWS, Act, Route, Undo, View, version_of

if TYPE_CHECKING:
    from starlette.responses import Response

    from memctl.episodic.episodes import Episode
    from memctl.episodic.log import Turn

_ACTS = {
    "turns": {"archive": Act("Archived", "restore"), "restore": Act("Restored", "archive")},
    "episodes": {name: KEPT[name] for name in ("forget", "restore")},
}
_EPISODE = ("summary", "details", "tags", "participants", "archived_at")
_TURN = ("text", "archived_at")


def timeline(view: View) -> Response:
    """Show turns and episodes, the newest first."""
    kind, thread = view.asked("kind"), view.asked("thread")
    page = view.memory.turns.timeline(
        kind=kind,
        thread=thread or None,
        archived=bool(view.asked("archived")),
        after=view.asked("after"),
        limit=ROWS,
    )
    return view.page(
        "timeline.html", moments=page, more=view.next_page(page), kind=kind, thread=thread
    )


def turn(view: View) -> Response:
    """Show one turn."""
    shown = view.memory.turns.get(view.number())
    return view.page("turn.html", turn=shown, version=_version(shown))


def episode(view: View) -> Response:
    """Show one episode, and the form that corrects it."""
    shown = view.memory.episodes.get(view.number())
    turns = view.memory.episodes.turns_of(shown.id)
    return view.page("episode.html", episode=shown, turns=turns, version=_version(shown))


def act(view: View) -> Response:
    """Archive or restore a turn, forget or restore an episode."""
    kind = view.request.url.path.split("/")[2]
    rows = view.memory.turns if kind == "turns" else view.memory.episodes
    id_ = view.number()
    return view.act(
        kind,
        _ACTS[kind],
        lambda: rows.get(id_),
        lambda name: getattr(rows, name)([id_]),
        _version,
        lambda row: f"{kind[:-1]} {row.id}",
    )


def correct(view: View) -> Response:
    """Give an episode what was typed."""
    episodes, id_ = view.memory.episodes, view.number()
    before = episodes.get(id_)
    with view.unchanged(lambda: _version(episodes.get(id_))):
        after = episodes.update(
            id_,
            summary=view.typed("summary", before.summary),
            details=view.typed("details", before.details).replace("\r\n", "\n"),
            tags=_names(view.typed("tags", ", ".join(before.tags))),
            participants=_names(view.typed("participants", ", ".join(before.participants))),
        )
    fields = {name: str(getattr(before, name)) for name in ("summary", "details")}
    fields |= {name: ", ".join(getattr(before, name)) for name in ("tags", "participants")}
    undo = Undo(view.path("episodes", id_, "correct"), {**fields, "version": _version(after)})
    return view.done(f"Corrected: {after.summary:.200}", view.path("episodes", id_), undo)


def erasing(view: View) -> Response:
    """Show what would go if a row were erased: ids and counts."""
    name = view.part("name")
    tried = view.memory.erase(name, dry_run=True) if view.writable else None
    return view.page("erase.html", name=name, tried=tried, back=_page_of(view, name))


def erase(view: View) -> Response:
    """Erase a row, and all that is linked with it."""
    name = view.part("name")
    done = view.memory.erase(name, confirm=view.typed("confirm") == name)
    text = f"Erased {name} for ever: {sum(done.rows.values())} rows"
    if done.proof is not None and not done.proof.proven:
        text += (
            '. Some bytes may be left: run "memctl erase --finish" once nobody has the store open'
        )
    return view.done(text, view.path(""))


def _page_of(view: View, name: str) -> str:
    """Return the page of a row by its name: ``turn:3``, ``episode:4``, ``f_3921fa271ecc``."""
    kind, colon, id_ = name.partition(":")
    return view.path(f"{kind}s", id_) if colon else view.path("facts", name)


def _names(typed: str) -> list[str]:
    return [name for part in typed.split(",") if (name := part.strip())]


def _version(row: Turn | Episode) -> str:
    return version_of(row, *(_EPISODE if hasattr(row, "summary") else _TURN))


PAGES = (
    Route("timeline", timeline),
    Route("turns/{id}", turn),
    Route("turns/{id}/{act}", turn, act),
    Route("episodes/{id}", episode),
    Route("episodes/{id}/correct", episode, correct),
    Route("episodes/{id}/{act}", episode, act),
    Route("erase/{name}", erasing, erase),
)
