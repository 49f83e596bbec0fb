"""The recall report: latency, what comes back empty, what is never found or used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.reports.stored import insert, recall

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.reports.answers import Answer


def hit(number: int, item: int, **cells: object) -> str:
    row = {"recall_id": number, "rank": item, "kind": "turn", "item_id": item, "score": 1}
    return insert("recall_hit", {**row, **cells})


def turn(number: int, **cells: object) -> str:
    row = {"id": number, "session": "a", "text": f"turn {number}"}
    return insert("log", {**row, "logged_at": "2026-11-01T12:00:00Z", **cells})


def test_recalls_are_summed_up(write: Callable[..., None], answer: Callable[..., Answer]) -> None:
    write(
        recall(1, hits=0)
        + recall(2, hits=4, fallback="store", outcome="ok", outcome_at="2026-11-10T12:00:00Z")
        + recall(3, hits=2, outcome="failed", outcome_at="2026-11-10T12:00:00Z")
        + recall(4, hits=2)
    )
    (row,) = answer("recall", "recalls").records()
    assert row == {
        "store": "harbor",
        "recalls": 4,
        "empty": 1,
        "empty_share": 0.25,
        "with_fallback": 1,
        "fallback_share": 0.25,
        "hits_each": 2,
        "ok": 1,
        "failed": 1,
        "since_at": "2026-11-10T12:00:00Z",
    }


def test_what_was_put_into_prompts_is_told_by_hook_and_day_with_what_was_used(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    blocks = ((1, "start", 80, 10), (2, "prompt", 100, 10), (3, "prompt", 50, 11))
    rows = ((1, "turn:1", None), (2, "turn:2", None), (2, "f_1", "2026-11-10T12:00:00Z"))
    write(
        "".join(
            insert(
                "injection",
                {
                    "id": number,
                    "session": "a",
                    "hook": hook,
                    "tokens": tokens,
                    "injected_at": f"2026-11-{day}T12:00:00Z",
                },
            )
            for number, hook, tokens, day in blocks
        )
        + "".join(
            insert("injected_row", {"injection_id": one, "name": name, "used_at": used})
            for one, name, used in rows
        )
    )
    found = answer("recall", "injected").records()
    assert [
        (row["hook"], row["day"], row["tokens"], row["used"], row["rows"]) for row in found
    ] == [
        ("prompt", None, 150, 1, 2),
        ("prompt", "2026-11-10", 100, 1, 2),
        ("prompt", "2026-11-11", 50, 0, 0),
        ("start", None, 80, 0, 1),
        ("start", "2026-11-10", 80, 0, 1),
    ]
    assert (found[0]["tokens_each"], found[0]["used_share"]) == (75, 0.5)


def test_latency_is_given_in_quantiles_over_all_and_by_day(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    times = [float(n * n % 101) for n in range(1, 60)]
    days = ["2026-11-10T12:00:00Z", "2026-11-11T12:00:00Z"]
    write("".join(recall(n, duration_ms=ms, asked_at=days[n % 2]) for n, ms in enumerate(times)))
    overall, first, second = answer("recall", "latency").records()
    assert (overall["grouping"], overall["day"]) == ("all", None)
    assert [row["day"] for row in (first, second)] == ["2026-11-10", "2026-11-11"]
    for row, of in ((overall, times), (first, times[::2]), (second, times[1::2])):
        assert row["recalls"] == len(of)
        found = [row[name] for name in ("median", "p90", "p95", "p99", "longest")]
        assert found == pytest.approx(list(np.quantile(of, [0.5, 0.9, 0.95, 0.99, 1])))


def test_empty_lists_questions_the_most_asked_first(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        recall(1, question="where?", hits=0)
        + recall(2, question="who?", hits=0)
        + recall(3, question="who?", hits=0, asked_at="2026-11-12T12:00:00Z")
        + recall(4, question="why?")
        + recall(5, question="where?", asked_at="2026-11-11T12:00:00Z")
        + recall(6, question="who?", asked_at="2026-11-11T12:00:00Z")
    )
    first, later, last = (f"2026-11-{day}T12:00:00Z" for day in (10, 11, 12))
    assert answer("recall", "empty").rows == (
        ("harbor", "who?", 2, last, first, None),
        ("harbor", "where?", 1, first, first, later),
    )


def test_fallback_tells_what_vectors_brought_and_what_of_it_helped(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    used = "2026-11-10T12:00:00Z"
    write(
        recall(1)
        + recall(2, fallback="store")
        + recall(3, fallback="store", hits=0)
        + hit(1, 1, used_at=used)
        + hit(2, 1, fallback=1, used_at=used)
        + hit(2, 2, fallback=1)
        + hit(2, 3)
    )
    columns = ("vectors", "recalls", "share", "empty", "rows", "used")
    found = [tuple(row[name] for name in columns) for row in answer("recall", "fallback").records()]
    assert found == [("store", 2, 2 / 3, 1, 2, 1), ("-", 1, 1 / 3, 0, 0, 0)]


def test_never_recalled_counts_the_living_that_no_recall_brought(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    gone = {"archived_at": "2026-11-02T12:00:00Z", "archived_why": "old"}
    write(turn(1) + turn(2) + turn(3) + turn(4, **gone) + recall(1) + hit(1, 2))
    (row,) = answer("recall", "never_recalled").records()
    assert (row["kind"], row["memories"], row["never"]) == ("turn", 3, 2)


def test_never_recalled_counts_facts_that_hold(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        "insert into fact (id, text, status) values"
        " ('f_a', 'one', 'active'), ('f_b', 'two', 'active'), ('f_c', 'three', 'pending');"
        + recall(1)
        + "insert into recall_hit (recall_id, rank, kind, item_id, score) values (1, 1, 'fact', 1, 1);"
    )
    (row,) = answer("recall", "never_recalled").records()
    assert (row["kind"], row["memories"], row["never"]) == ("fact", 2, 1)


def test_never_used_needs_somebody_who_gives_feedback(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(turn(1) + turn(2) + recall(1) + recall(2) + hit(1, 1) + hit(2, 1) + hit(1, 2))
    assert answer("recall", "never_used").rows == ()
    write("update recall_hit set used_at = '2026-11-10T12:00:00Z' where item_id = 2")
    (row,) = answer("recall", "never_used").records()
    assert (row["item_id"], row["text"], row["recalled"]) == ("1", "turn 1", 2)


def test_unknown_words_are_counted_by_question(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        recall(1, unknown_words='["quay", "mooring"]')
        + recall(2, unknown_words='["quay", "quay"]')
        + recall(3, unknown_words="[]")
    )
    found = [(row["word"], row["recalls"]) for row in answer("recall", "unknown_words").records()]
    assert found == [("quay", 2), ("mooring", 1)]


def test_a_word_that_has_an_alias_by_now_is_not_unknown(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        recall(1, unknown_words='["quay", "mooring", "jetty"]')
        + insert("alias", {"term": "Quay", "synonym": "mooring"})
    )
    assert [row["word"] for row in answer("recall", "unknown_words").records()] == ["jetty"]


def test_what_was_asked_at_another_time_is_left_out(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write("".join(recall(n, asked_at=f"2026-11-{n:02}T00:00:00Z") for n in range(1, 10)))
    (row,) = answer("recall", "recalls", since="2026-11-03", until="2026-11-05").records()
    assert row["recalls"] == 2, "from the first moment of since, up to and without until"


def test_a_word_that_was_known_when_it_was_asked_for_later_is_not_unknown(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    later = {"asked_at": "2026-11-11T12:00:00Z"}
    write(
        recall(1, question="Which quay, and what's moored?", unknown_words='["quay", "what\'s"]')
        + recall(2, question="Is the QUAY open, what's left?", unknown_words='["what\'s"]', **later)
        + recall(3, question="Quays and jetties?", unknown_words='["jetties"]', **later)
    )
    words = [row["word"] for row in answer("recall", "unknown_words").records()]
    assert words == ["what's", "jetties"]
