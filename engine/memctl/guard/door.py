"""The door that every text passes before it reaches a store.

Every public method that writes is wrapped in `guarded`: each text among its arguments,
however deep in lists and objects, is looked at before the method begins. A secret ends
the call with `SecretRefusedError`; nothing of it is written but a count of how often
which rule refused, in a transaction of its own, after the call's was rolled back.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from memctl.base.arguments import checked, parameters_of, without_surrogates
from memctl.base.errors import BusyError, SecretRefusedError, UnusableInputError
from memctl.base.pattern import Pattern
from memctl.base.steps import remark
from memctl.guard import secret_search
from memctl.guard.secret_search import CustomRule
from memctl.store import statements
from memctl.store.sqlite_errors import UNWRITABLE

if TYPE_CHECKING:
    from memctl.store.home_settings import HomeSettings
    from memctl.store.store import Store

STORE = statements.load("store/store")

_LOST = "a letter was lost before it came here: the text has U+FFFD in its place"
# Characters, not bytes. A label is what stands on a button; a name is typed in a shell.
MAX_NAME = 80
MAX_LABEL = 1_000
MAX_TEXT = 1_000_000

# C0 without tab and newline, DEL, and C1: invisible, and a terminal obeys some of them.
_CONTROL = Pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str, *, what: str, limit: int = MAX_TEXT) -> str:
    """Return `text` without control characters; a letter that is lost is U+FFFD, with a warning.

    Raises
    ------
    UnusableInputError
        When `what` ("label", "summary") is longer than `limit` characters.
    """
    if len(text) > limit:
        raise UnusableInputError(
            f"{what} has {len(text)} characters", hint=f"at most {limit} are kept"
        )
    if not text.isprintable():  # neither kind is
        text = without_surrogates(_CONTROL.sub("", text))
    if "\ufffd" in text and what != "query":  # a question is only asked
        remark(_LOST)
    return text


secret_rule = secret_search.find_secret


def find_rule(store: Store, text: str) -> str | None:
    """Return the rule, the built-in ones' or the store's own, that finds a secret in `text`."""
    return secret_rule(text, _rules_of_call(store))


def masked(store: Store, text: str) -> str:
    """Return `text` with every secret masked that a rule, the store's own too, finds."""
    return secret_search.mask_secrets(text, _rules_of_call(store))


class Guarded(NamedTuple):
    """A guarded method's mark: the tier it writes, and the parameters that are not looked at."""

    tier: str
    unwritten: tuple[str, ...]
    by_the_way: bool = False


class _HasStore(Protocol):
    @property
    def _store(self) -> Store: ...


P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=_HasStore)


def guarded(
    tier: str,
    *,
    unwritten: tuple[str, ...] = (),
    by_the_way: bool = False,
) -> Callable[[Callable[Concatenate[S, P], R]], Callable[Concatenate[S, P], R]]:
    """Let a public write method of an object with a ``_store`` begin only without secrets.

    Then its arguments are `checked`: a secret in an argument of a wrong type is a secret.

    Parameters
    ----------
    tier
        Which part of the memory is written, for the count of refusals.
    unwritten
        Parameters that are not looked at: files that are read, boxes that are masked one by one.
    by_the_way
        It answers, and what it writes is left out where nothing may be written; else a store
        that is open read-only refuses before the method begins.
    """

    def decorate(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
        named = functools.cache(lambda: list(parameters_of(method))[1:])
        begin = checked(method)

        @functools.wraps(begin)
        def door(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
            store = self._store
            outer = getattr(_call, "asked", None)
            kinds = {*map(type, args), *map(type, kwargs.values())}
            if any(hasattr(kind, "__next__") for kind in kinds):
                args, kwargs = _read_once(named(), args, kwargs, unwritten)
            try:
                pairs = [*zip(named(), args, strict=False), *kwargs.items()]
                written = [(name, value) for name, value in pairs if name not in unwritten]
                given = [text for name, value in written for text in _texts(value, name)]
                # What a method looks at by itself is looked at by the same rules, read once.
                if given or (unwritten and _asked_in_call(store) is None):
                    _call.asked = asked = _Asked(store)
                    _look_at(given, tier, asked.rules)
                if store.readonly and not by_the_way:
                    store.refuse_readonly()
                return begin(self, *args, **kwargs)
            except SecretRefusedError as error:
                count_refusal(store, error)
                raise
            finally:
                _call.asked = outer

        door.__dict__["guarded"] = Guarded(tier, unwritten, by_the_way)
        return door

    return decorate


def refuse_secrets(store: Store, tier: str, what: str, texts: Iterable[str | None]) -> None:
    """Refuse texts that a guarded method has made of its arguments, each and all in one piece.

    A message may be an object of any shape: what it says is known only once it was read.
    """
    # In one piece: a label in one column may give away the value in another.
    text, rules = "\n".join(filter(None, texts)), _rules_of_call(store)
    _refuse(what, _rule_of(text, rules), tier, text, rules)


def refuse_secret_names(**names: str | None) -> None:
    """Refuse names that look like a secret by the built-in rules, before a store is opened."""
    for what, name in names.items():
        _refuse(what, secret_rule(name or ""), "scope", name or "")


# What the names of rules mean; others are named by what they find: "github-token".
_REASONS = {
    "told-password": "a password beside its name",
    "told-code": "a PIN or a code beside what it opens",
    "told-key": "a key or a token beside its name",
    "password-like": "capitals, small letters, digits and a mark in one word, as in passwords",
    "card-number": "a card's number by its check digit and the words around it",
    "social-security": "a person's number beside its name",
    "personal-id": "a person's number by its check digit",
    "url-credentials": "a password in an address",
    "url-token": "a token in an address",
    "command-password": "a password on a command line",
}


def reason(rule: str) -> str:
    """Return in words why a rule refuses: "a password beside its name"."""
    return _REASONS.get(rule, f"by its form a {rule.replace('-', ' ')}")


class _CountedRefusalError(SecretRefusedError):
    """A refusal that knows its rule and tier, so that it is counted, and counted once."""

    rule = tier = ""
    counted = False


def _refuse(
    what: str, rule: str | None, tier: str, text: str, rules: tuple[CustomRule, ...] = ()
) -> None:
    """Raise where a rule has found something: with the rule in words, and the place, masked."""
    if rule is None:
        return
    place = secret_search.told_place(text, rules)
    error = _CountedRefusalError(
        f'"{what}" looks like a secret: "{place}" ({reason(rule)}); nothing was written',
        hint="leave the secret out; write that it is set up, not what it is",
    )
    error.rule, error.tier = rule, tier
    raise error


def _read_once(
    names: list[str], args: Any, kwargs: Any, unwritten: tuple[str, ...]
) -> tuple[Any, Any]:
    """Return arguments whose generators are read, as tuples: they are looked at and then used."""

    def read(name: str, value: Any) -> Any:
        return tuple(value) if hasattr(type(value), "__next__") and name not in unwritten else value

    names = [*names, *[""] * (len(args) - len(names))]
    read_args = tuple(read(name, value) for name, value in zip(names, args, strict=False))
    return read_args, {name: read(name, value) for name, value in kwargs.items()}


def _look_at(given: list[tuple[str, str]], tier: str, rules: tuple[CustomRule, ...]) -> None:
    for name, text in [*given, *_together(dict(given))]:
        if len(text) > MAX_TEXT:
            raise UnusableInputError(
                f"{name} has {len(text)} characters", hint=f"at most {MAX_TEXT} are kept"
            )
        _refuse(name, _rule_of(text, rules), tier, text, rules)


# Names of speakers, threads and tags come again and again.
_rule_of_name = functools.lru_cache(maxsize=1024)(secret_rule)


def _rule_of(text: str, rules: tuple[CustomRule, ...]) -> str | None:
    return (secret_rule if len(text) > MAX_NAME else _rule_of_name)(text, rules)


def _texts(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield every text in `value` with its place: ``facts[3]`` is the fourth of a list.

    Of an object each key with its value is a text too: "password: x".
    """
    if isinstance(value, str):
        if value:
            yield where, value
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from _texts(key, where)
            yield from _texts(member, where)
            if isinstance(member, (str, int, float)) and not isinstance(member, bool):
                yield where, f"{key}: {member}"
        yield from ((where, text) for _, text in _together(value))
    elif isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        for at, member in enumerate(value):  # a set has no order that a number could name
            place = where if isinstance(value, AbstractSet) else f"{where}[{at}]"
            yield from _texts(member, place)


# A name and its value say together what neither says alone.
_KEYS, _VALUES = ("key", "attribute", "name"), ("value", "text")


def _together(given: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    for value in _VALUES:
        if value in given:
            yield from ((value, f"{given[key]}: {given[value]}") for key in _KEYS if key in given)


class _Asked:
    """What the door of a call has read: the settings of store and home, the store's own rules."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.said = store.stored_settings(), store.home_settings()
        patterns = store.said("secret_patterns")
        self.rules = own_rules(patterns or "")


# The settings that the door of the running call of a thread has read, as ``asked``.
_call = threading.local()


def _asked_in_call(store: Store) -> _Asked | None:
    asked: _Asked | None = getattr(_call, "asked", None)
    return asked if asked is not None and asked.store is store else None


def settings_of_call(store: Store) -> tuple[Mapping[str, str], HomeSettings]:
    """Return the settings of the store and its home, read once a call: by its door."""
    asked = _asked_in_call(store)
    return asked.said if asked else (store.stored_settings(), store.home_settings())


def _rules_of_call(store: Store) -> tuple[CustomRule, ...]:
    """Return the store's own rules as the door has read them; where there is none, as they are."""
    asked = _asked_in_call(store)
    return asked.rules if asked else own_rules(store.said("secret_patterns") or "")


@functools.lru_cache(maxsize=8)
def own_rules(patterns: str) -> tuple[CustomRule, ...]:
    """Return the rules of a list of regular expressions, one a line; all can be used, or none."""
    lines = [line.strip() for line in patterns.splitlines() if line.strip()]
    return tuple(CustomRule(f"own-{i}", line) for i, line in enumerate(lines, start=1))


def count_refusal(store: Store, error: SecretRefusedError) -> None:
    """Count a refusal, once its transaction is over; inside one, the outer door counts it."""
    if not isinstance(error, _CountedRefusalError) or error.counted or store.writing:
        return
    error.counted = True
    # Where nothing can be written there is nothing to count in; the refusal is what is told.
    with suppress(BusyError, *UNWRITABLE), store.at_once(within_ms=100), store.transaction():
        store.execute(
            STORE.count_refusal,
            {"rule": error.rule, "tier": error.tier, "day": store.zone.now()[:10]},
        )
