"""Our own icons: strokes in a square of 16, drawn for this benchmark."""

from __future__ import annotations

__all__ = ["ICONS", "avatar", "icon"]

ICONS = {
    "arrow": "M2 8h11M9 4l4 4-4 4",
    "back": "M14 8H3M7 4L3 8l4 4",
    "bell": "M4 11V7a4 4 0 0 1 8 0v4l1 1H3zM7 14h2",
    "bell off": "M4 11V7a4 4 0 0 1 8 0v4l1 1H3zM7 14h2M2 2l12 12",
    "bin": "M3 4h10M6 4V2h4v2M4 4l1 10h6l1-10",
    "bin full": "M3 4h10M6 4V2h4v2M4 4l1 10h6l1-10M7 7v4M9 7v4",
    "box": "M3 3h10v10H3z",
    "box ticked": "M3 3h10v10H3zM5 8l2 2 4-4",
    "clock": "M8 2a6 6 0 1 0 .01 0M8 4v4l3 2",
    "clock late": "M8 2a6 6 0 1 0 .01 0M8 4v4l-3 2",
    "cloud": "M4 12a3 3 0 0 1 0-5 4 4 0 0 1 8-1 3 3 0 0 1 0 6z",
    "cross": "M4 4l8 8M12 4l-8 8",
    "dots": "M3 8h.5M8 8h.5M13 8h.5",
    "dots up": "M8 3v.5M8 8v.5M8 13v.5",
    "down": "M8 2v8M4 7l4 4 4-4M3 14h10",
    "eye": "M1 8c4-6 10-6 14 0-4 6-10 6-14 0zM8 6a2 2 0 1 0 .01 0",
    "flag": "M4 14V2h8l-2 3 2 3H4",
    "flag turned": "M12 14V2H4l2 3-2 3h8",
    "gear": "M8 5a3 3 0 1 0 .01 0M8 1v3M8 12v3M1 8h3M12 8h3",
    "heart": "M8 14L2 7a3 3 0 0 1 6-2 3 3 0 0 1 6 2z",
    "house": "M2 8l6-6 6 6M4 7v7h8V7",
    "house door": "M2 8l6-6 6 6M4 7v7h8V7M7 14v-4h2v4",
    "lock": "M4 7h8v7H4zM6 7V4a2 2 0 0 1 4 0v3",
    "lock open": "M4 7h8v7H4zM6 7V4a2 2 0 0 1 4 0",
    "mail": "M2 4h12v9H2zM2 4l6 5 6-5",
    "minus": "M3 8h10",
    "pen": "M3 13l1-4 7-7 3 3-7 7z",
    "pin": "M8 15V9M5 9h6l-1-3V2H6v4z",
    "play": "M5 3l8 5-8 5z",
    "play turned": "M11 3L3 8l8 5z",
    "plus": "M3 8h10M8 3v10",
    "ring": "M8 3a5 5 0 1 0 .01 0",
    "ring dot": "M8 3a5 5 0 1 0 .01 0M8 7.5v1",
    "search": "M7 2a5 5 0 1 0 .01 0M11 11l4 4",
    "search in": "M7 2a5 5 0 1 0 .01 0M11 11l4 4M5 7h4M7 5v4",
    "search out": "M7 2a5 5 0 1 0 .01 0M11 11l4 4M5 7h4",
    "sheet": "M4 2h6l3 3v9H4zM6 8h5M6 11h5",
    "sheet lines": "M4 2h6l3 3v9H4zM6 7h5M6 9.5h5M6 12h5",
    "square stop": "M4 4h8v8H4z",
    "star": "M8 2l2 4 4 .5-3 3 1 4.5-4-2-4 2 1-4.5-3-3 4-.5z",
    "sun": "M8 5a3 3 0 1 0 .01 0M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1 1M12 12l1 1",
    "tag": "M2 2h6l6 6-6 6-6-6zM5 5h.5",
    "tick": "M3 8l3 4 7-8",
    "up": "M8 11V3M4 6l4-4 4 4M3 14h10",
    "user": "M8 2a3 3 0 1 0 .01 0M2 14c1-6 11-6 12 0",
    "user plus": "M7 2a3 3 0 1 0 .01 0M1 14c1-6 11-6 12 0M13 4v4M11 6h4",
    "wave": "M1 9c3-6 4-6 7 0s4 6 7 0",
}


def icon(name: str, size: int = 16) -> str:
    """Return an icon as inline SVG, in the colour of its text."""
    return (
        f'<svg width="{size}" height="{size}" viewBox="0 0 16 16" fill="none" '
        f'stroke="currentColor" stroke-width="1.6"><path d="{ICONS[name]}"/></svg>'
    )


def avatar(seed: int, size: int = 44) -> str:
    """Return a mirrored pattern of five by five squares: a picture that stands for one person."""
    hue = seed * 47 % 360
    bits = (seed * 2654435761) & 0xFFFFFFFF
    squares = "".join(
        f'<rect x="{x}" y="{i // 3}" width="1.02" height="1.02"/>'
        for i in range(15)
        if bits >> (i + 7) & 1
        for x in {i % 3, 4 - i % 3}
    )
    return (
        f'<svg width="{size}" height="{size}" viewBox="-.5 -.5 6 6" style="background:'
        f'hsl({hue},45%,88%);border-radius:50%" fill="hsl({hue},60%,38%)">{squares}</svg>'
    )
