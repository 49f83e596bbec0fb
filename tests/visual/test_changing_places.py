"""Places that change by themselves: a clock, a price, a chat, seen by pixels alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.visual.drawn import Drawn, Widget, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory


def screen(value: str, *more: Widget) -> Drawn:
    """Draw a page on which one thing without a label has a value."""
    return numbered("Page").plus(Widget("", 20, 140, look=value), *more)


def without_labels(drawn: Drawn) -> list[dict[str, Any]]:
    return [{**box, "label": ""} for box in drawn.boxes]


def learn(memory: Memory, drawn: Drawn) -> list[str]:
    return [one.name for one in memory.learn(drawn.image, without_labels(drawn)).learned]


def test_a_value_that_changes_is_one_component(memory: Memory) -> None:
    learn(memory, screen("12:00"))
    before = len(memory.components.list())
    assert [learn(memory, screen(f"12:0{n}")) for n in range(1, 5)] == [[], [], [], []]
    assert len(memory.components.list()) == before


def test_the_place_is_known_to_change_after_two_looks(memory: Memory) -> None:
    learn(memory, screen("12:00"))
    assert [c for c in memory.components.list() if c.changing_at] == []
    answer = memory.learn(screen("12:01").image, without_labels(screen("12:01")))
    assert [(c.rel_x, c.rel_y) for c in memory.components.list() if c.changing_at] == [(20, 140)]
    assert [one.why for one in answer.refused] == ["its place changes by itself"]


def test_a_place_that_changes_is_neither_expected_nor_missed(memory: Memory) -> None:
    for value in ("a", "b", "c", "d"):
        learn(memory, screen(value))
    assert memory.match(screen("e").image).absent == []
    assert {c.consecutive_misses for c in memory.components.list()} == {0}


def test_something_new_elsewhere_is_learned_all_the_same(memory: Memory) -> None:
    learn(memory, screen("a"))
    assert len(learn(memory, screen("b", Widget("", 300, 250, look="new")))) == 1


def test_another_label_is_another_thing(memory: Memory) -> None:
    memory.learn(*numbered("Page").plus(Widget("Follow", 20, 140)).given)
    answer = memory.learn(*numbered("Page").plus(Widget("Unfollow", 20, 140)).given)
    assert [one.name for one in answer.learned] == ["Unfollow"]


def test_a_page_that_is_laid_out_anew_does_not_change_by_itself(memory: Memory) -> None:
    learn(memory, numbered("Page"))
    others = Drawn(
        tuple(
            Widget("", one.x, one.y, look=one.label if at < 3 else f"other {at}")
            for at, one in enumerate(numbered("Page", 9).widgets)
        )
    )
    learn(memory, others)
    assert [c for c in memory.components.list() if c.changing_at] == []


def test_what_a_driver_saw_changing_is_one_component_from_the_first_look(memory: Memory) -> None:
    drawn = screen("a")
    given = without_labels(drawn)
    given[-1]["dynamic"] = True
    memory.learn(drawn.image, given)
    assert [c.changing_at is not None for c in sorted(memory.components, key=lambda c: c.id)] == [
        False
    ] * 6 + [True]
    assert learn(memory, screen("b")) == []


def test_a_label_that_differs_in_its_numbers_alone_is_another_value(memory: Memory) -> None:
    for number in (3, 4, 17):
        shown = numbered("Page").plus(Widget(f"Open inbox ({number})", 20, 140))
        learned = memory.learn(*shown.given).learned
        assert len(learned) == (7 if number == 3 else 0)


def test_a_text_that_reads_otherwise_at_its_place_is_another_value(memory: Memory) -> None:
    for number, said in enumerate(("Hello Ann", "See you")):
        shown = numbered("Page").plus(Widget(said, 20, 140, type="text"))
        assert len(memory.learn(*shown.given).learned) == (7 if number == 0 else 0)
