"""Relation: what a new statement does to an older one.

All who compare two statements ask `relation`: facts that are stored, what is extracted from a talk, dreams,
imports, merging, and recall. First comes what both are about: shared names, words and topics. Then
whether they differ in one value of the same kind, in a yes and a no, or in who has a task; and whether the
new one tells of a change. Two differences at once, a value that one may have several of, and a short
while alone leave both in place.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.base.pattern import Pattern
from memctl.text.closed_words import GENERAL_WORDS, STOP_WORDS
from memctl.text.properties import property_of, same_value, takes_its_place
from memctl.text.relation_words import contrast_of, is_role_of_several, topics_of
from memctl.text.splitting import WORD
from memctl.text.statement import OUTRIGHT, VALUE_MARK, read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from memctl.text.statement import PlainStatement

    Words = tuple[str, ...]
    Span = tuple[Words, Words]  # the older's words, and the newer's in their place

RelationKind = Literal["same", "adds", "replaces", "contradicts", "independent"]

SURE = 0.85
"""From this score on a replaced statement ends by itself."""

_CERTAIN, _CLEAR, _LIKELY, _SOME = 0.9, 0.8, 0.7, 0.6
# From this share of the shorter statement's words on two are compared word by word; short ones
# share as many as if they had so many words.
_FRAME, _SHORT = 0.5, 2
_OPENING = 2  # words with which both open: then they are compared word by word, too
_ABOUT = 2  # words besides names that say of what thing a value is
_USER = "user"
_SINGLE = frozenset({"home", "job", "name"})  # topics of which somebody has one value at a time
_NAME_WORDS = 3
_COMPARED = Pattern(r"\b(?:over|than|rather|statt|als)\b")
_BETWEEN_CLAUSES = Pattern(r"[,;]|\b(?:and|und|y)\b")
# How statements begin that are about the user.
_OF_USER = ("user", "i ", "i'", "my ", "ich ", "mein", "\u7528\u6237", "\u6211")
_KINDS = ("date", "clock", "amount", "version", "handle", "weekday", "daypart", "year", "month")
_TIMES = frozenset({"date", "clock", "weekday"})


class Relation(NamedTuple):
    """What a new statement does to an older one, how surely (0 to 1), and why."""

    kind: RelationKind
    score: float
    reason: str

    @property
    def changes(self) -> bool:
        """Whether both cannot be valid: the new one replaces or contradicts the older."""
        return self.kind in {"replaces", "contradicts"}


@lru_cache(maxsize=4096)
def relation(new: str, old: str) -> Relation:
    """Return how a new statement relates to an older one of the same source."""
    if new == old:
        return Relation("same", 1.0, "the same words")
    mine, its = read(new), read(old)
    apart = (
        mine.content.isdisjoint(its.content)
        and mine.topics.isdisjoint(its.topics)
        and mine.names.isdisjoint(its.names)
        and mine.gone.isdisjoint(its.content)
    )
    if apart and not _shares_cjk_name(mine, its):  # most of a store
        return Relation("independent", 0.0, "about other things")
    return _Pair(mine, its).relation()


def _clauses(statement: PlainStatement) -> frozenset[tuple[str, ...]]:
    """Return the words of each clause in their order; the clauses may come in any."""
    parts = _BETWEEN_CLAUSES.split(statement.text.lower())
    words = (
        tuple(w for w in WORD.findall(part) if w not in STOP_WORDS and w != _USER) for part in parts
    )
    return frozenset(filter(None, words))


class _Pair:
    """Two statements, compared."""

    def __init__(self, new: PlainStatement, old: PlainStatement) -> None:
        from difflib import SequenceMatcher

        self.new, self.old = new, old
        self.topics = new.topics & old.topics
        self.names = (new.names & old.names) - {_USER}
        self.own = _USER in new.names & old.names
        ours, theirs = (_concepts(statement, self.topics) for statement in (new, old))
        self.shared = ours & theirs
        self.about = self.shared - self.names
        self.covers = theirs <= ours  # the new one says all that the older says
        self.frame = len(self.shared) / max(min(len(ours), len(theirs)), _SHORT)
        mine, its = _labelled(new, self.topics), _labelled(old, self.topics)
        if len(mine) >= _OPENING and mine[:_OPENING] == its[:_OPENING]:
            self.frame = max(self.frame, _FRAME)
        steps = SequenceMatcher(None, its, mine, autojunk=False).get_opcodes()
        self.spans: list[Span] = [
            (old.words[i:j], new.words[k:m]) for tag, i, j, k, m in steps if tag != "equal"
        ]
        in_words = (
            (*(tuple(w for w in side if not w.startswith(VALUE_MARK)) for side in span),)
            for span in self.spans
        )
        self.in_words = [(its, mine) for its, mine in in_words if its and mine]
        self.kinds = [kind for kind in _KINDS if self._differ_in(kind)]
        self.other_side = [n for n, side in new.sides.items() if old.sides.get(n, side) != side]
        self.apart = self._is_apart()

    def relation(self) -> Relation:
        """Return the relation of the new one to the old one, by the first rule that applies."""
        result = next(chain(self._both_hold(), self._no_more()), None)
        if result is None and self.frame >= _FRAME:
            result = self._in_the_same_words()
        elif result is None and not self.apart:
            result = next(self._another_value(), None)
        if result is None and not self.apart:
            result = next(self._in_other_words(), None)
        if result is not None and result.changes and not self._anchored(result):
            result = None
        return result or Relation("independent", 0.0, "nothing that both cannot be")

    def _anchored(self, link: Relation) -> bool:
        """Return whether both name one thing: without that a change is one of something else.

        Of 7,080 statements that have nothing to do with each other 130 were related without this
        rule, and 11 with it.
        """
        new, old = self.new, self.old
        common_words = (new.content & old.content) - GENERAL_WORDS
        common = sum(not word.isdigit() for word in common_words) + (_ABOUT if self.names else 0)
        common += _shares_cjk_name(new, old)
        own = all(statement.text.lower().startswith(_OF_USER) for statement in (new, old))
        common += _ABOUT if own and self.topics & _SINGLE else 0
        weak = link.score <= _SOME and "change" in link.reason
        if weak or link.reason.startswith("another name"):
            return common >= _ABOUT
        surely = self.kinds == ["date"] or link.reason.startswith("says the opposite")
        return bool(common) or len(self.topics) >= _ABOUT or surely

    # -- both hold -------------------------------------------------------------------------

    def _both_hold(self) -> Iterator[Relation]:
        new, old = self.new, self.old
        if new.passing and not (old.passing or new.done or new.change == OUTRIGHT):
            yield _both(_SOME, "holds for a short while alone")
        # Denied, turned round, or told of as gone.
        ended = new.denies != old.denies or new.leaving or new.gone
        kept = set(old.values) <= set(new.values) and old.sides.keys() <= new.sides.keys()
        if kept and not (self.other_side or ended or self._other_order):
            whole = set(new.values) == set(old.values) and new.sides.keys() == old.sides.keys()
            if new.content == old.content and whole:
                yield Relation("same", _CERTAIN, "says the same in other words")
            outright = new.change == OUTRIGHT or (new.done and not old.done)
            lost = new.change and any(its for its, _ in self.spans)
            if old.content <= new.content and not outright and not lost:
                yield Relation("adds", _CLEAR, "says all of it and more")
        # One property of one thing: Falcon's deadline is 1 December.
        mine, its = property_of(new.text), property_of(old.text)
        if mine and its and mine.slot == its.slot and not self._narrowed:
            if same_value(mine.value, its.value):
                yield Relation("same", _CERTAIN, f"the same {mine.attribute}")
            if takes_its_place(mine.attribute, mine.value, its.value):
                yield Relation("replaces", _CERTAIN, f"another {mine.attribute}")

    # -- what is no more -------------------------------------------------------------------

    def _no_more(self) -> Iterator[Relation]:
        new, old = self.new, self.old
        # The new one names what the older says as what is no more: from X to Y.
        stated = old.content | old.names | {value.said for value in old.values}
        if new.gone and new.gone <= stated and not old.gone:
            beside = (self.shared | {f"topic:{topic}" for topic in self.topics}) - new.gone
            score = _CERTAIN if beside else _LIKELY if self.own else _SOME
            yield Relation("replaces", score, "names what is no more")
        if new.leaving and (self.names or _shares_cjk_name(new, old)):
            cjk = {word for word in new.content if not word.isascii()}
            if (new.names or cjk) - old.names and (self.topics or self.shared):
                yield Relation("replaces", _CLEAR, "who was named leaves, another is named")
        planned = old.sides.get("going") == 1 or "plan" in old.topics
        planned = (planned or "baby" in old.topics) and not old.done
        off = new.sides.get("going") == -1
        timed = off and any(value.kind in _TIMES for value in old.values)
        if (timed or (planned and (new.done or off))) and self._linked:
            yield Relation("replaces", _LIKELY, "what was planned is over")

    # -- in the same words -----------------------------------------------------------------

    def _in_the_same_words(self) -> Relation | None:
        new, old = self.new, self.old
        # "Is afraid" and "is not afraid" differ; "hates" and "can't stand" do not.
        one_side = any(old.sides.get(name) == side for name, side in new.sides.items())
        one_side = one_side and not old.later <= new.later
        denied = new.denies != old.denies and not self.kinds and not one_side
        several = new.several or not (self.topics or len(self.about) >= _ABOUT)
        result = None
        if self.apart:
            result = _both(_LIKELY, "about another of its kind")
        elif not new.change and self._narrowed:
            result = _both(_SOME, "holds at times, or of a part")
        elif self.kinds and not self.in_words and not self.other_side:
            result = self._one_value()
        elif self.other_side or denied:
            result = self._opposite()
        elif len(self.in_words) == 1:
            result = self._one_place()
        elif new.change and self.in_words and not several:
            result = Relation("replaces", _SOME, "tells of a change of the same thing")
        return result

    def _one_value(self) -> Relation:
        new, old, kind = self.new, self.old, self.kinds[0]
        several = (new.several and len(self.about) < _ABOUT) or self._each
        if not new.change and several:
            return _both(_SOME, "one may have several of it")
        if old.past and (not new.change or (new.past and new.change < OUTRIGHT)):
            return Relation("contradicts", _SOME, f"another {kind} of what is past")
        if new.denies and not old.denies:
            return _both(_SOME, "denies another value than the older one gives")
        sure = new.change and not new.several and len(self.shared) >= _ABOUT
        return Relation("replaces", _CERTAIN if sure else _LIKELY, f"another {kind}")

    def _opposite(self) -> Relation:
        new, old = self.new, self.old
        if not new.change and (self.in_words or "weekday" in self.kinds):
            return _both(_SOME, "says otherwise of another thing")
        if not new.change and old.past:
            return Relation("contradicts", _SOME, "says the opposite")
        over = new.change == OUTRIGHT and new.denies and not old.denies and self.covers
        return Relation("replaces", _CERTAIN if over else _LIKELY, "says the opposite")

    def _one_place(self) -> Relation:
        new, old = self.new, self.old
        # Joost works as a nurse; he moved to Amersfoort.
        if not (self.about or self.topics or self.kinds) and new.topics and old.topics:
            return _both(_SOME, "says something else of whom both name")
        if not new.change and (new.several or old.several):
            return _both(_SOME, "one may have several of it")
        if not new.change and (self._at_front or not self._of_one_value):
            return _both(_SOME, "about another thing")
        if new.past and old.past and new.change < OUTRIGHT:
            return Relation("contradicts", _SOME, "something else of what is past")
        score = _CLEAR if new.change == OUTRIGHT else _LIKELY
        return Relation("replaces", score, "something else in its place")

    @property
    def _other_order(self) -> bool:
        """Whether the two have the same words in another order: Ann reports to Bo, tabs over spaces."""
        compared = all(_COMPARED.search(statement.text) for statement in (self.new, self.old))
        kept = self.new.content if compared else self.names
        orders = [
            [word for word in statement.words if word in kept] for statement in (self.new, self.old)
        ]
        if len(kept) <= 1 or orders[0] == orders[1]:
            return False
        return _clauses(self.new) != _clauses(self.old)

    @property
    def _narrowed(self) -> bool:
        """Whether the new one is of the past, of what may be, or of a part of the older."""
        new, old = self.new, self.old
        if (new.past and not old.past) or (new.hedged and not old.hedged):
            return True
        days = [
            kind for kind in ("weekday", "month") if new.of_kind(kind) and not old.of_kind(kind)
        ]
        return bool(new.within - old.within or days)

    @property
    def _each(self) -> bool:
        """Whether the two give days of every week, or years of somebody's life."""
        if self.kinds == ["weekday"]:
            each = any(value.unit == "each" for value in self.new.values)
            return each and len(self.about) < _ABOUT
        return self.kinds == ["year"] and self.own

    @property
    def _of_one_value(self) -> bool:
        """Whether the subject of both has one value: a thing, or where somebody lives or works."""
        if len(self.about) >= _ABOUT:
            return True
        its, mine = self.in_words[0]
        alone = len(self.spans) == 1 and max(len(its), len(mine)) <= _NAME_WORDS
        if alone and self.own and {*its} <= self.old.names and {*mine} <= self.new.names:
            # My vet is Greta.
            return bool(self.about) and not any(map(is_role_of_several, self.about))
        names = self.new.names - self.old.names and self.old.names - self.new.names
        return bool(alone and self.topics & _SINGLE and (names or not its[0].isascii()))

    @property
    def _at_front(self) -> bool:
        if not self.in_words:
            return False
        its, mine = self.in_words[0]
        return self.old.words[: len(its)] == its and self.new.words[: len(mine)] == mine

    # -- in other words --------------------------------------------------------------------

    def _another_value(self) -> Iterator[Relation]:
        about = self.topics or self.about - self._counted
        if self.kinds and self.new.change and self._share_names and about:
            score = _LIKELY if len(self.shared) == 1 else _CLEAR
            yield Relation("replaces", score, f"another {self.kinds[0]} of the same thing")

    def _in_other_words(self) -> Iterator[Relation]:
        new, old = self.new, self.old
        bare = self.own and not (new.content or old.content)  # User is married
        linked = self._linked and (new.change or self.topics)
        if self.other_side and (linked or bare):
            yield Relation("replaces", _LIKELY, f"says the opposite: {self.other_side[0]}")
        if not new.change or new.several:
            return
        outright = new.change == OUTRIGHT
        topics = self.topics - {"plan"}
        speaks = self.own or (_USER in old.names and not new.subject)
        its_own = speaks and topics & _SINGLE - {"name"}
        more = len(topics) > 1 or len(self.shared) > len(topics) or outright
        if topics and self._share_names and (self.names or its_own or more):
            yield Relation("replaces", _SOME, f"tells of a change: {', '.join(sorted(topics))}")
        if "name" in new.topics and (self.names or (outright and self.shared)):
            yield Relation("replaces", _LIKELY, "another name of what both name")
        about = self.about - self._counted
        first = {word for word in old.words[:1] if word in about or f"topic:{word}" in about}
        changed = outright and about and self._share_names
        if self.spans and (changed or (first and (self._share_names or outright))):
            yield Relation("replaces", _SOME, "tells of a change of the same thing")

    @property
    def _share_names(self) -> bool:
        """Whether both name the same, where both name something behind their first word."""
        named = (self.new.names & self.new.later, self.old.names & self.old.later)
        return bool(self.names) or not all(named)

    @property
    def _linked(self) -> bool:
        return bool(self.names or self.shared - self._counted)

    @property
    def _counted(self) -> frozenset[str]:
        """The words before a number that belong to it: hall 4, room 3."""
        values = (*self.new.values, *self.old.values)
        units = {value.unit[1:] for value in values if value.unit[:1] == "#"}
        return frozenset(word for word in units if not self.topics & topics_of(word))

    # -- two things ------------------------------------------------------------------------

    def _is_apart(self) -> bool:
        """Return whether the two are about two things of a kind: production and test, 2023 and 2024."""
        if self._subjects_differ() or ({"year", "month"} & {*self.kinds} and len(self.kinds) > 1):
            return True
        if self.frame < _FRAME:
            return False
        if self._contrasted() or (self.kinds == ["amount"] and self._numbered()):
            return True
        if self.new.change == OUTRIGHT:
            return False
        differences = len(self.in_words) + bool(self.kinds)
        return differences > 1 or (bool(self.kinds) and self._at_front)

    def _subjects_differ(self) -> bool:
        new, old = self.new, self.old
        mine, its = new.subject, old.subject
        if new.leaving or not (mine or its) or mine == its:
            return False
        if not mine or not its:  # Ann's own is not the user's
            other, named = (new, its) if its else (old, mine)
            users = other.text.lower().startswith(_OF_USER) and named not in other.names
            return users and new.change < OUTRIGHT
        return mine not in old.names and its not in new.names and not {mine, its} <= self.shared

    def _contrasted(self) -> bool:
        groups: dict[int, tuple[set[str], set[str]]] = {}
        for side, words in enumerate((self.new.words, self.old.words)):
            for word in words:
                group = contrast_of(word)
                if group is not None:
                    groups.setdefault(group, (set(), set()))[side].add(word)
        return any(mine and its and not mine & its for mine, its in groups.values())

    def _numbered(self) -> bool:
        """Return whether both are about one of several numbered things: room 3 is booked."""
        return all(
            any(
                value.unit[:1] == "#" and statement.words[1:2] == (f"{VALUE_MARK}{n}{VALUE_MARK}",)
                for n, value in enumerate(statement.values)
            )
            and len(statement.words) > _SHORT
            for statement in (self.new, self.old)
        )

    def _differ_in(self, kind: str) -> bool:
        mine, its = self.new.of_kind(kind), self.old.of_kind(kind)
        if not mine or not its or {value.said for value in mine} & {value.said for value in its}:
            return False
        # Their units do not exclude each other; of two numbers each with a word of its own before it,
        # both words must be the same.
        units = [
            ({one.unit[:1], other.unit[:1]}, one.unit == other.unit)
            for one in mine
            for other in its
        ]
        return any(same or "" in two or two in ({"="}, {"=", "#"}) for two, same in units)


def _both(score: float, reason: str) -> Relation:
    return Relation("independent", score, reason)


def _concepts(statement: PlainStatement, shared: AbstractSet[str]) -> frozenset[str]:
    """Return the words of a statement, those of a shared topic as that topic."""
    topics = {f"topic:{topic}" for topic in shared}
    return frozenset(_as_topic(word, shared) for word in statement.content) | topics


def _as_topic(word: str, shared: AbstractSet[str]) -> str:
    of = topics_of(word) & shared
    return f"topic:{min(of)}" if of else word


def _labelled(statement: PlainStatement, shared: AbstractSet[str]) -> list[str]:
    """Return the words as they are compared: topics for words, and the texts of its values."""
    said = [f"{value.kind}:{value.said}" for value in statement.values]
    return [
        said[int(word.strip(VALUE_MARK))] if word[0] == VALUE_MARK else _as_topic(word, shared)
        for word in statement.words
    ]


def _shares_cjk_name(new: PlainStatement, old: PlainStatement) -> bool:
    """Return whether the first word of the new one, of a script without spaces, is in the older."""
    return any(word in old.text for word in new.words[:1] if not word.isascii())
