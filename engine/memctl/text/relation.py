"""Relation: what a new statement does to an older one.

All who compare two statements ask `relation`: facts that are stored, what is extracted from a talk, dreams,
imports, merging, and recall. First comes what both are about: shared names, words and topics. Then
whether they differ in one value of the same kind, in a yes and a no, or in who has a task; and whether the
new one tells of a change. Two differences at once, a value that one may have several of, and a short
while alone leave both in place.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.text.statement import contrast_of, read, topics_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from memctl.text.statement import Statement, StatementValue

__all__ = ["SURE", "Relation", "RelationKind", "relation"]

RelationKind = Literal["same", "adds", "replaces", "contradicts", "independent"]

SURE = 0.85
"""From this score on a replaced statement ends by itself."""

_USER = "user"
_SINGLE = frozenset({"home", "job", "name"})  # topics of which somebody has one value at a time
_NAME_WORDS = 3
_OPENING = 2  # words with which both open, from where on they are compared word by word, too
_FRAME = 0.5  # share of the shorter statement's words that both hold, from where on they are compared word by word


class Relation(NamedTuple):
    """What a new statement does to an older one, how surely (0 to 1), and why."""

    kind: RelationKind
    score: float
    reason: str

    @property
    def changes(self) -> bool:
        """Whether both cannot hold: the new one replaces or contradicts the older."""
        return self.kind in {"replaces", "contradicts"}


@lru_cache(maxsize=4096)
def relation(new: str, old: str) -> Relation:
    """Return what a new statement does to an older one.

    Parameters
    ----------
    new, old
        Two statements of one source, the new one said later.
    """
    return _Pair(read(new), read(old)).relation()


class _Pair:
    """Two statements, compared."""

    def __init__(self, new: Statement, old: Statement) -> None:
        self.new, self.old = new, old
        self.topics = new.topics & old.topics
        self.names = (new.names & old.names) - {_USER}
        self.own = _USER in new.names & old.names
        ours, theirs = (_concepts(one, self.topics) for one in (new, old))
        self.shared = ours & theirs
        self.least = min(len(ours), len(theirs)) or 1
        self.most = max(len(ours), len(theirs))
        self.frame = len(self.shared) / max(self.least, 2)
        self.covered = len(self.shared) / (len(theirs) or 1)
        self.spans = _spans(new, old, self.topics)
        if _opening(new, old, self.topics) >= _OPENING:
            self.frame = max(self.frame, _FRAME)
        self.other_side = [n for n, side in new.sides.items() if old.sides.get(n, side) != side]

    def relation(self) -> Relation:
        """Return the relation of the new one to the old one."""
        for rule in (
            self._equal,
            self._gone,
            self._task,
            self._over,
            self._value,
            self._side,
            self._topic,
        ):
            found = rule()
            if found is not None:
                return found
        return Relation("independent", 0.0, "nothing that both cannot be")

    # -- both hold -------------------------------------------------------------------------

    def _equal(self) -> Relation | None:
        new, old = self.new, self.old
        if new.text == old.text:
            return Relation("same", 1.0, "the same words")
        if new.passing and not old.passing:
            return Relation("independent", 0.6, "holds for a short while alone")
        if self.other_side or new.denies != old.denies or new.leaving or new.gone:
            return None
        if set(new.values) >= set(old.values) and new.content == old.content:
            return Relation("same", 0.9, "says the same in other words")
        if not self.covered >= 0.99 or not set(old.values) <= set(new.values):
            return None
        if any(old_words and not new.change == 0 for old_words, _ in self.spans):
            return None
        if new.change < 2 and not (new.done and not old.done):
            return Relation("adds", 0.8, "says all of it and more")
        return None

    def _gone(self) -> Relation | None:
        """The new one names what the older says as what is no more: from X to Y, instead of X."""
        gone, old = self.new.gone, self.old
        told = old.content | old.names | {value.said for value in old.values}
        if not gone or not gone <= told or old.gone:
            return None
        beside = (self.shared | {f"topic:{topic}" for topic in self.topics}) - gone - {_USER}
        if beside or self.own:
            return Relation("replaces", 0.9 if beside else 0.7, "names what is no more")
        return Relation("replaces", 0.6, "names what is no more")

    # -- who has a task --------------------------------------------------------------------

    def _task(self) -> Relation | None:
        """Somebody whom the older one names leaves, and the new one names another."""
        new = self.new
        if not new.leaving or not self._linked(people=True):
            return None
        others = (new.names or _cjk_names(new)) - self.old.names
        if others and (self.topics or self.shared):
            return Relation("replaces", 0.8, "who was named leaves, another is named")
        return None

    # -- a value ---------------------------------------------------------------------------

    def _value(self) -> Relation | None:
        new, old = self.new, self.old
        kinds = self._differing()
        if self.frame >= _FRAME:
            return self._aligned(kinds)
        if not kinds or self._apart():
            return None
        about = self.shared - self.names - self._counted()
        if not self._share_names():
            return None
        if new.change and (self.topics or about):
            score = 0.6 + 0.1 * min(2, len(self.shared))
            return Relation("replaces", score, f"another {kinds[0]} of the same thing")
        return None

    def _aligned(self, kinds: list[str]) -> Relation | None:
        """Compare two statements in nearly the same words."""
        new, old = self.new, self.old
        if self._apart():
            return Relation("independent", 0.7, "about another of its kind")
        both = self._content_spans()
        if new.change == 0 and self._narrowed():
            return Relation("independent", 0.6, "holds at times, or of a part")
        fixed = new.past and old.past and new.change < 2
        if kinds and not both and not self.other_side:
            about = self.shared - self.names
            if new.change == 0 and ((new.several and len(about) < 2) or self._each(kinds)):
                return Relation("independent", 0.6, "one may have several of it")
            if fixed or (old.past and new.change == 0):
                return Relation("contradicts", 0.6, f"another {kinds[0]} of what is past")
            if new.denies and not old.denies:
                return Relation("independent", 0.6, "denies another value than the older one gives")
            sure = new.change and not new.several and len(self.shared) > 1
            score = 0.9 if sure else 0.7
            return Relation("replaces", score, f"another {kinds[0]}")
        one_side = any(old.sides.get(name) == side for name, side in new.sides.items())
        opposite = bool(self.other_side) or (
            new.denies != old.denies and not kinds and not one_side
        )
        if opposite and (both or "weekday" in kinds) and not new.change:
            return Relation("independent", 0.6, "says otherwise of another thing")
        if opposite:
            if new.change == 0 and (fixed or old.past):
                return Relation("contradicts", 0.6, "says the opposite")
            over = new.change == 2 and new.denies and not old.denies and self.covered >= 0.99
            return Relation("replaces", 0.9 if over else 0.7, "says the opposite")
        if len(both) != 1:
            about = self.shared - self.names
            if new.change and both and (self.topics or len(about) > 1) and not new.several:
                return Relation("replaces", 0.65, "tells of a change of the same thing")
            return None
        if (new.several or old.several) and not new.change:
            return Relation("independent", 0.6, "one may have several of it")
        if not new.change and (self._at_front() or not self._of_one_value(both[0])):
            return Relation("independent", 0.6, "about another thing")
        if fixed:
            return Relation("contradicts", 0.6, "something else of what is past")
        score = 0.8 if new.change == 2 else 0.65
        return Relation("replaces", score, "something else in its place")

    def _narrowed(self) -> bool:
        """Return whether the new one tells of the past, of what may be, or of a part of the older."""
        new, old = self.new, self.old
        if (new.past and not old.past) or (new.hedged and not old.hedged):
            return True
        return bool(new.within - old.within) or any(
            value.kind in {"weekday", "month"} and not _of_kind(old, value.kind)
            for value in new.values
        )

    def _each(self, kinds: list[str]) -> bool:
        """Return whether the two give days of a week, or years of somebody's life."""
        if kinds == ["weekday"]:
            return len(self.shared - self.names) < 2 and any(
                value.unit == "each" for value in self.new.values
            )
        return kinds == ["year"] and self.own

    def _of_one_value(self, span: tuple[tuple[str, ...], tuple[str, ...]]) -> bool:
        """Return whether what both say has one value: of a thing, or where somebody lives or works."""
        shared = self.shared - self.names - {_USER}
        if len(shared) > 1:
            return True
        only = len(self.spans) == 1 and max(map(len, span)) <= _NAME_WORDS
        named = self.new.names - self.old.names and self.old.names - self.new.names
        return bool(only and self.topics & _SINGLE and (named or not span[0][0].isascii()))

    def _content_spans(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return the places where the two differ in words, and not in values alone."""
        spans = [
            tuple(tuple(w for w in side if w[0] != "\x00") for side in one) for one in self.spans
        ]
        return [(its, mine) for its, mine in spans if its and mine]

    def _differing(self) -> list[str]:
        """Return the kinds of values that both give, and differently."""
        found = []
        for kind in ("date", "clock", "amount", "version", "handle", "weekday", "year", "month"):
            mine, its = _of_kind(self.new, kind), _of_kind(self.old, kind)
            if not mine or not its or {v.said for v in mine} & {v.said for v in its}:
                continue
            if any(_comparable(one, other) for one in mine for other in its):
                found.append(kind)
        return found

    def _apart(self) -> bool:
        """Return whether the two are about two things of a kind: production and test, 2023 and 2024."""
        new, old = self.new, self.old
        if new.subject and old.subject and new.subject != old.subject and not new.leaving:
            names = {new.subject, old.subject}
            if (
                new.subject not in old.names
                and old.subject not in new.names
                and not names <= self.shared
            ):
                return True
        kinds = self._differing()
        if {"year", "month"} & set(kinds) and len(kinds) > 1:
            return True
        if self.frame < _FRAME:
            return False
        groups: dict[int, list[set[str]]] = {}
        for side, words in enumerate((new.words, old.words)):
            for word in words:
                group = contrast_of(word)
                if group is not None:
                    groups.setdefault(group, [set(), set()])[side].add(word)
        if any(mine and its and not mine & its for mine, its in groups.values()):
            return True
        if kinds == ["amount"] and _numbered(new) and _numbered(old):
            return True
        if new.change == 2:
            return False
        return len(self._content_spans()) + bool(kinds) >= 2 or (bool(kinds) and self._at_front())

    def _at_front(self) -> bool:
        """Return whether the words in which the two differ open both."""
        first = next(iter(self._content_spans()), None)
        if first is None:
            return False
        its, mine = first
        return self.old.words[: len(its)] == its and self.new.words[: len(mine)] == mine

    # -- yes and no ------------------------------------------------------------------------

    def _side(self) -> Relation | None:
        new = self.new
        sides = [name for name in self.other_side]
        if not sides or self._apart():
            return None
        if self._linked() and (new.change or self.frame >= _FRAME or self.topics):
            return Relation("replaces", 0.7, f"says the opposite: {sides[0]}")
        return None

    def _over(self) -> Relation | None:
        """What was planned is done, or called off."""
        new, old = self.new, self.old
        planned = old.sides.get("going") == 1 or "plan" in old.topics or "baby" in old.topics
        over = new.done or new.sides.get("going") == -1
        if planned and over and self._linked():
            return Relation("replaces", 0.7, "what was planned is over")
        return None

    # -- the same topic --------------------------------------------------------------------

    def _topic(self) -> Relation | None:
        """A change is told of something that both are about."""
        new, old = self.new, self.old
        if new.change == 0 or self._apart() or new.several:
            return None
        topics = self.topics - {"plan"}
        if (
            topics
            and self._share_names()
            and (
                self.names
                or (self.own and topics & _SINGLE - {"name"})
                or len(topics) > 1
                or new.change == 2
                or len(self.shared) > len(topics)
            )
        ):
            return Relation("replaces", 0.6, f"tells of a change: {', '.join(sorted(topics))}")
        if new.change == 2 and "name" in new.topics and (self.shared or self.names):
            return Relation("replaces", 0.7, "another name of what both name")
        first = set(new.words[:1]) & set(old.words[:1])
        if first - self.names - {"\x000\x00"} and self.spans:
            return Relation("replaces", 0.6, "tells of a change of the same thing")
        return None

    def _share_names(self) -> bool:
        """Return whether both name the same, where both name something behind their first word."""
        named = (self.new.names & self.new.later, self.old.names & self.old.later)
        return bool(self.names) or not all(named)

    def _linked(self, *, people: bool = False) -> bool:
        """Return whether both name the same, or are about the same."""
        if self.names or (people and _shares_cjk_name(self.new, self.old)):
            return True
        return not people and bool(self.shared - self._counted())

    def _counted(self) -> frozenset[str]:
        """Return the words that stand before a number and belong to it: hall 4, room 3."""
        units = {
            value.unit[1:]
            for one in (self.new, self.old)
            for value in one.values
            if value.unit[:1] == "#"
        }
        return frozenset(word for word in units if not self.topics & topics_of(word))


def _concepts(one: Statement, shared: AbstractSet[str]) -> frozenset[str]:
    """Return the words of a statement, those of a shared topic as that topic."""
    return frozenset(_as_topic(word, shared) for word in one.content) | {
        f"topic:{topic}" for topic in shared
    }


def _as_topic(word: str, shared: AbstractSet[str]) -> str:
    of = topics_of(word) & shared
    return f"topic:{min(of)}" if of else word


def _of_kind(one: Statement, kind: str) -> list[StatementValue]:
    return [value for value in one.values if value.kind == kind]


def _numbered(one: Statement) -> bool:
    """Return whether a statement is about one of several that a number tells apart: room 3 is booked."""
    return any(
        value.unit[:1] == "#" and one.words[1:2] == (f"\x00{n}\x00",) and len(one.words) > 2
        for n, value in enumerate(one.values)
    )


def _comparable(one: StatementValue, other: StatementValue) -> bool:
    """Return whether two values may be of the same property: their units do not exclude each other."""
    kinds = {one.unit[:1], other.unit[:1]}
    return (
        one.unit == other.unit
        or "" in kinds
        or kinds <= {"=", "#"}
        and len(kinds) + (kinds == {"="}) > 1
    )


def _spans(
    new: Statement, old: Statement, shared: AbstractSet[str]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the words in which two statements differ, side by side: the older's, the newer's."""
    mine, its = _labelled(new, shared), _labelled(old, shared)
    found = []
    for tag, i, j, k, m in SequenceMatcher(None, its, mine, autojunk=False).get_opcodes():
        if tag != "equal":
            found.append((old.words[i:j], new.words[k:m]))
    return found


def _opening(new: Statement, old: Statement, shared: AbstractSet[str]) -> int:
    """Return how many words both open with."""
    pairs = zip(_labelled(new, shared), _labelled(old, shared), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _labelled(one: Statement, shared: AbstractSet[str]) -> list[str]:
    """Return the words with what its values say in place of their numbers."""
    said = [f"{value.kind}:{value.said}" for value in one.values]
    return [
        said[int(word.strip("\x00"))] if word[0] == "\x00" else _as_topic(word, shared)
        for word in one.words
    ]


def _cjk_names(one: Statement) -> frozenset[str]:
    return frozenset(word for word in one.content if not word.isascii())


def _shares_cjk_name(new: Statement, old: Statement) -> bool:
    return any(word in old.text for word in new.words[:1] if not word.isascii())
