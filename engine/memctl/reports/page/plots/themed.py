"""Draws with matplotlib, as SVG that takes its colours and letters from the page.

One picture serves both themes: it is drawn in colours that stand for the page's custom
properties, and these are put in their place. Nothing that comes from a store is drawn: names
stand in the page's own legends, where the template escapes them.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup
    from matplotlib.axes import Axes

__all__ = ["BAND", "DASHES", "INK", "LINE", "MUTED", "SERIES", "axes", "over_days", "svg_of"]

INK, MUTED, LINE, BAND = "#000001", "#000002", "#000003", "#000004"
SERIES = tuple(f"#0000{number}" for number in range(11, 17))
"""The colours of up to six series: blue, vermilion, green, purple, ochre, grey."""
DASHES = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (7, 2, 1.5, 2)), "solid", (0, (5, 2)))
"""Dash patterns of the series: no colour is needed to tell them apart."""

_PROPERTIES = {
    INK: "--ink",
    MUTED: "--muted",
    LINE: "--line",
    BAND: "--band",
    **{colour: f"--series-{number}" for number, colour in enumerate(SERIES, 1)},
}
_COLOUR = re.compile("|".join(_PROPERTIES))
_REFERENCE = re.compile(r"#([\w.-]+)")
_POINTS_A_INCH = 72
_TICKS = 5  # a telephone has room for as many dates
_LONG = 200  # days from which months are named without their days
_WIDTH, _HEIGHT = 360, 216  # CSS pixels: the column of a phone, so that letters keep their size
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "memctl",
    "text.parse_math": False,
    "font.size": 10.5,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.labelsize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "lines.linewidth": 1.8,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


@contextmanager
def axes() -> Iterator[Axes]:
    """Yield the axes of an empty plot in the page's style, to be drawn in the colours above."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):  # type: ignore[arg-type]  # it names each key as a literal
        size = (_WIDTH / _POINTS_A_INCH, _HEIGHT / _POINTS_A_INCH)
        figure = Figure(figsize=size, dpi=_POINTS_A_INCH, layout="constrained")
        FigureCanvasSVG(figure)
        yield figure.add_subplot()


def over_days(plot: Axes, days: Sequence[int]) -> None:
    """Let the horizontal axis run over these days, by their numbers, with half a day to spare."""
    from matplotlib.ticker import MaxNLocator

    first, last = min(days), max(days)
    pattern = "%b %Y" if last - first > _LONG else "%d %b"
    plot.set_xlim(first - 0.6, last + 0.6)
    plot.xaxis.set_major_locator(MaxNLocator(_TICKS, integer=True))
    plot.xaxis.set_major_formatter(lambda at, _: date.fromordinal(round(at)).strftime(pattern))


def svg_of(plot: Axes, name: str) -> Markup:
    """Return a plot as an ``<svg>`` element to stand inside of HTML.

    Parameters
    ----------
    plot
        Drawn in the colours above.
    name
        Unique on the page, letters, digits and hyphens: what the ids inside begin with.
    """
    from markupsafe import Markup

    written = io.BytesIO()
    figure = plot.get_figure(root=True)
    assert figure is not None  # noqa: S101  (`axes` made it)
    figure.savefig(written, format="svg", metadata={"Date": None})
    root = ET.fromstring(written.getvalue())  # noqa: S314  (matplotlib wrote it a line above)
    for parent in root.iter():
        for child in [one for one in parent if _bare(str(one.tag)) in {"metadata", "style"}]:
            parent.remove(child)
    used = {found for node in root.iter() for found in _references(node)}
    for node in root.iter():
        _adapt(node, name, used)
    width, height = (round(float(side)) for side in root.attrib["viewBox"].split()[2:])
    root.attrib |= {"width": str(width), "height": str(height), "aria-hidden": "true"}
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704  (nothing of a store is in it)


def _bare(name: str) -> str:
    """Return a tag's or attribute's name without its namespace: HTML knows those of SVG."""
    return name.rpartition("}")[2]


def _references(node: ET.Element) -> Iterator[str]:
    for key, value in node.attrib.items():
        if _bare(key) == "href" or value.startswith("url(#"):
            yield from _REFERENCE.findall(value)


def _adapt(node: ET.Element, name: str, used: set[str]) -> None:
    """Take out namespaces and ids that nobody uses; put the page's colours and letters in."""
    node.tag = _bare(str(node.tag))
    for key, value in list(node.attrib.items()):
        del node.attrib[key]
        if _bare(key) == "id":
            if value in used:
                node.attrib["id"] = f"{name}-{value}"
        elif _bare(key) == "href" or value.startswith("url(#"):
            node.attrib[_bare(key)] = _REFERENCE.sub(rf"#{name}-\1", value)
        elif key != "version":
            node.attrib[_bare(key)] = _themed(value)


def _themed(value: str) -> str:
    value = re.sub(r"font-family:[^;]*;?", "", value)
    return _COLOUR.sub(lambda found: f"var({_PROPERTIES[found[0]]})", value)
