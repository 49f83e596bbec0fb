"""The store in Datasette: as ``memctl browse`` serves it, and as docs/sql.md opens it. Nothing is altered."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing, contextmanager
from html import unescape
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.store.schema_text import schema_objects
from memctl_cli.browsing.about_stores import metadata_of, questions
from memctl_cli.browsing.server import datasette_of
from tests.browsers import chromium, needs_browser
from tests.docs.page import PAGE
from tests.each import each
from tests.processes import python, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasette.app import Datasette


SITE = "chromium/localhost+3000"


LINK = re.compile(r'<a href="([^"]+)">([^<]+)</a>')


@pytest.fixture(scope="module")
def served(stores: Path) -> Iterator[Datasette]:
    """Both stores in Datasette, one as that of a site too, without a server."""
    harbor = stores / "harbor.db"
    made = datasette_of({"harbor": harbor, "agent": stores / "agent.db", SITE: harbor})
    asyncio.run(made.invoke_startup())
    yield made
    made.executor.shutdown()


def get(served: Datasette, path: str, code: int = 200) -> str:
    answer = asyncio.run(served.client.get(path))
    assert answer.status_code == code, answer.text
    return str(answer.text)


def fetched(address: str, host: str = "127.0.0.1") -> str:
    request = urllib.request.Request(address, headers={"Host": host})  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return str(answer.read().decode())


@contextmanager
def browsing(home: Path, *words: str, told: str = "") -> Iterator[str]:
    """Yield the address of a server of its own process; `told` is what it says on stderr."""
    command = ("--home", str(home), *words, "--no-open")
    with serving(*command, said=told, end=signal.SIGINT) as (address, _):
        yield address


def test_pictures_are_shown_as_pictures_and_columns_say_what_they_mean(served: Datasette) -> None:
    page = get(served, "/harbor/component_picture")
    assert page.count('src="data:image/png;base64,iVBOR') == 50
    assert 'alt="picture of Search_Harbor"' in page
    for path in ("/harbor/pictures?name=Sign_in", "/harbor/template"):
        assert 'src="data:image/png' in get(served, path)
    page = get(served, "/harbor/component")
    assert "Something that can be seen" in page
    assert "null: unlabelled" in page


@each(
    ("page", "column", "table"),
    [
        ("/harbor/state_graph", "from_state", "/harbor/state"),
        ("/harbor/state_graph", "component_id", "/harbor/component"),
        ("/harbor/state_summary", "state_id", "/harbor/state"),
        ("/harbor/component_picture", "template_id", "/harbor/template"),
        ("/harbor/missing_components", "component_id", "/harbor/component"),
        ("/agent/fact_current", "id", "/agent/fact"),
        ("/agent/waiting_facts", "fact_id", "/agent/fact"),
        ("/agent/memory_timeline", "id", "/agent/log"),
        ("/agent/memory_timeline", "id", "/agent/episode"),
        ("/agent/recalled_in_vain", "item_id", "/agent/episode"),
    ],
)
def test_ids_lead_to_their_rows(served: Datasette, page: str, column: str, table: str) -> None:
    cells = re.findall(rf'<td class="col-{column}[^"]*">(.*?)</td>', get(served, page), re.DOTALL)
    links = [found for cell in cells if (found := LINK.search(cell))]
    assert len(links) == len(cells) > 0
    leading = next(one for one in links if one[1].startswith(f"{table}?"))
    found = json.loads(get(served, unescape(leading[1]).replace("?", ".json?_shape=array&")))
    assert len(found) == 1
    assert leading[2] in map(str, found[0].values())


@each(("table", "column"), [("sighting", "component_id"), ("transition", "to_state")])
def test_references_of_a_site_lead_to_their_rows(
    served: Datasette, table: str, column: str
) -> None:
    page = get(served, f"{served.urls.table(SITE, table)}?_size=1")
    cell = re.findall(rf'<td class="col-{column}[^"]*"><a href="([^"]+)">', page)
    assert "Links from other tables" in get(served, unescape(cell[0]))


def test_what_memctl_keeps_for_itself_is_hidden(served: Datasette) -> None:
    about = json.loads(get(served, "/agent.json"))
    shown = {table["name"] for table in about["tables"] if not table["hidden"]}
    assert {"component", "template", "fact", "log", "episode", "skill", "setting"} <= shown
    assert not {name for name in shown if name.startswith(("memory_fts", "embedding", "erased"))}
    assert not shown & {"migration", "sqlite_sequence", "row_change", "candidate_word"}
    views = {view["name"] for view in about["views"]}
    assert "state_graph" in views
    assert not views & {"memory_words", "state_root"}


def test_every_question_of_the_page_is_asked(served: Datasette) -> None:
    listed = json.loads(get(served, "/agent.json"))["queries"]
    assert [one["title"] for one in listed] == [one["title"] for one in questions().values()]
    for store in ("harbor", "agent"):
        for name in questions():
            answer = json.loads(get(served, f"/{store}/{name}.json?_shape=array"))
            assert isinstance(answer, list), answer


def test_what_is_said_of_tables_is_said_of_those_that_there_are() -> None:
    said = json.loads((resources.files("memctl_cli.browsing") / "metadata.json").read_text("utf-8"))
    tables = {one.name for one in schema_objects() if one.type == "table"} | {"sqlite_sequence"}
    views = {one.name for one in schema_objects() if one.type == "view"}
    assert set(said["hidden"]) <= tables
    assert set(said["inner_views"]) <= views
    assert set(said["tables"]) <= tables | views
    assert set(metadata_of(["agent"])["databases"]) == {"agent"}


def test_a_store_is_served_to_this_machine_alone_and_not_altered(stores: Path) -> None:
    before = (stores / "harbor.db").read_bytes()
    with browsing(stores.parent, "--app", "harbor", "browse", "--port", "0") as address:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/harbor", address)
        assert "Which screens does it know" in fetched(address)
        with pytest.raises(urllib.error.HTTPError, match="421"):
            fetched(address, host="evil.example")
        with pytest.raises(urllib.error.HTTPError, match="400"):
            fetched(f"{address}?sql=delete+from+component")
    assert (stores / "harbor.db").read_bytes() == before


def test_every_store_of_a_home_is_served_but_the_damaged_one(home: Path) -> None:
    for address in ("agent", "chromium/united.com", "broken"):
        with memctl.open(address, home) as memory:
            memory.log(f"This is the store {address}.")
    (home / "apps" / "broken.db").write_bytes(b"no store at all" * 1_000)
    told = r"memctl: left out: .*broken.db.*\n"
    with browsing(home, "browse", "--all-stores", "--port", "0", told=told) as address:
        assert set(json.loads(fetched(f"{address}.json"))) == {"agent", "chromium/united.com"}
        page = fetched(f"{address}chromium~2Funited~2Ecom/log")
        assert "This is the store chromium/united.com." in page


def test_without_datasette_it_says_what_to_install(stores: Path) -> None:
    script = """
        import sys

        sys.modules["datasette"] = None
        from memctl_cli import main

        try:
            main(["--home", sys.argv[1], "--app", "harbor", "browse", "--json"])
        except SystemExit as left:
            print(left.code)
    """
    told, code = python(script, stores.parent).splitlines()
    assert code == "2"
    assert json.loads(told)["error"]["hint"] == "pip install 'memctl-engine[browse]'"


def test_a_port_that_is_taken_and_a_store_that_is_not_there_are_told(stores: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        told = failed(stores, "--app", "harbor", "browse", "--no-open", "--port", port)
        assert (told.returncode, f"port {port} cannot be listened on" in told.stderr) == (2, True)
    told = failed(stores, "--app", "harbour", "browse", "--no-open")
    assert told.returncode == 4


def failed(stores: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memctl", "--home", str(stores.parent), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@needs_browser
def test_a_browser_draws_the_pictures_and_asks_nobody_else(stores: Path) -> None:
    asked: list[str] = []
    with (
        browsing(stores.parent, "--app", "harbor", "browse", "--port", "0") as address,
        chromium() as browser,
    ):
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for path in ("", "/component_picture", "/looked_for?name=Import"):
            page.goto(address + path)
            if path == "/component_picture":
                drawn: Any = page.evaluate(
                    "[...document.images].filter(one => one.complete && one.naturalWidth).length"
                )
                assert drawn >= 10
    assert len(asked) > 3
    assert all(one.startswith(("http://127.0.0.1:", "data:")) for one in asked)


OPENING, IMMUTABLE = re.findall(r"^datasette .+$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def folder(home: Path) -> Path:
    """The folder of two stores, closed; the app's holds nothing yet but a setting."""
    with memctl.open("agent", home) as memory:
        memory.facts.store(text="Falcon's deadline is 2026-12-01", category="project")
    with memctl.open("harbor", home) as memory:
        memory.settings.set("keep_screenshots", "3")
    return home / "apps"


def opened(path: str, command: str, folder: Path) -> Any:
    """Return the JSON of one page, without a server."""
    words = [sys.executable, "-W", "error", "-m", *shlex.split(command), "--get", path]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_every_view_shows_its_rows_and_the_file_is_not_altered(folder: Path) -> None:
    before = (folder / "agent.db").read_bytes()
    (row,) = opened("/agent/fact_current.json?_shape=array&_facet=category", OPENING, folder)
    assert (row["subject"], row["attribute"], row["value"]) == ("Falcon", "deadline", "2026-12-01")
    assert (folder / "agent.db").read_bytes() == before
    with closing(sqlite3.connect(folder / "agent.db")) as connection:
        views = connection.execute("select name from sqlite_schema where type = 'view'").fetchall()
    shown = opened("/agent.json", OPENING, folder)
    assert {view["name"] for view in shown["views"]} == {name for (name,) in views}
    assert len(views) > 10


def test_what_is_written_meanwhile_is_seen_unless_the_store_is_opened_as_immutable(
    folder: Path,
) -> None:
    page = "/agent/alias.json?_shape=array"
    insert = "insert into alias (term, synonym) values (?, 'ship')"
    with closing(sqlite3.connect(folder / "agent.db", isolation_level=None)) as writer:
        writer.execute(insert, ("boat",))
        assert opened(page, IMMUTABLE, folder) == []
    assert len(opened(page, IMMUTABLE, folder)) == 1
    assert {path.name for path in folder.iterdir()} == {"agent.db", "harbor.db"}
    with closing(sqlite3.connect(folder / "agent.db", isolation_level=None)) as writer:
        writer.execute(insert, ("ferry",))
        assert len(opened(page, OPENING, folder)) == 2
