"""The looks that siblings are drawn in: six to develop with, four kept for the report."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["STYLES", "Style", "font_face"]


@dataclass(frozen=True, slots=True)
class Style:
    """One look of a page of elements.

    Parameters
    ----------
    margin
        Pixels that the learned boxes are wider than the elements, on each side.
    colours, other_colours
        Page, surface, text, accent and text upon the accent; and those of its other theme.
    """

    name: str
    half: str
    font: str
    size: int
    css: str
    colours: tuple[str, str, str, str, str]
    other_colours: tuple[str, str, str, str, str]
    icon: int = 16
    margin: int = 0

    def sheet(self, *, other: bool = False) -> str:
        """Return the style sheet, in the usual theme or the other."""
        page, surface, text, accent, upon = self.other_colours if other else self.colours
        return (
            f"{font_face(self.font)}:root{{--page:{page};--surface:{surface};--text:{text};"
            f"--accent:{accent};--upon:{upon}}}"
            f"body{{font:{self.size}px {self.font};background:var(--page);color:var(--text)}}"
            f"{BASE}{self.css}"
        )


BASE = """
*{box-sizing:border-box}body{margin:0}
h1{margin:0;padding:14px 20px;font-size:1.3em}
.board{display:grid;grid-template-columns:repeat(6,158px);grid-auto-rows:46px;padding:8px 20px}
.board>*{justify-self:start;align-self:start;display:inline-grid;align-items:center;
 justify-items:center;white-space:nowrap;cursor:pointer}
.board>*>*{display:grid;justify-items:inherit;align-items:center}.board>*>*>*{grid-area:1/1;display:block}svg{display:block}.ghost{visibility:hidden}
"""

STYLES = (
    Style(
        "flat",
        "development",
        "DejaVu Sans",
        13,
        """.button{background:var(--accent);color:var(--upon);padding:7px 14px}
        .line{border:1px solid var(--text);padding:6px 12px}.link{color:var(--accent)}
        .tab{padding:8px 14px;border-bottom:2px solid var(--accent)}
        .menu{background:var(--surface);padding:7px 26px 7px 10px;justify-items:start}
        .chip{background:var(--surface);padding:3px 9px;border-radius:10px;font-size:12px}
        .badge{background:var(--accent);color:var(--upon);padding:2px 7px;border-radius:9px;
         font-size:11px}.icon{padding:6px}""",
        ("#ffffff", "#eef1f5", "#1d2733", "#2458c5", "#ffffff"),
        ("#1b1f26", "#2a303a", "#e4e8ee", "#7aa5ff", "#10151d"),
    ),
    Style(
        "outlined",
        "development",
        "DejaVu Sans Mono",
        12,
        """.button{border:1px solid var(--accent);color:var(--accent);padding:6px 12px}
        .line{border:2px solid var(--text);padding:5px 10px;font-weight:700}
        .link{text-decoration:underline}.tab{padding:7px 12px;border:1px solid var(--text)}
        .menu{padding:6px 30px 6px 8px;border-bottom:1px dotted var(--text)}
        .chip{border:1px solid var(--accent);padding:2px 7px}
        .badge{border:1px solid var(--text);padding:1px 6px}
        .icon{padding:5px;border:1px solid var(--surface)}""",
        ("#fbfaf7", "#d8d4ca", "#2c2a26", "#8a4b12", "#ffffff"),
        ("#23211d", "#4a463d", "#efeae0", "#f0b070", "#23211d"),
        margin=2,
    ),
    Style(
        "gradient",
        "development",
        "DejaVu Sans",
        14,
        """.button{background:linear-gradient(var(--surface),var(--accent));padding:7px 16px;
         border-radius:4px;border:1px solid var(--accent);font-weight:700}
        .line{background:linear-gradient(var(--page),var(--surface));padding:6px 12px;
         border:1px solid #9996;border-radius:3px}.link{color:var(--accent);font-weight:700}
        .tab{background:linear-gradient(var(--surface),var(--page));padding:9px 16px;
         border-radius:6px 6px 0 0}
        .menu{padding:6px 18px;background:linear-gradient(90deg,var(--surface),var(--page))}
        .chip{background:linear-gradient(90deg,var(--accent),var(--surface));padding:3px 10px;
         border-radius:11px;font-size:13px}
        .badge{background:linear-gradient(var(--surface),var(--accent));padding:3px 8px;
         border-radius:4px}.icon{padding:7px;background:linear-gradient(var(--surface),
         var(--page));border-radius:5px}""",
        ("#f4f6f4", "#e3efe3", "#17301b", "#9fc9a4", "#17301b"),
        ("#18211a", "#2c3f30", "#dbe8dd", "#4b7a54", "#ffffff"),
        icon=18,
    ),
    Style(
        "rounded dark",
        "development",
        "DejaVu Sans Condensed",
        13,
        """.button{background:var(--accent);color:var(--upon);padding:7px 18px;
         border-radius:16px}.line{border:1px solid var(--accent);padding:6px 16px;
         border-radius:16px}.link{color:var(--accent)}
        .tab{padding:7px 16px;border-radius:14px;background:var(--surface)}
        .menu{padding:8px 34px 8px 12px;background:var(--surface);border-radius:6px}
        .chip{padding:3px 12px;border-radius:12px;background:var(--surface)}
        .badge{padding:2px 7px;border-radius:9px;background:#c73a4c;color:#fff;font-size:11px}
        .icon{padding:7px;border-radius:50%;background:var(--surface)}""",
        ("#16181d", "#2b2f38", "#d9dde5", "#8fb4ff", "#0d1420"),
        ("#ffffff", "#e9ecf2", "#22262e", "#2f5fd0", "#ffffff"),
        margin=1,
    ),
    Style(
        "serif",
        "development",
        "DejaVu Serif",
        16,
        """.button{background:var(--surface);padding:6px 14px;border:1px solid var(--text)}
        .line{padding:6px 12px;border-bottom:3px double var(--text)}
        .link{color:var(--accent);text-decoration:underline}
        .tab{padding:6px 12px;font-style:italic;border-bottom:1px solid var(--text)}
        .menu{padding:6px 12px}.chip{font-size:14px;padding:2px 8px;background:var(--surface)}
        .badge{font-size:13px;padding:2px 7px;border:1px solid var(--accent);border-radius:50%}
        .icon{padding:6px}""",
        ("#fffdf5", "#f1ead6", "#33291a", "#7c2d2d", "#fffdf5"),
        ("#241f17", "#3b3325", "#f0e6d0", "#e79a8f", "#241f17"),
        icon=18,
    ),
    Style(
        "small light",
        "development",
        "DejaVu Sans",
        11,
        """.button{background:var(--surface);padding:5px 10px;border-radius:3px;
         box-shadow:0 1px 2px #0004}.line{padding:4px 9px;border:1px solid #bbb}
        .link{color:var(--accent)}.tab{padding:6px 10px;color:var(--accent);
         text-transform:none;letter-spacing:.4px}
        .menu{padding:4px 40px 4px 8px;border-left:3px solid var(--accent)}
        .chip{padding:2px 7px;border-radius:3px;background:var(--accent);color:var(--upon)}
        .badge{padding:1px 5px;border-radius:7px;background:var(--text);color:var(--page)}
        .icon{padding:4px;opacity:.75}""",
        ("#fafafa", "#e8e8ea", "#3c4043", "#00796b", "#ffffff"),
        ("#202124", "#35363a", "#e8eaed", "#6fd3c4", "#0c1a18"),
        icon=14,
        margin=4,
    ),
    Style(
        "heavy",
        "report",
        "DejaVu Sans Light",
        18,
        """.button{background:var(--text);color:var(--page);padding:6px 12px}
        .line{padding:5px 10px;border:3px solid var(--text)}.link{text-decoration:underline}
        .tab{padding:7px 10px;border-top:4px solid var(--accent)}
        .menu{padding:5px 12px;border:1px solid var(--surface)}
        .chip{padding:2px 10px;background:var(--accent);color:var(--upon)}
        .badge{padding:2px 8px;border:2px solid var(--accent)}
        .icon{padding:6px;border:2px solid var(--text)}""",
        ("#fff4d6", "#e6d5a5", "#111111", "#d2361f", "#ffffff"),
        ("#101010", "#3a3a3a", "#f7f2e4", "#ffb02e", "#101010"),
        icon=20,
    ),
    Style(
        "times",
        "report",
        "STIXGeneral",
        17,
        """.button{background:var(--surface);border-radius:2px;padding:5px 14px;
         box-shadow:inset 0 -2px 0 #0002}.line{padding:5px 12px;border:1px dashed var(--accent)}
        .link{color:var(--accent)}.tab{padding:6px 16px;border-left:1px solid var(--accent)}
        .menu{padding:4px 20px;font-style:italic}
        .chip{padding:1px 9px;border-radius:9px;border:1px solid var(--accent)}
        .badge{padding:1px 7px;background:var(--surface);border-radius:4px}.icon{padding:5px}""",
        ("#f7f8fc", "#dfe4f2", "#1c2340", "#4a3aa8", "#ffffff"),
        ("#191c2a", "#2e3450", "#dfe3f5", "#b0a4ff", "#191c2a"),
        icon=17,
        margin=2,
    ),
    Style(
        "modern",
        "report",
        "cmss10",
        16,
        """.button{background:linear-gradient(135deg,var(--accent),var(--text));
         color:var(--upon);padding:6px 18px;border-radius:8px}
        .line{padding:5px 16px;border:1px solid var(--surface);border-radius:8px;
         background:var(--surface)}.link{color:var(--accent)}
        .tab{padding:6px 14px;box-shadow:inset 0 -2px var(--accent)}
        .menu{padding:6px 40px 6px 14px;border-radius:8px;background:var(--surface)}
        .chip{padding:2px 10px;border-radius:6px;background:var(--surface);font-size:14px}
        .badge{padding:2px 8px;border-radius:10px;background:var(--accent);color:var(--upon);
         font-size:13px}.icon{padding:8px;border-radius:8px;background:var(--surface)}""",
        ("#0f1720", "#1f2b38", "#9fb6c9", "#2e7f9c", "#ffffff"),
        ("#f3f7fa", "#dde6ed", "#20465c", "#2b86a6", "#ffffff"),
        margin=1,
    ),
    Style(
        "terminal",
        "report",
        "DejaVu Sans Mono",
        15,
        """.button{background:var(--accent);color:var(--upon);padding:3px 9px}
        .line{padding:3px 9px;outline:1px solid var(--accent);outline-offset:-1px}
        .link{color:var(--accent)}.tab{padding:3px 9px;background:var(--surface)}
        .menu{padding:3px 9px}.chip{padding:1px 5px;background:var(--surface)}
        .badge{padding:0 5px;background:var(--text);color:var(--page)}.icon{padding:4px}""",
        ("#0b0e0b", "#1c261c", "#a6dba0", "#58b868", "#061006"),
        ("#f6f8f2", "#dfe8d8", "#203820", "#28703a", "#ffffff"),
        icon=15,
    ),
)


@cache
def font_face(font: str) -> str:
    """Return the ``@font-face`` of a font that comes with Matplotlib; else nothing."""
    import matplotlib as mpl

    file = Path(mpl.get_data_path(), "fonts", "ttf", f"{font}.ttf")
    if not file.is_file():
        return ""
    data = base64.b64encode(file.read_bytes()).decode()
    return f'@font-face{{font-family:"{font}";src:url(data:font/ttf;base64,{data})}}'
