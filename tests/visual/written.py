"""Pages of drawn text with a sidebar: what a page is recognised by, and looks of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

SIZE = (1000, 640)
SIDEBAR = 180
_LETTERS = "abcdefghiklmnoprstuvwz"
_MENU = ("Overview", "Invoices", "Customers", "Reports", "Settings", "Archive")


@dataclass(frozen=True)
class Written:
    """A page: a sidebar that all pages share, a headline and words drawn from a seed.

    Parameters
    ----------
    scrolled
        Pixels that its text stands higher than at first.
    paper, ink, accent
        Colours of the page, its text, and of the headline: blue, green, red.
    """

    seed: int
    size: tuple[int, int] = SIZE
    scrolled: int = 0
    paper: tuple[int, int, int] = (250, 250, 250)
    ink: tuple[int, int, int] = (40, 30, 30)
    accent: tuple[int, int, int] = (160, 60, 20)
    lines: int = 24

    @property
    def image(self) -> Pixels:
        width, height = self.size
        made = np.full((height, width, 3), self.paper, np.uint8)
        for at, text in enumerate(self._texts()):
            self._write(made, text, (SIDEBAR + 30, 90 + 34 * at - self.scrolled), 0.5, self.ink)
        top = 50 - self.scrolled
        self._write(made, self._headline, (SIDEBAR + 30, top), 1.0, self.accent)
        made[:, :SIDEBAR] = self.paper
        for at, text in enumerate(_MENU):
            self._write(made, text, (20, 60 + 40 * at), 0.55, self.ink)
        return made

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The items of the sidebar, and the first words of some lines."""
        menu = [_box(14, 42 + 40 * at, 130, 26, text) for at, text in enumerate(_MENU)]
        content = [
            _box(SIDEBAR + 24, 74 + 34 * at - self.scrolled, 110, 24, text.split()[0])
            for at, text in enumerate(self._texts()[:12:2])
        ]
        return menu + [box for box in content if box["y"] >= 0]

    @property
    def given(self) -> tuple[Pixels, list[dict[str, Any]]]:
        """The two arguments of ``learn``."""
        return self.image, self.boxes

    def but(self, **changes: Any) -> Written:
        """Return the page with something changed."""
        return replace(self, **changes)

    @property
    def _headline(self) -> str:
        return " ".join(_words(np.random.default_rng(self.seed + 10_000), 2))

    def _texts(self) -> list[str]:
        chance = np.random.default_rng(self.seed)
        return [" ".join(_words(chance, 6)) for _ in range(self.lines)]

    @staticmethod
    def _write(
        made: Pixels, text: str, at: tuple[int, int], size: float, ink: tuple[int, int, int]
    ) -> None:
        thick = 2 if size >= 1 else 1
        x, y = at
        for word in text.split():
            cv2.putText(made, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick, cv2.LINE_AA)
            x += cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, size, thick)[0][0] + 14


DARK = {"paper": (40, 34, 30), "ink": (220, 220, 215), "accent": (230, 180, 90)}
STARK = {"paper": (255, 255, 255), "ink": (0, 0, 0), "accent": (0, 0, 0)}


def popup(image: Pixels, *, dimmed: bool = False) -> Pixels:
    """Lay a popup with text of its own over the middle of a page."""
    made = np.asarray(image * 0.5, np.uint8) if dimmed else image.copy()
    box = Written(seed=77, size=(SIDEBAR + 340, 200)).image[:, SIDEBAR:]
    box[[0, -1]] = box[:, [0, -1]] = 90
    made[100 : 100 + box.shape[0], 190 : 190 + box.shape[1]] = box
    return made


def desktop(image: Pixels, x: int, y: int, size: tuple[int, int] = (1600, 1000)) -> Pixels:
    """Put a window on an empty desktop."""
    made = np.full((size[1], size[0], 3), (120, 90, 60), np.uint8)
    made[y : y + image.shape[0], x : x + image.shape[1]] = image
    return made


def _words(chance: np.random.Generator, count: int) -> list[str]:
    lengths = chance.integers(3, 10, count)
    return ["".join(chance.choice(list(_LETTERS), length)) for length in lengths]


def _box(x: int, y: int, w: int, h: int, label: str) -> dict[str, Any]:
    return {"x": x, "y": y, "w": w, "h": h, "label": label, "type": "link"}
