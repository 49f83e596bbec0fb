"""Folders as gui-memory writes them, made of screens that are drawn here or of the demo's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot

AT = "2026-03-24 10:05:00"
PAD = 4
Place = tuple[int, int, int, int]

# The screens of an airline's site, as the seed has them: words and where they stand.
HOME: dict[str, Place] = {
    "Travel_info": (420, 30, 80, 20),
    "My_trips": (300, 30, 70, 20),
    "Book": (200, 30, 50, 20),
    "Search_flights": (320, 300, 110, 20),
}
TRAVEL: dict[str, Place] = {
    "Baggage": (80, 160, 66, 20),
    "Airport_maps": (80, 220, 106, 20),
    "Check-in": (80, 280, 72, 20),
}


def drawn(*parts: dict[str, Place]) -> Any:
    """Return a screen with words on it, (600, 800, 3) uint8 BGR."""
    screen = np.full((600, 800, 3), 245, np.uint8)
    screen[:70] = (120, 60, 20)
    for name, (x, y, w, h) in {k: v for part in parts for k, v in part.items()}.items():
        cv2.rectangle(screen, (x, y), (x + w - 1, y + h - 1), (255, 250, 240), -1)
        text = name.replace("_", " ")
        cv2.putText(screen, text, (x + 3, y + 15), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 30, 20), 1)
    return screen


def home_screen() -> Any:
    """Return the screen of the state s_a3f2c1."""
    return drawn(HOME)


def travel_screen() -> Any:
    """Return the screen of the state s_b7d4e2: it has the same head."""
    head = {name: place for name, place in HOME.items() if place[1] < 70}
    return drawn(head, TRAVEL)


def component(place: Place, name: str, **more: Any) -> dict[str, Any]:
    """Return a component as ``components.json`` has it; its place is its middle."""
    x, y, w, h = place
    return {
        "type": "text",
        "source": "ocr",
        "rel_x": x + w // 2,
        "rel_y": y + h // 2,
        "w": w,
        "h": h,
        "icon_file": f"components/{name}.png",
        "label": name.replace("_", " "),
        "confidence": 0.93,
        "page": "main",
        "region": "default",
        "learned_at": AT,
        "last_seen": AT,
        "seen_count": 2,
        "consecutive_misses": 0,
        **more,
    }


def write_crop(folder: Path, screen: Any, place: Place, name: str) -> None:
    """Write the picture of a component: 4 pixels more than it on every side."""
    x, y, w, h = place
    crop = screen[max(y - PAD, 0) : y + h + PAD, max(x - PAD, 0) : x + w + PAD]
    path = folder / "components" / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), crop)


def put(folder: Path, name: str, content: Any) -> Path:
    """Write a JSON file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False), "utf-8")
    return path


def state(name: str, components: list[str], **more: Any) -> dict[str, Any]:
    """Return a state as ``states.json`` has it."""
    return {
        "name": name,
        "description": f"{name} of the site",
        "defining_components": components,
        "first_seen": AT,
        "last_seen": AT,
        "visit_count": 3,
        **more,
    }


def airline(folder: Path) -> Path:
    """Write the seed's own example in the four-file form; return its folder."""
    crops = {**dict.fromkeys(HOME, home_screen()), **dict.fromkeys(TRAVEL, travel_screen())}
    places = {**HOME, **TRAVEL}
    for name, screen in crops.items():
        write_crop(folder, screen, places[name], name)
    meta = {
        "app": "chromium",
        "domain": "united.com",
        "detect_count": 7,
        "last_updated": AT,
        "img_size": [800, 600],
        "forget_threshold": 15,
        "tips": ["The cookie banner covers the search button until it is closed."],
    }
    put(folder, "meta.json", meta)
    put(folder, "components.json", {name: component(places[name], name) for name in places})
    states = {
        "s_a3f2c1": state("home", [*HOME]),
        "s_b7d4e2": state("travel info", ["Travel_info", "My_trips", "Book", *TRAVEL]),
    }
    put(folder, "states.json", states)
    way = {
        "from_state": "s_a3f2c1",
        "action": "click:Travel_info",
        "to_state": "s_b7d4e2",
        "count": 4,
        "last_used": AT,
        "success_rate": 1.0,
        "click_pos": [460, 40],
    }
    put(folder, "transitions.json", {"s_a3f2c1|click:Travel_info|s_b7d4e2": way})
    flow = {
        "target_state": "s_b7d4e2",
        "description": "Open the travel information of the airline.",
        "created_at": AT,
        "run_count": 2,
        "success_count": 2,
        "notes": ["Works logged out, too."],
    }
    put(folder, "workflows.json", {"open travel info": flow})
    return folder


def harbor_app(folder: Path, shots: dict[str, Shot], names: tuple[str, ...]) -> Path:
    """Write an app of the demo's screens: their labelled boxes, a state a screen."""
    components: dict[str, Any] = {}
    states: dict[str, Any] = {}
    pictures: dict[bytes, str] = {}
    for number, shot_name in enumerate(names):
        shot = shots[shot_name]
        screen: Any = cv2.imdecode(np.frombuffer(shot.png, np.uint8), cv2.IMREAD_COLOR)
        held = []
        for box in shot.boxes:
            if box.type not in {"button", "link", "tab", "heading"} or not box.label:
                continue
            place = (box.x, box.y, box.w, box.h)
            crop = screen[box.y : box.y + box.h, box.x : box.x + box.w].tobytes()
            name = pictures.get(crop)
            if name is None:
                name = pictures[crop] = f"{box.label[:30].replace(' ', '_')}_{len(components)}"
                write_crop(folder, screen, place, name)
                components[name] = component(place, name, label=box.label, type=box.type)
                components[name]["page"] = shot_name
            held.append(name)
        (folder / "pages").mkdir(exist_ok=True)
        (folder / "pages" / f"{shot_name}.png").write_bytes(shot.png)
        states[f"s_00000{number}"] = state(shot_name, held)
    put(folder, "meta.json", {"app": "harbor", "img_size": [1280, 800], "detect_count": 3})
    put(folder, "components.json", components)
    put(folder, "states.json", states)
    put(folder, "transitions.json", {})
    return folder
