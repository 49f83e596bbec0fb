"""A plugin of Datasette: pictures are shown as pictures, ids lead to what they name.

Where a table refers to another, Datasette's own link leads nowhere in a store that is called
 ``BROWSER/SITE``. Views and questions have no such references, so a column that has
the name of one is linked as that one is.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from datasette import hookimpl
from datasette.utils import tilde_encode
from markupsafe import Markup

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Awaitable, Callable, Mapping

    from datasette.app import Datasette

    Send = Callable[[Mapping[str, Any]], Awaitable[None]]
    Application = Callable[[Mapping[str, Any], Any, Send], Awaitable[None]]

_PNG = b"\x89PNG\r\n\x1a\n"
_LARGEST = 4_000_000  # bytes; a larger picture is a link, as Datasette makes one
_STYLE = "max-width: min(100%, 40rem); height: auto; outline: 1px solid #ccc"
_KINDS = {"turn": ("log", "id"), "episode": ("episode", "id"), "fact": ("fact", "number")}
_HERE = frozenset({"127.0.0.1", "localhost"})

# The tables that columns refer to, by database; an address is looked up once.
_known: WeakKeyDictionary[Any, dict[str, tuple[str, str]]] = WeakKeyDictionary()


@hookimpl  # type: ignore[untyped-decorator]
def render_cell(
    row: sqlite3.Row,
    value: object,
    column: str,
    table: str | None,
    database: str,
    datasette: Datasette,
) -> Any:
    """Return the picture or the link of a cell; ``None`` leaves it to Datasette."""
    if isinstance(value, bytes):
        return _picture(row, value)
    if isinstance(value, dict) and table is not None:
        return _referred(value, column, table, database, datasette)
    if value is None or not isinstance(value, (int, str)):
        return None
    return _linked(row, value, column, table, database, datasette)


def _picture(row: sqlite3.Row, content: bytes) -> Markup | None:
    if not content.startswith(_PNG) or len(content) > _LARGEST:
        return None
    name = row["name"] if "name" in row.keys() else ""  # noqa: SIM118  (a row, no mapping)
    data = base64.b64encode(content).decode()
    shown = f'<img src="data:image/png;base64,{data}" style="{_STYLE}" loading="lazy" alt="{{}}">'
    return Markup(shown).format(f"picture of {name}" if name else "picture")  # noqa: S704


async def _referred(
    value: Mapping[str, object], column: str, table: str, database: str, datasette: Datasette
) -> Markup:
    """Return the link to the row that a cell refers to, by its label and its id."""
    keys = await datasette.get_database(database).foreign_keys_for_table(table)
    other = next(key["other_table"] for key in keys if key["column"] == column)
    key, label = str(value["value"]), str(value["label"])
    address = f"{datasette.urls.table(database, other)}/{tilde_encode(key)}"
    shown = '<a href="{}">{}</a>' + ("&nbsp;<em>{}</em>" if label != key else "")
    return Markup(shown).format(address, label or "-", key)  # noqa: S704


async def _linked(
    row: sqlite3.Row,
    value: int | str,
    column: str,
    table: str | None,
    database: str,
    datasette: Datasette,
) -> Markup | None:
    store = datasette.get_database(database)
    if table is not None and table in await store.table_names():
        return None
    kind = row["kind"] if "kind" in row.keys() else None  # noqa: SIM118
    target: tuple[str, str] | None
    if column == "id" and table is not None and kind not in _KINDS:
        target = table.partition("_")[0], "id"  # fact_current shows facts
        if target[0] not in await store.table_names():
            return None
    elif column in {"id", "item_id"} and kind in _KINDS:
        target = _KINDS[kind]
    else:
        target = (await _references(store)).get(column)
    if target is None:
        return None
    asked = urlencode({f"{target[1]}__exact": value})
    address = f"{datasette.urls.table(database, target[0])}?{asked}"
    return Markup('<a href="{}">{}</a>').format(address, value)


async def _references(store: Any) -> dict[str, tuple[str, str]]:
    """Return the table and column that columns of each name refer to, where it is one alone."""
    if store not in _known:
        found: dict[str, set[tuple[str, str]]] = {}
        for table in await store.table_names():
            for key in await store.foreign_keys_for_table(table):
                found.setdefault(key["column"], set()).add(
                    (key["other_table"], key["other_column"])
                )
        _known[store] = {name: next(iter(to)) for name, to in found.items() if len(to) == 1}
    return _known[store]


@hookimpl  # type: ignore[untyped-decorator]
def asgi_wrapper() -> Callable[[Application], Application]:
    """Answer this machine alone: a page elsewhere may have its name lead here."""

    def wrapped(application: Application) -> Application:
        async def answer(scope: Mapping[str, Any], receive: Any, send: Send) -> None:
            if scope["type"] == "http" and _host(scope) not in _HERE:
                headers = [(b"content-type", b"text/plain")]
                await send({"type": "http.response.start", "status": 421, "headers": headers})
                await send({"type": "http.response.body", "body": b"Ask 127.0.0.1."})
                return
            await application(scope, receive, send)

        return answer

    return wrapped


def _host(scope: Mapping[str, Any]) -> str:
    host: bytes = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return host.decode("latin-1").partition(":")[0].lower()
