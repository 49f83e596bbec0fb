"""Judges what is personal, and stays out of a pack: contents, rows, texts that were typed."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from memctl.base.pattern import Pattern
from memctl.guard import door
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import folded
from memctl.visual.learning.known_boxes import is_guessed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator

    from memctl.semantic.records import Fact
    from memctl.store.store import Store

SQL = statements.load("store/sharing")
Entry = dict[str, Any]

CONTROLS = frozenset(
    [
        "button",
        "checkbox",
        "combobox",
        "icon",
        "input",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "radio",
        "searchbox",
        "select",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
        "toggle",
    ]
)
"""What an app offers, whoever uses it; all else is content, until it is seen on two screens."""

_CHROME = 2  # screens that content stands on, from which on it belongs to the app
_COVERED = 0.5  # share of a component inside the text of a row, from which on it is that text
_EMAIL = Pattern(r"[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{2,40}")
_PLACEHOLDERS = re.compile(r"(?:\{\w+\}[ ,;-]?)+")
# What a detail may be, by the act. A single letter that is pressed alone is typed text.
_PLAIN = {
    "key": re.compile(
        r"(?i)(?:(?:ctrl|control|alt|shift|meta|cmd|super)\+)+[ -~]"
        r"|(?:(?:ctrl|control|alt|shift|meta|cmd|super)\+)*(?:enter|return|tab|esc|escape|space|"
        r"backspace|delete|insert|home|end|page ?up|page ?down|(?:arrow)?(?:up|down|left|right)|"
        r"f[0-9]{1,2})"
    ),
    "scroll": re.compile(r"[-+0-9., x]+"),
    "drag": re.compile(r"[-+0-9., x]+"),
    "goto": re.compile(r"[a-z/._~-]*", re.IGNORECASE),  # a path without numbers or a query
}


def plain_detail(action: str, detail: str | None) -> str | None:
    """Return the detail of an act where it is nothing personal, else ``None``.

    >>> plain_detail("key", "ctrl+s"), plain_detail("type", "{who}"), plain_detail("type", "Ann")
    ('ctrl+s', '{who}', None)
    """
    if detail is None or _PLACEHOLDERS.fullmatch(detail):
        return detail
    plain = _PLAIN.get(action)
    return detail if plain is not None and plain.fullmatch(detail) else None


def shows_address(text: str | None) -> bool:
    """Return whether a label, a name or a URL has an e-mail address: no app offers it to all.

    >>> shows_address("Signed in as ann@example.com"), shows_address("@media 2x")
    (True, False)
    """
    return text is not None and _EMAIL.search(text) is not None


def names_row(label: str | None, row: str | None) -> bool:
    """Return whether a label is of the text of its row, or the other way round.

    >>> names_row("Ann Berg", "Ann Berg, Porto"), names_row("Open", "Ann Berg, Porto")
    (True, False)
    """
    one, other = folded(label or ""), folded(row or "")
    return bool(one and other) and (one in other or other in one)


def plain_page(page: str | None) -> str | None:
    """Return the page as a pack names it: a URL without user, query and fragment.

    >>> plain_page("https://a.b/orders?of=Ann#7"), plain_page("orders"), plain_page("ann@example.com")
    ('https://a.b/orders', 'orders', None)
    """
    bare = _bare(page) if page and "://" in page else page
    return None if shows_address(bare) else bare


def is_unlabelled(row: sqlite3.Row | Entry) -> bool:
    """Return whether a component is a control of which only the picture and the place are known."""
    return not row["label"] and row["type"] in CONTROLS and not is_guessed(row["source"])


class Personal:
    """The judge of which components of a store stay out of a pack.

    Parameters
    ----------
    without
        Names or labels that the caller leaves out.
    texts
        Whether content that stands on one screen alone goes in where it has a label, as headings
        and captions do: the caller has looked at the list.
    """

    def __init__(self, store: Store, without: Collection[str], *, texts: bool) -> None:
        self._without = {folded(name) for name in without}
        self._texts = texts
        # Whoever made a pack judged what came in it.
        self._packed = {row[0] for row in store.rows(SQL.packed_components)}
        self._screens: dict[int, set[str]] = defaultdict(set)
        self._places: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
        for row in store.rows(SQL.state_components):
            self._screens[row["component_id"]].add(row["state_id"])
            place = row["state_id"], row["x"], row["y"]
            self._places[row["component_id"]].append(place)
        self._rows: dict[str, list[tuple[int, Box]]] = defaultdict(list)
        for row in store.rows(SQL.row_places):
            box = Box(*(round(row[name]) for name in "xywh"))
            self._rows[row["state_id"]].append((row["component_id"], box))

    def reason(self, row: sqlite3.Row, entry: Entry) -> str | None:
        """Return why a component stays out; ``None`` where it goes in."""
        if {folded(row["name"]), folded(row["label"] or "")} & self._without:
            return "left out by name"
        if not entry["pictures"]:
            return "without a picture"
        if row["changing_at"] is not None:
            return "shows something else each time"
        if shows_address(entry["label"]) or shows_address(entry["name"]):
            return "shows an e-mail address"
        if row["id"] not in self._packed and self._names_row(row):
            return "names a row"
        content = row["type"] not in CONTROLS or is_guessed(row["source"])
        content = content and row["id"] not in self._packed
        content = content and not self._shown(row)
        once = len(self._screens[row["id"]]) < _CHROME
        return "content of one screen" if content and once else None

    def _shown(self, row: sqlite3.Row) -> bool:
        """Return whether content is a caption that the caller lets in: a number is data."""
        label = row["label"] or ""
        captioned = row["type"] != "image" and not any(sign.isdigit() for sign in label)
        return self._texts and bool(label) and captioned

    def _names_row(self, row: sqlite3.Row) -> bool:
        if names_row(row["label"], row["row_text"]):
            return True
        w, h = round(row["w"] / row["scale"]), round(row["h"] / row["scale"])
        for state, x, y in self._places[row["id"]]:
            own = Box(x, y, w, h)
            for owner, text in self._rows[state]:
                if owner != row["id"] and own.overlap(text) > _COVERED * own.area:
                    return True
        return False


_FOLDER = re.compile(r"(?i)(?:/home/|/users/|\\users\\)[^\s/\\]|~[a-z][\w.-]*/")
_URL = re.compile(r"https?://[^\s<>\"')\]]+")
_QUOTED = re.compile('["“„«]([^"“”„«»]{8,500})["”“»]')
_NOBODY = frozenset({"user", "assistant", "system", "tool", "human", "agent", "i", "we", "claude"})
_SHORTEST_NAME, _QUOTED_WORDS = 3, 3


class PersonalFacts:
    """The judge of which facts of a store stay out of a pack."""

    def __init__(self, store: Store) -> None:
        self._store = store
        known = [str(row["name"]).strip() for row in store.rows(SQL.people)]
        self._names = sorted({name for whole in known for name in _spellings(whole)})

    def reason(self, fact: Fact) -> str:
        """Return why a fact stays out; empty where it may go in."""
        if fact.user_id or fact.agent_id or fact.session_id:
            return "is of one user, agent or session"
        if fact.shared:
            return f"came in {fact.shared}: its own store shares it"
        return next(self._personal(fact), "")

    def _personal(self, fact: Fact) -> Iterator[str]:
        """Yield what in a fact is personal or secret."""
        slot = f"{fact.attribute}: {fact.value}" if fact.attribute or fact.value else None
        whole = "\n".join(filter(None, (fact.text, fact.subject, slot, fact.project)))
        if (rule := door.find_rule(self._store, whole)) is not None:
            yield f"looks like a secret: {door.reason(rule)}"
        if shows_address(whole):
            yield "shows an e-mail address"
        if _FOLDER.search(whole):
            yield "names somebody's folder"
        if any(_bare(url) != url for url in _URL.findall(whole)):
            yield "has a URL with a user, a query or a fragment"
        yield from (f"names a person: {name}" for name in self._names if _names(whole, name))
        for passage in _QUOTED.findall(whole):
            long = len(passage.split()) >= _QUOTED_WORDS  # fewer are what stands on a button
            if long and self._store.value(SQL.was_said, {"passage": passage}):
                yield "quotes a turn"


def _spellings(name: str) -> Iterator[str]:
    """Yield the spellings of a person's name in a text: the whole as it is written, or a part."""
    if name.casefold() in _NOBODY:
        return
    for part in {name, name.title(), *name.split()}:
        short = part.isascii() and len(part) < _SHORTEST_NAME
        if part and not short and (part == name or not part.islower()):
            yield part


def _names(text: str, name: str) -> bool:
    if name not in text:
        return False
    return not name.isascii() or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


class ImpersonalSkills:
    """The judge of which skills go into a pack, and without what."""

    def __init__(self, out: dict[str, int]) -> None:
        self._out = out

    def kept(self, skill: Entry, status: str) -> Entry | None:
        """Return a skill without what is personal; ``None`` where it stays out of a pack."""
        if status != "active":
            why = f"{status} skills"
        elif any(step["component"] == -1 for step in skill["steps"]):
            why = "skills that act on what stays out"
        elif not all(_is_plain(step) for step in skill["steps"]):
            why = "skills that type or name something of their own"
        else:
            return self._impersonal(skill)
        self._out[why] += 1
        return None

    def _impersonal(self, skill: Entry) -> Entry:
        examples = {folded(value) for value in skill["parameters"].values() if value.strip()}

        def quotes(text: str) -> bool:
            return any(example in folded(text) for example in examples)

        described = "" if quotes(skill["description"]) else skill["description"]
        return {
            **skill,
            "steps": [{**step, "target": None} for step in skill["steps"]],
            "description": described,
            "triggers": [text for text in skill["triggers"] if not quotes(text)],
            "url": _bare(skill["url"]),
            "parameters": dict.fromkeys(skill["parameters"], ""),
        }


def _is_plain(step: Entry) -> bool:
    """Return whether a step only acts on a component that goes in, with nothing typed."""
    named = step["target"] is not None and step["component"] is None
    detail, beside = step["detail"], step["beside"]
    plain = detail is None or plain_detail(step["action"], detail) is not None
    return not named and plain and (beside is None or bool(_PLACEHOLDERS.fullmatch(beside)))


def _bare(url: str | None) -> str | None:
    """Return a URL without user, query and fragment."""
    if url is None:
        return None
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
