"""The pages of screens and of the components on them, each with its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.ui.view import KEPT, ROWS, Route, Undo, View, version_of

if TYPE_CHECKING:
    from starlette.responses import Response

    from memctl.visual.graph.components import Component
    from memctl.visual.graph.states import StateDetail

_PICTURES = 4_000_000  # bytes of all pictures of a page; those beyond are left out
_LARGEST = (960, 1_200)  # of a screen on its own page
_MOST_WAYS = 200  # ways that lead from a screen or to it
_COMPONENT = ("name", "label", "pinned", "forgotten_at")
_TYPES = ("button", "icon", "image", "input", "link", "text")


def screens(view: View) -> Response:
    """Show the screens, what was seen last first."""
    from memctl.reports.page.pictures import Pictures

    memory, pictures = view.memory, Pictures(_PICTURES)
    page = memory.states.list(after=view.asked("after"), limit=ROWS)
    rows = [(state, pictures.screen(memory.store, state.id)) for state in page]
    return view.page("screens.html", rows=rows, more=view.next_page(page))


def screen(view: View) -> Response:
    """Show one screen with its components and transitions."""
    from memctl.reports.page.pictures import Pictures, screen_places

    memory = view.memory
    shown = memory.states.get(view.part("id"))
    size, places = screen_places(memory.store, shown.id)
    ways = memory.transitions.list(state=shown.id, limit=_MOST_WAYS)
    ends = {end for way in ways for end in (way.from_state, way.to_state)}
    return view.page(
        "screen.html",
        state=shown,
        version=_state_version(shown),
        picture=Pictures(_PICTURES).screen(memory.store, shown.id, largest=_LARGEST),
        size=size,
        places=places,
        ways=ways,
        names=memory.states.names_of(ends),
    )


def rename_screen(view: View) -> Response:
    """Give a screen the name that was typed."""
    states, id_ = view.memory.states, view.part("id")
    before = states.get(id_)
    with view.unchanged(lambda: _state_version(states.get(id_))):
        after = states.rename(id_, view.typed("name").strip())
    undo = None
    if before.name:
        fields = {"name": before.name, "version": _state_version(after)}
        undo = Undo(view.path("screens", id_, "rename"), fields)
    return view.done(f"Renamed: {after.name}", view.path("screens", id_), undo)


def components(view: View) -> Response:
    """Show the components, what was seen last first."""
    from memctl.reports.page.pictures import Pictures, component_looks

    memory, pictures = view.memory, Pictures(_PICTURES)
    page = memory.components.list(
        holds=view.asked("q"),
        type=view.asked("type") or None,
        page=view.asked("page") or None,
        unlabelled=bool(view.asked("unlabelled")),
        forgotten=bool(view.asked("forgotten")),
        after=view.asked("after"),
        limit=ROWS,
    )
    rows = [(row, component_looks(memory.store, row.id, pictures, changed=False)) for row in page]
    return view.page(
        "components.html",
        rows=rows,
        more=view.next_page(page),
        types=_TYPES,
        version=_version,
    )


def component(view: View) -> Response:
    """Show one component with its templates and screens, and the form that renames it."""
    from memctl.reports.page.pictures import Pictures

    memory, pictures = view.memory, Pictures(_PICTURES)
    shown = memory.components.get(view.number())
    looks = memory.components.templates(shown.id)[::-1][:ROWS]
    return view.page(
        "component.html",
        component=shown,
        version=_version,
        looks=[(look, pictures.crop(memory.components.picture(look.id))) for look in looks],
        screens=memory.states.list(holding=shown.id, limit=ROWS),
    )


def rename(view: View) -> Response:
    """Give a component the name that was typed."""
    collection, before = view.memory.components, view.memory.components.get(view.number())
    with view.unchanged(lambda: _version(collection.get(before.id))):
        after = collection.rename(before.id, view.typed("name").strip())
    fields = {"name": before.name, "version": _version(after)}
    undo = Undo(view.path("components", after.id, "rename"), fields)
    text = f"Renamed: {before.name} is now {after.name}"
    return view.done(text, view.path("components", after.id), undo)


def act(view: View) -> Response:
    """Forget a component, restore, pin or unpin it."""
    collection, id_ = view.memory.components, view.number()
    return view.act(
        "components",
        KEPT,
        lambda: collection.get(id_),
        lambda name: getattr(collection, name)(id_),
        _version,
        lambda component: component.name,
    )


def _version(component: Component) -> str:
    return version_of(component, *_COMPONENT)


def _state_version(state: StateDetail) -> str:
    return version_of(state, "name", "ignored")


PAGES = (
    Route("screens", screens),
    Route("screens/{id}", screen),
    Route("screens/{id}/rename", screen, rename_screen),
    Route("components", components),
    Route("components/{id}", component),
    Route("components/{id}/rename", component, rename),
    Route("components/{id}/{act}", component, act),
)
