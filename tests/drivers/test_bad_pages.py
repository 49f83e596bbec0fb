"""Pages that cannot be learned say so in one line; odd ones are looked at all the same."""

from __future__ import annotations

import base64
import socket
import sqlite3
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import MemctlError, UnusableInputError
from memctl.drivers import browser_driver, browsers
from tests.browsers import needs_browser
from tests.cli.calling import memctl_process
from tests.drivers.serving import answering, served
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look
    from memctl.memory import Memory
    from tests.drivers.serving import Answer

pytestmark = needs_browser

SAVE = "<!doctype html><meta charset=utf-8><title>Save</title><button>Save</button>"
PASSWORD = "hunter2-orchid"  # noqa: S105
TOKEN = "tok-91f3c2aa"  # noqa: S105


def guarded(request: BaseHTTPRequestHandler) -> None:
    """Answer with a page whoever says the password."""
    said = base64.b64encode(f"ann:{PASSWORD}".encode()).decode()
    if request.headers.get("Authorization") == f"Basic {said}":
        answering(200, SAVE, Content_Type="text/html")(request)
    else:
        answering(401, WWW_Authenticate='Basic realm="orders"')(request)


def forever(start: str) -> Answer:
    """Return an answer that starts and never ends."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        if start:
            answering(200, start, Content_Type="text/html")(request)
            request.wfile.flush()
        request.connection.settimeout(20)
        with suppress(TimeoutError):
            request.connection.recv(1)

    return answer


PAGES: dict[str, str | Answer] = {
    "/secret": guarded,
    "/wrong": answering(500, "<h1>Server error</h1>", Content_Type="text/html"),
    "/file": answering(200, "a,b", Content_Disposition="attachment; filename=a.csv"),
    "/silent": forever(""),
    "/endless": forever(SAVE),
    "/picture": SAVE + "<img src=/silent>",
    "/away": """<script>onload = () => { location.href = `http://localhost:${location.port}/save` }</script>""",
    # For three seconds, since what goes on by itself could take the place of what is opened next.
    "/circle": """<script>sessionStorage.since ??= Date.now();
        if (Date.now() - sessionStorage.since < 3000) setTimeout(() => location.reload(), 150)
        </script>"""
    + SAVE,
    "/save": SAVE,
    "/next": "<script>setTimeout(() => { location.href = '/save' }, 300)</script>",
    "/stuck": SAVE + "<script>setTimeout(() => { for (;;) {} }, 100)</script>",
    "/asks": SAVE + "<script>onbeforeunload = (event) => event.preventDefault()</script>",
}


# Forty bands, each black or white, drawn anew in each frame: a screenshot is one.
TURNING = """<script>const turn = () => { const bands = Array.from({ length: 40 }, (_, at) =>
    `${Math.random() < 0.5 ? "#000" : "#fff"} ${at * 20}px ${at * 20 + 20}px`);
    document.documentElement.style.background = `0 0/100vw 100vh linear-gradient(${bands})`;
    requestAnimationFrame(turn) }; turn()</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served(PAGES) as url:
        yield url


def refusal(driver: BrowserDriver, url: str) -> MemctlError:
    def opened() -> None:
        driver.goto(url)
        driver.look(url)

    with pytest.raises(MemctlError) as raised:
        opened()
    # The browser shows a page of its own for what was refused: a goto right then is interrupted.
    driver.page.wait_for_timeout(150)
    assert "\n" not in raised.value.message
    assert raised.value.exit_code == 2
    return raised.value


# -- pages that are refused --------------------------------------------------------------------


@each(
    ("path", "said"),
    [
        ("/nowhere", "answers with an error: HTTP 404 Not Found"),
        ("/wrong", "answers with an error: HTTP 500 Internal Server Error"),
        ("/secret", "asks for a password (HTTP 401)"),
        ("/file", "is a download, not a page"),
        ("/away", "redirects to another site: "),
    ],
)
def test_what_is_no_page_of_the_app_is_refused(
    driver: BrowserDriver, site: str, path: str, said: str
) -> None:
    error = refusal(driver, site + path)
    assert f'"{site}{path}" {said}' in error.message
    assert error.hint


def test_a_redirect_of_the_server_to_another_site_is_refused(
    driver: BrowserDriver, site: str
) -> None:
    with served({"/": answering(302, Location=f"{site}/save")}) as url:
        assert f'redirects to another site: "{site}/save"' in refusal(driver, url + "/").message


def test_a_page_that_does_not_answer_is_refused_and_the_next_is_looked_at(
    hurried: BrowserDriver, site: str
) -> None:
    assert '/silent" does not answer within 1 s' in refusal(hurried, site + "/silent").message
    hurried.timeout = 3
    hurried.goto(site + "/save")
    assert hurried.look(site).title == "Save"


def test_a_port_or_a_host_that_nobody_listens_on_is_refused(driver: BrowserDriver) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        error = refusal(driver, url)
    assert error.message == f'"{url}" does not answer: connection refused'
    assert error.hint == "check the URL; is the app running?"
    unknown = refusal(driver, "http://nowhere.invalid/")
    assert '"http://nowhere.invalid/" does not answer: ' in unknown.message


@each("scheme", ["file", "ftp", "chrome"])
def test_another_scheme_is_refused(memory: Memory, scheme: str) -> None:
    with pytest.raises(UnusableInputError, match=f'a page of the scheme "{scheme}" is not opened'):
        memory.learn(f"{scheme}://etc/passwd")


def test_what_is_no_url_is_said_to_be_none(driver: BrowserDriver) -> None:
    with pytest.raises(UnusableInputError, match="that is no URL"):
        driver.goto("notaurl")


# -- pages that do not rest --------------------------------------------------------------------


@each("path", ["/picture", "/endless"])
def test_a_page_that_never_stops_loading_is_looked_at_with_a_note(
    hurried: BrowserDriver, site: str, path: str
) -> None:
    hurried.goto(site + path)
    looked = hurried.look(site)
    assert [box["label"] for box in looked.boxes if box["label"]] == ["Save"]
    assert "the page was still loading after 1 s" in looked.note


def test_a_page_that_hangs_is_given_up(
    driver: BrowserDriver, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.goto(site + "/stuck")
    driver.page.wait_for_timeout(300)  # by now it hangs, and answers no question
    with monkeypatch.context() as patch:
        patch.setattr(browser_driver, "_LONGEST", 0.5)
        patch.setattr(driver, "timeout", 0.1)
        with pytest.raises(UnusableInputError, match=r'/stuck" does not answer within 0\.1 s'):
            driver.look(site)
    driver.goto(site + "/save")
    assert driver.look(site).boxes


def test_a_page_that_leads_on_by_itself_is_looked_at_where_it_ends(
    driver: BrowserDriver, site: str
) -> None:
    driver.goto(site + "/next")
    looked = driver.look(site)
    assert looked.url in {site + "/next", site + "/save"}
    assert looked.boxes in ([], driver.look(site).boxes)


def test_a_page_that_reloads_all_the_time_is_taken_whole_or_refused(
    hurried: BrowserDriver, site: str
) -> None:
    labels, said = ["Save"], f'"{site}/circle" '
    hurried.goto(site + "/circle")
    try:
        labels = [box["label"] for box in hurried.look(site).boxes]
    except UnusableInputError as error:
        said = error.message
    hurried.page.wait_for_function("Date.now() - sessionStorage.since > 3300", timeout=30_000)
    assert labels == ["Save"]
    assert f'"{site}/circle" ' in said


def test_a_screen_that_changes_while_it_is_taken_says_so(
    opened: Callable[..., BrowserDriver], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = opened(TURNING)
    monkeypatch.setattr(driver, "timeout", 0.5)
    assert "still moving: " in driver.look().note


# -- pages that ask, and odd ones --------------------------------------------------------------


@each("kind", ["alert", "confirm", "prompt"])
def test_a_dialog_is_dismissed_with_a_note(look: Callable[..., Look], kind: str) -> None:
    looked = look(f"<button>Save</button><script>{kind}('Sure?')</script>")
    assert [box["label"] for box in looked.boxes] == ["Save"]
    assert looked.note == f'the page opened a dialog ("{kind}"), which was dismissed'


def test_a_page_that_asks_before_it_is_left_is_left(driver: BrowserDriver, site: str) -> None:
    driver.goto(site + "/asks")
    driver.page.get_by_role("button").click()
    driver.goto(site + "/save")
    assert 'a dialog ("beforeunload")' in driver.look(site).note


def test_of_a_very_high_page_the_viewport_is_taken(look: Callable[..., Look]) -> None:
    looked = look("<button>Top</button><div style='height:50000px'></div><button>End</button>")
    assert looked.size == (1280, 800)
    assert [box["label"] for box in looked.boxes] == ["Top"]


def test_of_sixty_thousand_elements_a_look_is_taken_in_bounded_time(
    driver: BrowserDriver, look: Callable[..., Look], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "timeout", 30.0)
    cells = "'<b onclick=1>' + at + '</b>'"
    looked = look(f"""<style>b {{ float: left; width: 9px; height: 9px; overflow: hidden }}</style>
        <body><script>document.body.innerHTML = Array.from({{length: 60000}}, (_, at) => {cells}).join("")
        </script>""")
    assert "the page has too many elements: not all of them were read" in looked.note
    assert 0 < len(looked.boxes) <= 5000


def test_of_a_long_table_what_is_in_sight_is_read(
    driver: BrowserDriver, look: Callable[..., Look], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "timeout", 30.0)
    rows = "`<tr><td>Guest ${at}<td><button>Delete</button>`"
    looked = look(f"""<table></table><script>document.querySelector("table").innerHTML =
        Array.from({{length: 6000}}, (_, at) => {rows}).join("")</script>""")
    assert "too many" not in looked.note
    assert {box.get("row") for box in looked.boxes if box["label"] == "Delete"} >= {
        f"Guest {at}" for at in range(20)
    }


def test_elements_of_no_size_and_rows_without_text_are_no_trouble(
    look: Callable[..., Look],
) -> None:
    icon = "<button style='width: 20px; height: 20px'></button>"
    looked = look(f"""<ul><li>{icon}<li>{icon}<li>{icon}</ul><button style="width: 0; padding: 0;
        border: 0; overflow: hidden">None</button><div style="width: 0"><button>Wide</button></div>""")
    assert [box["label"] for box in looked.boxes] == ["", "", "", "Wide"]
    assert not [box for box in looked.boxes if "row" in box]


def test_a_page_that_is_drawn_on_a_canvas_says_that_it_names_nothing(
    look: Callable[..., Look], memory: Memory
) -> None:
    looked = look("""<body style="margin: 0"><canvas width=1200 height=700></canvas><script>
        const at = document.querySelector("canvas").getContext("2d"); at.font = "30px sans-serif";
        at.fillText("New order", 100, 90); at.strokeRect(80, 50, 200, 60)</script>""")
    assert (looked.boxes, looked.note) == ([], "the page names no elements: it is drawn, or empty")
    assert memory.learn(looked).learned


# -- browsers ----------------------------------------------------------------------------------


def test_a_browser_that_is_too_old_is_refused_before_a_page_is_opened(
    memory: Memory, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsers, "OLDEST_BROWSER", 9999)
    with pytest.raises(UnusableInputError, match="the browser is too old") as raised:
        memory.look(site + "/save")
    assert raised.value.hint.startswith("9999 or later is needed")


def test_a_program_that_is_no_browser_is_refused(memory: Memory, site: str) -> None:
    with pytest.raises(UnusableInputError, match='" does not start') as raised:
        memory.look(site + "/save", browser_path="true")
    assert "\n" not in raised.value.message


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is a desktop")
def test_where_there_is_no_desktop_a_window_is_refused_in_plain_words(
    home: Path, site: str
) -> None:
    answer = memctl_process(
        *("skills", "record", "save", "--url", site + "/save", "--home", home),
        environment={"DISPLAY": "", "WAYLAND_DISPLAY": ""},
    )
    assert answer.code == 2
    assert "there is no desktop here" in answer.error
    assert "headless" in answer.error


def test_secrets_of_a_url_are_stored_and_shown_nowhere(
    home: Path, driver: BrowserDriver, site: str
) -> None:
    host = site.removeprefix("http://")
    url = f"http://ann:{PASSWORD}@{host}/secret?token={TOKEN}#key={TOKEN}"
    with memctl.open(f"chromium/{url}", home) as memory:
        learned = memory.learn(url)
        assert [one.label for one in learned.learned] == ["Save"]
        driver.goto(url)
        memory.match(driver)
        error = refusal(driver, url.replace("/secret", "/nowhere"))
        path = memory.store.path
    with closing(sqlite3.connect(path)) as db:
        dump = "\n".join(db.iterdump())
    said = error.message + str(error.hint) + str(path) + repr(learned)
    assert not [secret for secret in (PASSWORD, TOKEN) if secret in dump + said]
