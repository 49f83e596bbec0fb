"""Judgement of a sentence: which kind of statement it is, or why it is none that is kept at once.

The words that decide are a table, ``statement_words.txt``, looked up by word and phrase: no regular
expression is made of it, so that a prompt that holds nothing costs nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern
from memctl.text.closed_words import STOP_WORDS
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Judgement", "judge", "may_state", "topic_of"]

_LONGEST_PHRASE = 4
_TOKEN = Pattern(r"[^\W_]+(?:['.:_/@+-]+[^\W_]+)*%?|[?？;；:：,，、–—]")
_CLAUSE = Pattern(r"\s*(?:[,;，；]|\s[–—-]\s|\.{3}|…)\s*|\s+(?=(?:and|but|so|then|und|y|e|et)\s)")
_LAUGHTER = Pattern("[\U0001f300-\U0001faff\u2600-\u27bf]|[:;]-?[)D(P](?:\\s|$)")
_QUESTION_MARK = Pattern(r"[?？؟]\s*[\"')”]*\s*$")
_NAME = Pattern(
    r"(?<![.!?\n]\s)(?<!^)(?<![\w'])[A-ZÀ-Þ][^\W\d_]*[a-zß-ÿ]\w*|\b\w*[a-z]\w*[_\d]\w*|\b[a-z]+[A-Z]\w*"
)
_NUMBER = Pattern(r"\d")
_UNSPACED = Pattern("[\u3040-\u30ff\u3400-\u9fff]")
_ROUGHLY = Pattern(r"[.!?]\s+|\n+|[\u3002\uff01\uff1f]")
_MOST_TOPIC = 3  # words
_LABEL = Pattern(r"[^\W\d][\w /-]{2,40}: \S")
_MOST_LABEL = 4  # words
_MOST_TALK = 6  # words of a sentence that a word of small talk makes all of it


class Judgement(NamedTuple):
    """The verdict on a sentence.

    Parameters
    ----------
    kind
        ``remember``, ``standing``, ``decision``, ``correction``, ``user``, ``value`` or ``plan``;
        empty where it is not kept at once.
    text
        The sentence without the orders and the small talk around what it states.
    why
        What decided: a word of it, or why it is not kept.
    everywhere, here
        Whether it says of itself that it holds in all projects, or in this one alone.
    """

    kind: str
    text: str
    why: str
    everywhere: bool = False
    here: bool = False
    of_user: bool = False

    @property
    def may_name_code(self) -> bool:
        """Whether it may name files and commits: a rule or a decision may, a report may not."""
        return self.kind in {"standing", "decision", "remember"}

    @property
    def refused(self) -> str:
        """Why it is nothing to keep, whatever else speaks for it; empty where it may be."""
        return "" if self.kind or self.why in _MAY_BE else self.why


_NOTHING_LASTING = "nothing that lasts is said"
_PROBLEM = "what goes wrong at the moment"
_COMMAND = "a command to the assistant"
_MAY_BE = frozenset([_NOTHING_LASTING, _PROBLEM])


class Marks:
    """The classes of the words of a sentence, with the places at which they begin.

    Parameters
    ----------
    text
        A sentence, or a clause.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        found = list(_TOKEN.finditer(text.replace("\u2019", "'")))
        self.tokens = [match[0] for match in found]
        self.ends = [match.end() for match in found]
        self.words = [token.casefold() for token in self.tokens]
        self.places: dict[str, list[tuple[int, int]]] = {}
        language = _language(self.words)
        self._look_up(_table(""))
        if language:
            self._look_up(_table(language))
        if not text.isascii() and _UNSPACED.search(text):
            for phrase, names in _table("unspaced").items():
                if phrase in text:
                    for name in names:
                        self.places.setdefault(name, []).append((-1, 0))

    def _look_up(self, table: Mapping[str, Sequence[str]]) -> None:
        for start in range(len(self.words)):
            for length in range(1, min(_LONGEST_PHRASE, len(self.words) - start) + 1):
                for name in table.get(" ".join(self.words[start : start + length]), ()):
                    self.places.setdefault(name, []).append((start, start + length))

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def at(self, name: str, place: int) -> int:
        """Return where an entry of a class ends that begins at a place; 0 where none does."""
        return max((end for start, end in self.places.get(name, ()) if start == place), default=0)

    def first(self, name: str) -> str:
        """Return the first words of a class, as they stand."""
        start, end = self.places.get(name, [(-1, 0)])[0]
        return " ".join(self.words[start:end]) or name

    @property
    def begin(self) -> int:
        """The place of the first word behind what only opens the sentence."""
        place = 0
        while place < len(self.words) and (
            end := self.at("opening", place)
            or (place + 1) * (not self.words[place].isalnum() and len(self.words[place]) == 1)
        ):
            place = end
        return place if place < len(self.words) else 0


@cache
def _lines() -> dict[str, list[tuple[str, str]]]:
    """Return the lines of the table by language, each with its class; "" is English."""
    found: dict[str, list[tuple[str, str]]] = {}
    name = ""
    for line in text_in("memctl.extraction", "statement_words.txt").splitlines():
        if line.startswith("["):
            name = line[1:-1]
        elif line and line[0] != "#":
            language, entries = (line[:2], line[4:]) if line[2:4] == ": " else ("", line)
            language = "unspaced" if is_unspaced(line[0]) else language
            found.setdefault(language, []).append((name, entries))
    return found


@cache
def _table(language: str) -> dict[str, tuple[str, ...]]:
    """Return the classes of each word and phrase of a language."""
    found: dict[str, tuple[str, ...]] = {}
    for name, entries in _lines()[language]:
        for entry in entries.split(", "):
            found[entry] = (*found.get(entry, ()), name)
    return found


@cache
def _grammar() -> dict[str, frozenset[str]]:
    """Return the words of grammar of each language."""
    return {
        language: frozenset(entries.split(", "))
        for language, lines in _lines().items()
        for name, entries in lines
        if name == "language"
    }


def _language(words: Iterable[str]) -> str:
    """Return the language that most of the words of grammar belong to; English in doubt."""
    grammar = _grammar()
    counts = {language: sum(map(some.__contains__, words)) for language, some in grammar.items()}
    return max(counts, key=lambda language: (counts[language], language == ""))


def judge(text: str) -> Judgement:
    """Return the verdict on one sentence of what a person said."""
    whole = Marks(text)
    if "played" in whole:
        return Judgement("", text, "a part that is played")
    told = "remember" in whole and _begins(whole, "remember")
    if not told and (why := _nothing(whole)):
        return Judgement("", text, why)
    own = _behind_order(whole) if told else _own_clauses(text)
    marks = whole if own == text else Marks(own)
    if told and own:
        kind, why = "remember", whole.first("remember")
    else:
        kind, why = _kind(marks, cut=own != text) if own else ("", _COMMAND)
    return Judgement(
        kind, own or text, why, "everywhere" in marks, "here" in marks, "of the user" in marks
    )


def may_state(text: str) -> bool:
    """Return whether anything in a message may be worth keeping at once: a look without cutting it."""
    return any(judge(part).kind for part in _ROUGHLY.split(text) if part.strip())


def topic_of(text: str) -> str:
    """Return what a message is about, in a few of its words; empty where none of them says it."""
    _, colon, asked = text.rpartition(": ")
    marks = Marks(asked if colon and _asks(Marks(asked)) else text)
    found = [(_worth(marks, *chunk), *chunk) for chunk in _chunks(marks)]
    if not found:
        return ""
    _, start, end = max(found)
    return " ".join(marks.tokens[start:end][-_MOST_TOPIC:])


def _chunks(marks: Marks) -> list[tuple[int, int]]:
    """Return the runs of words that may name a thing."""
    apart = {
        place
        for name in (
            "opening",
            "question",
            "states",
            "number word",
            "talk",
            "changed",
            "decided",
            "no antecedent",
            "date word",
        )
        for start, end in marks.places.get(name, ())
        for place in range(start, end)
    }
    apart |= set(range(marks.at("order", marks.begin) or marks.begin))
    chunks: list[tuple[int, int]] = []
    for place, word in enumerate(marks.words):
        if place in apart or word in STOP_WORDS or not word[0].isalpha() or len(word) < _LEAST_NOUN:
            continue
        if chunks and chunks[-1][1] == place:
            chunks[-1] = (chunks[-1][0], place + 1)
        else:
            chunks.append((place, place + 1))
    return chunks


def _worth(marks: Marks, start: int, end: int) -> float:
    """Return how likely some words are the topic: a name, what is asked for, what "the" stands before."""
    before = marks.words[start - 1] if start else ""
    named = any(not word.isalpha() for word in marks.words[start:end])
    asked = before in {"what", "which", "many", "much"}
    late = start / len(marks.words) * (1 if "question" in marks else -1)
    return 2 * named + 2 * asked + (before in _BEFORE_TOPIC) + 0.5 * (end - start > 1) + 0.4 * late


_LEAST_REMEMBERED = 7  # characters
_LEAST_NOUN = 3
_BEFORE_TOPIC = frozenset("the our my about for".split())


def _nothing(marks: Marks) -> str:
    """Return why a whole sentence states nothing; empty where it may."""
    if not marks.words:
        return "nothing is said"
    if _asks(marks):
        return "a question"
    if "laughter" in marks or _LAUGHTER.search(marks.text) or ("talk" in marks and _is_talk(marks)):
        return "small talk"
    if "unsure" in marks or ("if" in marks and "would" in marks):
        return "a guess"
    if "reports" in marks and _of_themselves(marks):
        return "what somebody says of themselves"
    return ""


def _asks(marks: Marks) -> bool:
    if _QUESTION_MARK.search(marks.text) or "asks anywhere" in marks:
        return True
    if marks.at("question", marks.begin):
        return True
    ends = [number + 1 for number, word in enumerate(marks.words) if word in {",", ":", "：", "，"}]
    if any(marks.at("question", _skip(marks, place)) for place in ends):
        return True
    asks = [
        end
        for start, end in marks.places.get("reports", ())
        if start >= 0 and marks.words[start].startswith("ask")
    ]
    return any(marks.at("question", place) for end in asks for place in range(end, end + 3))


def _skip(marks: Marks, place: int) -> int:
    while end := marks.at("opening", place):
        place = end
    return place


def _is_talk(marks: Marks) -> bool:
    """Return whether a word of small talk opens a sentence, or the sentence is short."""
    first = marks.places["talk"][0][0]
    return first <= marks.begin or len(marks.words) <= _MOST_TALK


def _of_themselves(marks: Marks) -> bool:
    """Return whether somebody else is reported to speak of themselves: "he says he hates it"."""
    start, end = marks.places["reports"][0]
    if start > 0 and marks.words[start - 1] in {"i", "we"}:
        return False
    after = end + (marks.words[end : end + 1] == ["that"])
    return bool(marks.at("of themselves", after)) or marks.words[end : end + 1] == [":"]


def _begins(marks: Marks, name: str) -> bool:
    return bool(
        marks.at(name, marks.begin) or marks.at(name, 0) or (-1, 0) in marks.places.get(name, ())
    )


def _behind_order(marks: Marks) -> str:
    """Return what is to be remembered: "note: the gate closes at six" without its first word."""
    end = marks.at("remember", marks.begin) or marks.at("remember", 0)
    if not end:
        return marks.text
    rest = marks.text[marks.ends[end - 1] :].lstrip(" :,-\u2013\u2014").removeprefix("that ")
    return rest if len(rest) > _LEAST_REMEMBERED else ""


def _own_clauses(text: str) -> str:
    """Return a sentence without the orders, questions and small talk at its two ends."""
    bounds = [0]
    for match in _CLAUSE.finditer(text):
        bounds.append(match.end())
    bounds.append(len(text))
    clauses = [(a, b) for a, b in zip(bounds, bounds[1:], strict=False) if text[a:b].strip()]
    while clauses and _passes(text[slice(*clauses[0])]):
        if ":" in text[slice(*clauses[0])].strip()[:-1]:  # what stands behind it is its matter
            return ""
        clauses.pop(0)
    lasting = "standing" in Marks(text)
    while clauses and _passes(text[slice(*clauses[-1])]):
        last = Marks(text[slice(*clauses[-1])])
        if len(clauses) > 1 and (last.at("opening", 0) or (lasting and last.at("setting", 0))):
            break  # "never use names, use numbers", "always in German, please"
        clauses.pop()
    if not clauses:
        return ""
    return text[clauses[0][0] : clauses[-1][1]].strip().rstrip(",;，；–— ")


def _passes(clause: str) -> bool:
    """Return whether a clause is an order of the moment, or small talk."""
    label, colon, rest = clause.partition(": ")
    if colon and len(label.split()) <= _MOST_LABEL and _sets_something(rest):
        return False  # "rate limit: leave it at 300"
    marks = Marks(clause)
    begin = marks.begin
    if _asks(marks):
        return True
    if "orders anywhere" in marks and not ({"standing", "remember"} & set(marks.places)):
        return True
    if (
        not marks.at("order", begin)
        and not marks.at("setting", begin)
        and not marks.at("naming", begin)
    ):
        return begin == 0 and bool(marks.at("opening", 0)) or ("talk" in marks and _is_talk(marks))
    return not (
        _is_noun(marks, begin) or "standing" in marks or _sets(marks, begin) or _contrasts(marks)
    )


def _is_noun(marks: Marks, begin: int) -> bool:
    """Return whether the word that could be an order is a noun: "commit messages are one line"."""
    end = marks.at("order", begin) or marks.at("setting", begin) or begin + 1
    for place in range(end, min(end + 3, len(marks.words))):
        word = marks.words[place]
        if word in _DETERMINERS:
            return False
        if word in _FINITE:
            return True
    return False


_DETERMINERS = frozenset(
    "the a an this that these those my our your it its them me us what which who whether if how why"
    " all every any some , :".split()
)
_PASSIVE = frozenset("be been is are was were get gets being not the a".split())
_FINITE = frozenset(
    "is are was were has have runs goes go lands starts ends takes needs must should will".split()
)


def _sets_something(clause: str) -> bool:
    marks = Marks(clause)
    return _sets(marks, marks.begin)


def _sets(marks: Marks, begin: int) -> bool:
    """Return whether an order names a value that something is to have from now on."""
    if marks.at("naming", begin):
        return bool(_NAME.search(marks.text))
    named = "decided" in marks and bool(_NAME.search(marks.text))
    return bool(marks.at("setting", begin)) and (named or _has_number(marks))


def _contrasts(marks: Marks) -> bool:
    """Return whether "X, not Y" or "instead of" stands in a clause that sets something."""
    begin = marks.begin
    return bool(marks.at("setting", begin)) and (
        "not" in marks.words[begin + 1 :] or "instead" in marks.words or "rather" in marks.words
    )


def _has_number(marks: Marks) -> bool:
    """Return whether a number is a value: no line 40, no five bullet points."""
    words = marks.words
    for place, word in enumerate(words):
        if not (_NUMBER.search(word) or marks.at("number word", place)):
            continue
        before, after = words[place - 1] if place else "", place + 1
        if marks.at("place number", place - 1) if place and before else False:
            continue
        if marks.at("text unit", after):
            continue
        return True
    return False


def _has_value(marks: Marks) -> bool:
    return (
        _has_number(marks)
        or "date word" in marks
        or bool(_NAME.search(marks.text))
        or _opens_with_name(marks)
    )


def _opens_with_name(marks: Marks) -> bool:
    """Return whether the first word is a name: large, in no class, and a verb is near."""
    if not marks.tokens or not marks.tokens[0][0].isupper() or marks.tokens[0].isupper():
        return False
    word = marks.words[0].removesuffix("'s")
    known = word in STOP_WORDS or any(marks.at(name, 0) for name in marks.places)
    return not known and any(marks.at("states", place) for place in range(1, 4))


def _kind(marks: Marks, *, cut: bool) -> tuple[str, str]:
    """Return the kind of statement that some words are, and the word that shows it."""
    if _begins(marks, "remember"):
        return "remember", marks.first("remember")
    if "standing" in marks and "never an order" not in marks:
        return "standing", marks.first("standing")
    if not cut and ({"here", "everywhere"} & set(marks.places)) and _content(marks) >= 3:
        return "standing", "where it holds"
    begin = marks.begin
    if marks.at("setting", begin) or marks.at("naming", begin):
        if not _is_noun(marks, begin) and (_sets(marks, begin) or _contrasts(marks)):
            return "decision", marks.words[begin]
    if "problem" in marks and not ({"decided", "changed"} & set(marks.places)):
        return "", _PROBLEM
    valued = _has_value(marks)
    for name, kind in (("decided", "decision"), ("changed", "correction")):
        if name in marks and (valued or (_content(marks) >= 3 and "question" not in marks)):
            return kind, marks.first(name)
    if "of the user" in marks:
        return "user", marks.first("of the user")
    if "says alone" in marks and (valued or _content(marks) >= 3):
        return "value", marks.first("says alone")
    if "tomorrow" in marks and ({"we", "i", "wir", "ich"} & set(marks.words)):
        return "plan", marks.first("tomorrow")
    unspaced = bool(_UNSPACED.search(marks.text))
    if valued and ("states" in marks or unspaced) and not _happened(marks):
        return "value", marks.first("states")
    if _LABEL.match(marks.text) and valued:
        return "value", "a label"
    if not cut and _has_number(marks) and _content(marks) >= 4 and not _happened(marks):
        return "value", "a number"
    return "", _NOTHING_LASTING


def _content(marks: Marks) -> int:
    return (
        sum(len(word) > 2 for word in marks.words) if marks.text.isascii() else len(marks.text) // 2
    )


def _happened(marks: Marks) -> bool:
    """Return whether a sentence tells what happened."""
    return "happened" in marks or any(
        word.endswith("ed")
        and len(word) > 4
        and not marks.at("states", place)
        and marks.words[place - 1] not in _PASSIVE
        for place, word in enumerate(marks.words)
    )
