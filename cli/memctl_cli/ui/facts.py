"""The pages of facts: search, correct, forget, pin, and decide what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import UsageError
from memctl.semantic.finding import STATUSES
from memctl.store.pages import page_of
from memctl_cli.ui.view import KEPT, ROWS, Act, Route, Undo, View, version_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.responses import Response

    from memctl.semantic.records import Fact

_SHOWN = (
    "text",
    "category",
    "importance",
    "expires_at",
    "status",
    "pinned",
    "may_replace",
    "doubt",
)


_NEAR, _MOST_NEAR = 0.5, 2  # what is shown beside a waiting fact: least likeness, most facts


_ACTS = KEPT | {"approve": Act("Approved"), "reject": Act("Rejected")}


def fact_version(fact: Fact) -> str:
    """Return the mark of a fact as the forms show it."""
    return version_of(fact, *_SHOWN)


def fact_list(view: View) -> Response:
    """Show the facts, the newest first, or those that some words mean."""
    words, category, status = (view.asked(name) for name in ("q", "category", "status"))
    categories = (category,) if category else ()
    note = ""
    if words:
        hits = view.memory.facts.search(words, limit=ROWS, categories=categories, record=False)
        found, more = [hit.fact for hit in hits], ""
        note = hits.note or (f"the best {ROWS}" if len(found) == ROWS else "")
    else:
        page = view.memory.facts.list(
            categories=categories,
            status=status or "active",
            show_expired=bool(view.asked("expired")),
            after=view.asked("after"),
            limit=ROWS,
        )
        found, more = list(page), view.next_page(page)
    return view.page(
        "facts.html",
        facts=found,
        more=more,
        note=note,
        words=words,
        chosen={"category": category, "status": status or "active"},
        categories=list(KINDS),
        statuses=STATUSES,
        version=fact_version,
    )


def fact(view: View) -> Response:
    """Show one fact with its history, and the form that corrects it."""
    shown = _fact(view, view.part("id"))
    other = shown.may_replace or shown.conflicts_with or shown.superseded_by
    return view.page(
        "fact.html",
        fact=shown,
        others=list(_facts(view, [other] if other else []).values()),
        history=view.memory.facts.history(shown.id)[::-1],
        categories=list(KINDS),
        version=fact_version,
    )


def waiting(view: View) -> Response:
    """Show what waits for a person, each beside what it would replace."""
    facts = view.memory.facts
    pending = facts.list(status="pending", show_expired=True, after="", limit=ROWS)
    undecided = page_of(facts.undecided(), ROWS)
    doubtful = page_of(facts.doubtful(), ROWS)
    return view.page(
        "waiting.html",
        pairs=[
            *((pair.newer, [pair.older], ()) for pair in undecided),
            *((fact, *_beside(view, fact)) for fact in pending),
        ],
        doubtful=doubtful,
        left=undecided.left + doubtful.left + pending.left,
        version=fact_version,
    )


def _beside(view: View, fact: Fact) -> tuple[list[Fact], list[Fact]]:
    """Return the facts that a waiting one would replace; where there is none, the nearest."""
    replaced = view.memory.facts.would_replace(fact.id)
    if replaced:
        return replaced, []
    near = view.memory.facts.reading().nearest(fact.text, least=_NEAR)
    return [], [other for other, _ in near if other.status == "active"][:_MOST_NEAR]


def act(view: View) -> Response:
    """Forget a fact, restore, pin, approve or reject it."""
    facts, id_ = view.memory.facts, view.part("id")
    return view.act(
        "facts",
        _ACTS,
        lambda: _fact(view, id_),
        lambda name: getattr(facts, name)(id_),
        fact_version,
        lambda fact: fact.text,
    )


def correct(view: View) -> Response:
    """Give a fact what was typed; one that refuses changes gets a successor that waits."""
    before = _fact(view, view.part("id"))
    with view.unchanged(lambda: fact_version(_fact(view, before.id))):
        if before.immutable:
            written = view.memory.facts.store(
                text=view.typed("text"), category=before.category, replaces=before.id
            ).written[0]
            text = "It is immutable: what you typed waits below for your approval"
            if written.event != "PENDING":
                text = f"Stored: {written.told or written.text:.200}"
            return view.done(text, view.path("waiting"))
        after = view.memory.facts.update(before.id, **_changes(view, before))
    fields = {name: str(getattr(before, name) or "") for name in ("text", "category", "importance")}
    fields |= {"expires_at": before.expires_at or "never", "version": fact_version(after)}
    undo = Undo(view.path("facts", before.id, "correct"), fields)
    return view.done(f"Corrected: {after.text:.200}", view.path("facts", before.id), undo)


def add(view: View) -> Response:
    """Store what was typed as a new fact."""
    category = view.typed("category") or None
    written = view.memory.facts.store(text=view.typed("text"), category=category).written[0]
    undo = None
    if written.event == "ADD" and written.id:
        version = fact_version(_fact(view, written.id))
        undo = Undo(view.path("facts", written.id, "forget"), {"version": version})
    why = f" ({written.told})" if written.told else ""
    return view.done(f"{written.event.capitalize()}: {written.text:.200}{why}", view.here, undo)


def _changes(view: View, fact: Fact) -> dict[str, Any]:
    """Return the changes of a form, as `update` takes them."""
    typed = {name: view.typed(name, getattr(fact, name)).strip() for name in _SHOWN[:4]}
    typed["text"] = typed["text"].replace("\r\n", "\n")
    changed: dict[str, Any] = {
        name: given for name, given in typed.items() if given != str(getattr(fact, name) or "")
    }
    if not changed.get("category", "-"):
        del changed["category"]  # none was chosen: it keeps the one it has
    if changed.get("expires_at", "-") in {"", "never"}:
        changed.pop("expires_at", None)
        changed |= {"expires_at": "never"} if fact.expires_at else {}
    if "importance" in changed:
        try:
            changed["importance"] = float(typed["importance"])
        except ValueError:
            raise UsageError(
                f'importance "{typed["importance"]:.40}" is no number', hint="0 to 1"
            ) from None
    return changed


def _fact(view: View, id_: str) -> Fact:
    """Return one fact; to look at it is no use of it, as `get` would note."""
    shown = _facts(view, [id_]).get(id_)
    return shown or view.memory.facts.get(id_)


def _facts(view: View, ids: Iterable[str]) -> dict[str, Fact]:
    wanted = list(ids)
    if not wanted:
        return {}
    found = view.memory.facts.list(filters={"id": wanted}, status="any", show_expired=True)
    return {fact.id: fact for fact in found}


PAGES = (
    Route("facts", fact_list, add),
    Route("facts/{id}", fact),
    Route("facts/{id}/correct", fact, correct),
    Route("facts/{id}/{act}", fact, act),
    Route("waiting", waiting),
)
