"""A value that was shown is bound to where it stands, and another value means what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from memctl.base.errors import UsageError
from tests.browsers import needs_browser
from tests.procedural.stage import table

if TYPE_CHECKING:
    from tests.procedural.stage import Stage

pytestmark = needs_browser

PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")


def cards(*names: str) -> str:
    chips = "<span>Crew</span> <span>Harbor</span>"
    return "".join(
        f"<div class=card><h3 class=name>{name}</h3>{chips}<button onclick=drop(this)>Remove</button></div>"
        for name in names
    )


def ids_first(*names: str) -> str:
    rows = "".join(
        f"<tr><td>{number}<td class=name>{name}<td>{12 * number} kB<td><a href=# onclick=drop(this)>Remove</a>"
        for number, name in enumerate(names, 7)
    )
    return f"<table><tr><th>No<th>Name<th>Size<th>{rows}</table>"


def bare_boxes(*names: str) -> str:
    rows = "".join(
        f"<div class=row><div>12 May</div><div class=name>{name}</div><div role=button tabindex=0"
        f" onclick=drop(this)>Remove</div></div>"
        for name in names
    )
    return f"<div class=list>{rows}</div>"


def named_buttons(*names: str) -> str:
    return "".join(
        f"<li><span class=name hidden>{name}</span><button aria-label='Remove {name}' onclick=drop(this)>x</button></li>"
        for name in names
    )


def chips(*names: str) -> str:
    return "".join(
        f"<button onclick=\"did('removed {name}'); this.remove()\">{name}</button> "
        for name in names
    )


@pytest.mark.parametrize(
    "layout",
    [table, ids_first, cards, bare_boxes, named_buttons, chips],
    ids=lambda layout: str(getattr(layout, "__name__", layout)),
)
def test_another_name_means_another_row(stage: Stage, layout: Any) -> None:
    name = layout.__name__.replace("_", "-")
    stage.show(
        name, layout(*PEOPLE), "click :is(button, a, [role=button]) >> nth=1", who="Bob Cole"
    )
    ended = stage.run(name, layout("Zoe Lund", *reversed(PEOPLE)), who="Ann Berg")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["removed Ann Berg"])


class Two(NamedTuple):
    """A page on which it takes two values to say what is meant."""

    name: str
    html: str
    shown: str
    first: dict[str, str]
    then: dict[str, str]
    did: str


def task(project: str, name: str) -> str:
    return f"<li><span class=name>{name}</span> <button onclick=\"did('{project} {name}'); this.textContent = 'Open'\">Close</button>"


def switch(section: str, name: str) -> str:
    return f"<p><label><input type=checkbox onchange=\"did('{section} {name}')\"> {name}</label>"


def cell(room: str, day: str) -> str:
    return f"<td><button onclick=\"this.textContent = 'Taken'; did('{room} {day}')\">Free</button>"


TWO = [
    Two(
        "nested-rows",
        "".join(
            f"<section class=row><h2>{project}</h2><ul>"
            + "".join(task(project, one) for one in ("Design", "Review"))
            + "</ul></section>"
            for project in ("Alpha", "Beta", "Gamma")
        ),
        "section:nth-of-type(2) li:nth-child(1) button",
        {"project": "Beta", "task": "Design"},
        {"project": "Gamma", "task": "Review"},
        "Gamma Review",
    ),
    Two(
        "sections",
        "".join(
            f"<h2>{section}</h2>" + "".join(switch(section, one) for one in ("Weekly", "Daily"))
            for section in ("Mail", "Phone", "Paper")
        ),
        "p:nth-of-type(3) input",
        {"channel": "Phone", "often": "Weekly"},
        {"channel": "Paper", "often": "Daily"},
        "Paper Daily",
    ),
    Two(
        "grid",
        "<table><tr><th>Room<th>Monday<th>Tuesday<th>Friday"
        + "".join(
            f"<tr><th>{room}" + "".join(cell(room, day) for day in ("Monday", "Tuesday", "Friday"))
            for room in ("Attic", "Cellar", "Hall")
        )
        + "</table>",
        "tr:nth-child(3) td:nth-of-type(2) button",
        {"room": "Cellar", "day": "Tuesday"},
        {"room": "Attic", "day": "Friday"},
        "Attic Friday",
    ),
]


@pytest.mark.parametrize("two", TWO, ids=lambda two: two.name)
def test_two_values_mean_what_stands_with_both(stage: Stage, two: Two) -> None:
    stage.show(two.name, two.html, f"click {two.shown}", **two.first)
    ended = stage.run(two.name, two.html, **two.then)
    assert (ended.status, ended.why, stage.done) == ("done", "", [two.did])


FORM = """<h1>Find</h1><input aria-label=Search id=q><button onclick="did('sought ' + q.value);
r.textContent = 'Found ' + q.value">Go</button><p id=r></p>"""


def test_what_is_typed_is_the_value(stage: Stage) -> None:
    made = stage.show("search", FORM, "click #q", "type ropes", "click button", what="ropes")
    assert "{what}" in "".join(step.words for step in made.steps)
    ended = stage.run("search", FORM, what="long anchors")
    assert (ended.status, ended.why, stage.done) == ("done", "", ["sought long anchors"])


def test_a_value_in_an_address_is_bound_there(stage: Stage) -> None:
    def visit(number: str) -> None:
        stage.pages[f"/people/{number}"] = f"<title>P</title><h1>Person {number}</h1>"

    visit("7")
    visit("8")
    stage.show("visit", "<h1>Start</h1>", "open /people/7", number="7")
    ended = stage.run("visit", "<h1>Start</h1>", number="8")
    assert (ended.status, ended.why) == ("done", "")
    assert stage.page.inner_text("h1") == "Person 8"


def test_where_a_value_was_bound_is_said(stage: Stage) -> None:
    made = stage.show(
        "say",
        table(*PEOPLE, "Dee"),
        "click tr:nth-child(3) button",
        who="Bob Cole",
    )
    assert [step.words for step in made.steps] == ["click Remove in the row that says {who}"]


def test_a_value_that_stands_nowhere_is_an_error_when_it_is_shown(stage: Stage) -> None:
    with pytest.raises(UsageError, match=r'"Zoe Lund" \(who\) was neither typed') as raised:
        stage.show("nobody", table(*PEOPLE), "click button", who="Zoe Lund")
    assert "Ann Berg" in (raised.value.hint or "")


def test_a_part_of_a_name_is_no_value(stage: Stage) -> None:
    people = table("Annabel Berg", "Bob Cole")
    with pytest.raises(UsageError, match="was neither typed"):
        stage.show("part", people, "click button", who="Ann")


def test_a_value_that_no_step_uses_is_an_error_when_it_is_run(stage: Stage) -> None:
    made = stage.show(
        "fixed",
        "<button onclick=\"this.textContent = 'B'\">A</button>",
        "click button",
    )
    with stage.memory.store.transaction():
        stage.memory.store.connection().execute(
            "insert into skill_parameter (skill_id, name, example) values (?, 'who', 'Ann')",
            (made.id,),
        )
    with pytest.raises(UsageError, match='no step of "fixed" uses "who"'):
        stage.run("fixed", "<button>A</button>", who="Bob")
    assert stage.memory.skills.runs("fixed") == []


def test_without_a_value_the_row_that_was_shown_is_followed(stage: Stage) -> None:
    made = stage.show("follow", cards(*PEOPLE, "Eve"), "click button >> nth=1")
    assert made.steps[0].words == "click Remove in the row that says Bob Cole"
    ended = stage.run("follow", cards("Eve", "Cy Dunn", "Bob Cole"))
    assert (ended.status, stage.done) == ("done", ["removed Bob Cole"])
