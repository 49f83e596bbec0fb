"""Results with a place or a picture: their box in pixels, and what a notebook shows of them."""

from __future__ import annotations

import base64
import html
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self
from weakref import ref

from memctl.base.errors import MemctlError
from memctl.store import statements
from memctl.store.results import MOST_BYTES, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.store.store import Store

PAGE = statements.load("store/page")
TEMPLATES = statements.load("store/template")

_WIDTH, _LARGEST = 480, 160  # CSS pixels in a notebook: of a screen, of a template
_MOST_CROPS = 60  # pictures on it: the largest

Place = tuple[int, int, int, int]


class Placed(Result):
    """A result with a place on the screenshot: ``x``, ``y``, ``w`` and ``h`` in its pixels."""

    __slots__ = ()
    x: int
    y: int
    w: int
    h: int

    @property
    def box(self) -> Place:
        """Left, top, width and height, in pixels of the screenshot."""
        return self.x, self.y, self.w, self.h

    @property
    def center(self) -> tuple[float, float]:
        """The middle, in pixels of the screenshot: where to click."""
        return middle(self.x, self.y, self.w, self.h)


def middle(x: int, y: int, w: int, h: int) -> tuple[float, float]:
    """Return the middle of a box."""
    return x + w / 2, y + h / 2


class Pictured(Result):
    """A result that a notebook shows with a picture, as long as somebody has its store open."""

    __slots__ = ("_kept_in",)

    def with_pictures(self, store: Store) -> Self:
        """Remember, weakly, where the pictures are; a copy or a pickle does not."""
        object.__setattr__(self, "_kept_in", ref(store))
        return self

    def _picture_html(self) -> str:
        store = getattr(self, "_kept_in", lambda: None)()
        with suppress(MemctlError):
            return "" if store is None else self._drawn(store)
        return ""

    def _drawn(self, store: Store) -> str:
        """Return the template that it was found by, else the newest of its component."""
        template = getattr(self, "template_id", None)
        component = getattr(self, "component_id", None) or getattr(self, "id", None)
        png = template and store.value(TEMPLATES.pixels, {"id": template})
        png = png or store.value(PAGE.newest_look, {"component_id": component})
        return _picture_html(png, str(getattr(self, "name", ""))) if png else ""


def _picture_html(png: bytes, name: str) -> str:
    if len(png) > MOST_BYTES:
        return ""
    style = f"max-width:{_LARGEST}px;max-height:{_LARGEST}px"
    return f'<img src="{_address(png)}" alt="{html.escape(name)}" style="{style}">'


def _address(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def state_html(store: Store, state_id: str) -> str:
    """Return a screen as the templates of its components make it up."""
    asked = {"state_id": state_id, "order": -1, "most": _MOST_CROPS}
    size = store.row(PAGE.screen, {"state_id": state_id})
    crops = [dict(row, name="") for row in store.rows(PAGE.places, asked)]
    return _screen_html(size["img_w"], size["img_h"], crops) if size is not None else ""


def seen_html(store: Store, width: int, height: int, seen: Iterable[Any]) -> str:
    """Return a screen with the templates of some components where they were seen."""
    largest = sorted(seen, key=lambda place: -place.w * place.h)[:_MOST_CROPS]
    crops = [
        {
            **dict(zip("xywh", place.box, strict=True)),
            "name": place.name,
            "png": store.value(TEMPLATES.pixels, {"id": place.template_id}),
        }
        for place in largest
    ]
    return _screen_html(width, height, crops)


def _screen_html(width: int, height: int, crops: Iterable[Mapping[str, Any]]) -> str:
    """Return a drawing of a screen, with a frame around each picture."""
    parts, room = [], MOST_BYTES
    for crop in crops:
        at = 'x="{x}" y="{y}" width="{w}" height="{h}"'.format(**crop)
        room -= len(crop["png"] or b"")
        if crop["png"] and room > 0:
            parts.append(f'<image {at} href="{_address(crop["png"])}" preserveAspectRatio="none"/>')
        title = f"<title>{html.escape(str(crop['name']))}</title>"
        parts.append(f'<rect {at} fill="none" stroke="#d33" stroke-width="2">{title}</rect>')
    frame = f'viewBox="0 0 {width} {height}" width="{min(_WIDTH, width)}"'
    style = "max-width:100%;border:1px solid #888"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame} style="{style}">{"".join(parts)}</svg>'
