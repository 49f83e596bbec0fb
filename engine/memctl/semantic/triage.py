"""The four gates before a text becomes a fact: future utility, novelty, factual, safe.

Texts without content are refused whole. ``run: pytest``, ``Session: Thursdays`` and ``Agent: Maria``
are facts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.pattern import patterns_in
from memctl.search.fact_scope import Condition
from memctl.store.results import Result
from memctl.text.fences import looks_recalled
from memctl.text.normal import same_key, without_opening, without_reason
from memctl.text.own_words import without_host_blocks
from memctl.text.properties import reason_of
from memctl.text.relation import relation
from memctl.text.splitting import WORD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.semantic.policies import Policy
    from memctl.semantic.records import Fact

    Nearest = Callable[[str], Iterable[Fact]]
    Where = Callable[[Condition], Iterable[Fact]]
    from collections.abc import Callable


# A text of these words alone says nothing.
_SMALL_TALK = """
    ok okay k yes yep yeah yup no nope sure thanks thank you thx ty great cool nice good perfect awesome fine
    done got it hi hello hey there bye goodbye see later morning afternoon evening night lol haha hmm right
    alright welcome please very much so well a lot many how are doing is today to meet hola gracias vale merci
    bonjour salut danke hallo bitte gut ja nein guten tag ciao grazie
"""
_HOLLOW = frozenset(_SMALL_TALK.split())
_MAX_HOLLOW = 8
SHAPES = patterns_in("memctl.semantic", "noise.txt")
_OPENER_LIMIT = 300
# Each of its alternatives holds one of these: looked for first, because that is cheap.
_FORGET_SIGNS = (
    *("remember", "store", "save", "memori", "the record", "\u8bb0\u4f4f"),
    *("recuerdes", "guardes", "retiens", "m\u00e9morise", "merk", "\u899a\u3048\u306a\u3044\u3067"),
)
_QUESTION_SIGNS = ("?", "\uff1f", "\u061f")


def noise(text: str) -> str:
    """Return why `text` has nothing that lasts; empty where it may."""
    plain = text.strip().replace("\u2019", "'")
    for what, says_so in _NOISES:
        if says_so(plain):
            return what
    return ""


def asks_to_forget(text: str) -> bool:
    """Return whether a text asks that it, or the one before it, is not remembered."""
    plain = text.casefold()
    return any(sign in plain for sign in _FORGET_SIGNS) and bool(SHAPES["forget this"].search(text))


def _bare_question(text: str) -> bool:
    return (
        text.endswith(_QUESTION_SIGNS)
        and bool(SHAPES["question"].match(text))
        and not SHAPES["tells"].search(text)
    )


def _request(text: str) -> bool:
    return (
        text[:6].lower() == "please"
        and bool(SHAPES["passing"].match(text) and SHAPES["one sentence"].match(text))
        and not SHAPES["lasting"].search(text)
    )


def _small_talk(text: str) -> bool:
    for number, word in enumerate(WORD.finditer(text)):
        if number == _MAX_HOLLOW or word[0].casefold() not in _HOLLOW:
            return bool(SHAPES["small talk"].match(text))
    return True


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


_NOISES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("a heartbeat", SHAPES["heartbeat"].match),
    ("a bare time", SHAPES["time"].match),
    ("arithmetic", lambda text: SHAPES["sum"].match(text) and SHAPES["operator"].search(text)),
    ("a log line", SHAPES["log line"].match),
    (
        "an assistant's opening",
        lambda text: len(text) <= _OPENER_LIMIT and SHAPES["opener"].match(text),
    ),
    ("a message that was not to be remembered", asks_to_forget),
    ("a question", _bare_question),
    ("a request of the moment", _request),
    ("small talk", _small_talk),
    ("raw JSON", _is_json),
    ("metadata of the host", lambda text: not without_host_blocks(text, leading=True)),
)


@dataclass(frozen=True, slots=True)
class Gate(Result):
    """One gate's verdict: its name, whether the text passes, and the reason."""

    gate: str
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class Verdict(Result):
    """The verdict of the four gates; a text is worth storing if all let it pass."""

    passed: bool
    gates: tuple[Gate, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """The gates that do not let it pass."""
        return tuple(gate.gate for gate in self.gates if not gate.passed)


_RELATIONS = {
    "same": "says more than",  # why it is so
    "adds": "says more than",
    "replaces": "changes",
    "contradicts": "contradicts",
}
_SHAPES = patterns_in("memctl.semantic", "triage.txt")


def unwanted(text: str, policy: Policy, importance: float) -> str:
    """Return why a text is not kept even when asked to; empty where it is."""
    if policy.exclude or policy.include:
        plain = text.casefold()
        for phrase in policy.exclude:
            if phrase in plain:
                return f'an exclude rule names "{phrase}"'
        if any(phrase in plain for phrase in policy.include):
            return ""
    if importance < policy.threshold:
        return f"importance {importance:g} is below the threshold {policy.threshold:g}"
    return noise(text)


def judge(
    text: str, policy: Policy, where: Where, nearest: Nearest, *, secret_rule: str | None
) -> Verdict:
    """Return the verdict of the four gates.

    `where` returns the known facts that meet a condition, `nearest` those that share words with a
    text; `secret_rule` is the rule by which the text holds a secret, if it does.
    """
    novel = _novel(text, where, nearest)
    gates = (_useful(text, policy), novel, _factual(text), _safe(text, secret_rule))
    return Verdict(all(gate.passed for gate in gates), gates)


def _novel(text: str, where: Where, nearest: Nearest) -> Gate:
    said = without_opening(text.strip())
    for fact in where(Condition("(fact.equal_key = :equal_key)", {"equal_key": same_key(said)})):
        return Gate("novelty", passed=False, why=f"known already as {fact.id}")
    bare = without_reason(said)
    near = [
        (relation(bare, without_reason(without_opening(fact.text))), fact) for fact in nearest(said)
    ]
    near.sort(key=lambda pair: -pair[0].score)  # stable: the nearest first
    for link, fact in near:
        if link.kind == "same" and reason_of(said) in {"", reason_of(fact.text)}:
            return Gate("novelty", passed=False, why=f"says the same as {fact.id}")
    for link, fact in near:
        if link.kind in _RELATIONS:
            return Gate("novelty", passed=True, why=f"{_RELATIONS[link.kind]} {fact.id}")
    return Gate("novelty", passed=True, why="not known")


def _useful(text: str, policy: Policy) -> Gate:
    why = unwanted(text, policy, policy.importance)
    included = any(phrase in text.casefold() for phrase in policy.include)
    if not why and SHAPES["passing"].search(text) and not included:
        why = "a request of the moment"
    return Gate(
        "future utility", passed=not why, why=why or "nothing says that it is of the moment"
    )


def _factual(text: str) -> Gate:
    if _SHAPES["question sign"].search(text) or _SHAPES["question word"].search(text.strip()):
        return Gate("factual", passed=False, why="a question")
    impression = _SHAPES["impression"].search(text)
    if impression:
        return Gate("factual", passed=False, why=f'an impression: "{impression[0]}"')
    return Gate("factual", passed=True, why="a statement")


def _safe(text: str, secret_rule: str | None) -> Gate:
    if secret_rule:
        return Gate(
            "safe",
            passed=False,
            why=f"looks like a secret ({secret_rule}); store that it is set up",
        )
    if looks_recalled(text):
        return Gate("safe", passed=False, why="recalled memory, not a new fact")
    return Gate("safe", passed=True, why="no secret, no recalled text")
