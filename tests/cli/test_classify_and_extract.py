"""``memctl classify`` and ``memctl extract``, and the tags that tables show."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.cli.calling import memctl_process
from tests.each import each
from tests.endpoint.model_server import model_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def test_a_dry_run_is_a_table_of_what_would_be_given(run: Run) -> None:
    run("memory", "store", "User prefers tea", "It was nice there")
    shown = run("classify", "--dry-run").out
    assert "PREF  preference  0.75  prefers" in " ".join(shown.split(" ")).replace("   ", "  ")
    assert "not sure" in shown
    assert "1 fact would get one: memctl classify --apply" in shown
    assert run("classify", "--json").data == run("classify", "--dry-run", "--json").data


def test_applied_categories_are_seen_and_counted(run: Run) -> None:
    run("memory", "store", "User prefers tea", "It was nice there")
    (applied, unsure) = sorted(run("classify", "--apply", "--json").data, key=lambda f: f["why"])
    assert (applied["tag"], applied["applied"]) == ("PREF", True)
    assert (unsure["tag"], unsure["applied"]) == (None, False)
    counted = run("classify", "--summary", "--json").envelope["counts"]
    assert (counted["PREF"], counted["-"]) == (1, 1)
    assert "PREF" in run("classify", "--summary").out


def test_two_ways_at_once_are_refused(run: Run) -> None:
    assert run("classify", "--apply", "--summary").code == 2
    run("memory", "store", "User prefers tea")
    assert run("classify", "--min-confidence", "3").code == 2


def test_tables_show_tags(run: Run) -> None:
    run("memory", "store", "User prefers tea", "-c", "preference")
    run("memory", "store", "Nobody filed this text")
    run("memory", "store", "Falcon is red", "--confidence", "low", "-c", "project")
    listed = run("memory", "list").out
    assert "PREF" in listed
    assert " -  " in listed
    assert "PREF" in run("memory", "search", "tea").out
    assert "[PREF] User prefers tea" in run("recall", "tea").out
    assert "[-] Nobody" in run("recall", "filed").out
    assert "PROJ" in run("pending", "list").out
    assert [one["tag"] for one in run("memory", "list", "--json").data] == [None, "PREF"]
    assert run("recall", "tea", "--json").data[0]["tag"] == "PREF"
    assert re.search(r"User prefers tea \([\d-]+, PREF\)", run("context", "tea").out)


def test_update_takes_a_category(run: Run) -> None:
    fact = run("memory", "store", "User prefers tea", "--json").data["written"][0]["id"]
    changed = run("memory", "update", fact, "--category", "preference", "--json").data
    assert (changed["tag"], changed["importance"]) == ("PREF", 0.85)


def test_extract_stores_when_told_to(run: Run) -> None:
    text = "I prefer tea over coffee. Is it late?"
    shown = run("extract", text).out
    assert "User prefers tea over coffee." in shown
    assert "a question" in shown
    assert not run("memory", "list", "--json").data
    stored = run("extract", text, "--store").out
    assert "ADD f_" in stored
    (fact,) = run("memory", "list", "--json").data
    assert (fact["category"], fact["source"]) == ("preference", "extract")


def test_extract_reads_standard_input(home: Path) -> None:
    said = b"User: I prefer tea over coffee.\nAssistant: I am fond of it.\n"
    found = memctl_process("--home", home, "extract", "-", "--json", stdin=said).data
    assert [one["text"] for one in found["facts"]] == ["User prefers tea over coffee."]
    assert [one["why"] for one in found["skipped"]] == ["said by the assistant"]


def test_extract_reads_the_log_or_a_thread_of_it(run: Run) -> None:
    run("--session", "one", "log", "I prefer tea over coffee.", "--speaker", "Ann")
    run("--session", "two", "log", "I prefer milk over juice.", "--speaker", "Ben")
    assert len(run("extract", "--from-log", "--json").data["facts"]) == 2
    for words in (("extract", "--thread", "one"), ("--session", "one", "extract", "--from-log")):
        (fact,) = run(*words, "--json").data["facts"]
        assert fact["text"] == "Ann prefers tea over coffee."
        assert fact["source"]["turn"] == 1


@each("words", [(), ("I prefer tea.", "--from-log"), ("I prefer tea.", "--said-at", "someday")])
def test_what_cannot_be_meant_is_refused(run: Run, words: tuple[str, ...]) -> None:
    assert run("extract", *words).code == 2


def test_the_template_is_printed_whole(run: Run) -> None:
    shown = run("extract", "--template").out
    assert shown.startswith("You read what a person said")
    assert '{"facts": [{"text": "User prefers tea to coffee."' in shown
    assert run("extract", "--template", "--json").data["prompt"].strip() == shown.strip()


def test_extract_asks_the_endpoint_that_the_settings_name(run: Run) -> None:
    fact = {"text": "User prefers tea over coffee.", "category": "preference"}
    with model_server() as server:
        server.says(json.dumps({"facts": [fact]}))
        run("config", "set", "endpoint_url", server.url)
        run("config", "set", "endpoint_model", "first")
        (found,) = run("extract", "I prefer tea over coffee.", "--endpoint", "--json").data["facts"]
        assert (found["text"], found["why"]) == (fact["text"], "proposed by the model")
        server.says(json.dumps({"facts": [{"text": "User prefers tea."}]}))
        refused = run("extract", "I prefer tea over milk.", "--endpoint", "--store")
    assert refused.code == 2
    assert "the model's answer has a fact 1 of the category" in refused.error
    assert not run("memory", "list", "--json").data


def test_extract_without_an_endpoint_says_how_to_name_one(run: Run) -> None:
    refused = run("extract", "I prefer tea over coffee.", "--endpoint")
    assert refused.code == 1
    assert "endpoint_url" in refused.error
