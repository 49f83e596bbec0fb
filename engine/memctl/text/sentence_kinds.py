"""Judgement of a sentence: which kind of statement it is, or why it is none that is kept at once.

The words that decide are a table, ``statement_words.txt``, looked up by word and phrase: hardly any
regular expression is made, so that a prompt that states nothing costs little.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern
from memctl.text.closed_words import STOP_WORDS
from memctl.text.splitting import CHINESE_JAPANESE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

COMMAND = "a command to the assistant"
_NOTHING = "nothing that lasts is said"
_PROBLEM = "what goes wrong at the moment"

_LONGEST_PHRASE = 4
_MOST_TALK = 6  # words of a sentence that a word of small talk makes all of it
_MOST_LABEL = 5  # words before a colon
_MOST_TAIL = 4  # words of a sentence that only completes the one before
_LEAST_CONTENT = 3  # longer words of a statement without a value
_LEAST_PAST = 5  # letters
_LEAST_REMEMBERED = 7  # characters
_PLAIN = str.maketrans("\u2019\uff0c\uff1a\uff1b\uff1f", "',:;?")
_TOKEN = Pattern(r"[^\W_]+(?:['.:_/@+-]+[^\W_]+)*%?|[?;:,]")
_CLAUSE = Pattern(
    r"\s*(?:[,;]|\s[\u2013\u2014-]\s|\.{3}|\u2026)\s*|\s+(?=(?:and|but|so|then|und|y|e|et)\s)"
)
_LAUGHTER = Pattern("[\U0001f300-\U0001faff\u2600-\u27bf]|[:;]-?[)D(P](?:\\s|$)")
_ASKED = Pattern(r"[?\u061f]\s*[\"')\u201d]*\s*$")
# A name inside of a sentence, and what is spelled as names in programs are.
_NAME = Pattern(
    r"(?<![.!?\n]\s)(?<!^)(?<![\w'])[A-Z\u00c0-\u00de][^\W\d_]*[a-z\u00df-\u00ff]\w*|\b\w*[a-z]\w*[_\d]\w*|\b[a-z]+[A-Z]\w*"
)
_LABEL = Pattern(r"[^\W\d][\w /-]{2,40}: \S")
_UNSPACED = Pattern(f"[{CHINESE_JAPANESE}]")
_ROUGHLY = Pattern(r"(?<!bzw)[.!?]\s+|\n+|[\u3002\uff01\uff1f]")
_TOLD = Pattern(r"(?i)(?:(?:i|we) )?told (?:the )?\w+ (?:that )?(?=the|our|my|we|it)")
_DAY = Pattern(
    r"(?i)\d{1,2}\.? (?:jan|feb|m[a\u00e4]r|apr|ma[yi]|ju[nl]|aug|sep|o[ck]t|nov|de[cz])"
)
# A thing to be made: "script that counts them", "menu draft".
_MADE = Pattern(r"((?:\S+ ){1,3}?)(?:(?:that|which) \S+s\b|draft(?: ,|$))")
_DETERMINERS = frozenset(["my", "your", "its", "them", "us", "what", "which", "who", "whether", ",", ":"]) | (
    frozenset(["the", "a", "an", "this", "that", "these", "those", "our", "it", "me", "if", "how", "why", "all"])
)  # fmt: skip
# An order for every time; one thing and not another; "6g for the executors"; what is said elsewhere.
_LASTING = Pattern(
    r"keep (?!th|it|my|our|hi)(?:\S+ )?\S+s (?:under|below|within|above|at) |\S+ (?:every|any|each)\S* .*\bas "
)
_WEIGHED = Pattern(r"(?:\S+ ){2,}, not |.*\bfirst\b.*\bsecond\b")
_ASSIGNED = Pattern(r"\d\S* (?:\S+ )?for (?:the|each|every|all|our) ")
_ELSEWHERE = Pattern(r".*\bthe same\b(?!.* as )|(?:like|same) ")
# Words as they are typed in haste.
_SPELT = {"w": "with", "im": "i'm"} | (
    {f"{word}s": f"{word}'s" for word in ("what", "who", "how", "where", "when", "that")}
    | {f"{word}nt": f"{word}n't" for word in ("do", "does", "did", "is", "are", "was", "has", "ca", "wo")}
)  # fmt: skip
_MOMENT = frozenset(["today", "tonight", "again"])
_PRAISE = frozenset(
    ["good", "great", "nice", "perfect", "better", "fine", "green", "works", "done"]
)
_FINITE = frozenset(["are", "were", "have", "go", "must", "should", "will"])
_PASSIVE = frozenset(
    ["be", "been", "is", "are", "was", "were", "get", "gets", "being", "not", "the", "a"]
)
_VERBS = frozenset(["states", "decided", "happened", "language"])
_TALK = frozenset(["small talk", "a guess"])


class Judgement(NamedTuple):
    """The verdict on a sentence.

    Its kind is ``remember``, ``standing``, ``decision``, ``correction``, ``user``, ``value`` or ``plan``;
    empty where it is not kept at once.
    """

    kind: str
    text: str  # without the orders and the small talk around what it states
    why: str  # the word that decided, or why it is not kept
    everywhere: bool = False  # it says of itself that it holds in all projects
    here: bool = False  # or in this one alone
    of_user: bool = False  # it tells of who says it

    @property
    def refused(self) -> str:
        """Why it is nothing to keep, whatever else speaks for it; empty where it may be."""
        return "" if self.kind or self.why in {_NOTHING, _PROBLEM} else self.why


class WordMarks:
    """The classes of the words of a sentence, with the places of their first and last words."""

    def __init__(self, text: str) -> None:
        self.text = text
        matches = list(_TOKEN.finditer(text.translate(_PLAIN)))
        self.tokens = [match[0] for match in matches]
        self.ends = [match.end() for match in matches]
        self.words = [_SPELT.get(word, word) for word in map(str.lower, self.tokens)]
        self.places: dict[str, dict[int, int]] = {}
        self.language = _language(self.words)
        for language in dict.fromkeys(("en", self.language)):
            self._look_up(_tables()[language])
        self.unspaced = not text.isascii() and bool(_UNSPACED.search(text))
        for phrase, names in _tables()["cjk"].items() if self.unspaced else ():
            if phrase in text:
                for name in names:
                    self.places.setdefault(name, {})[0] = 0  # wherever it stands
        self.begin = self.behind_opening(0)
        self.line = " ".join(self.words[self.begin :])

    def _look_up(self, table: Mapping[str, Sequence[str]]) -> None:
        for start in range(len(self.words)):
            for length in range(1, min(_LONGEST_PHRASE, len(self.words) - start) + 1):
                for name in table.get(" ".join(self.words[start : start + length]), ()):
                    self.places.setdefault(name, {})[start] = start + length

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def at(self, place: int, *names: str) -> bool:
        """Return whether a word or phrase of one of the classes begins at a place."""
        return any(place in self.places.get(name, ()) for name in names)

    def begins(self, *names: str) -> bool:
        """Return whether the sentence begins with one of the classes."""
        return self.at(self.begin, *names) or self.at(0, *names)

    def first(self, name: str) -> str:
        """Return the first words of a class, or its name."""
        start, end = next(iter(self.places.get(name, {0: 0}).items()))
        return " ".join(self.words[start:end]) or name

    def behind_opening(self, place: int) -> int:
        """Return the place behind words that only open a sentence; the same where nothing follows."""
        at = place
        while at < len(self.words):
            if at in self.places.get("opening", ()):
                at = self.places["opening"][at]
            elif self.words[at] in {",", ":", ";"}:
                at += 1
            else:
                return at
        return place


@cache
def _tables() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return, by language, the classes of each word and phrase."""
    result: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, lines in table_in("memctl.text", "statement_words.txt").items():
        for language, entries in lines.items():
            table = result.setdefault(language, {})
            for entry in entries.split(", "):
                table[entry] = (*table.get(entry, ()), name)
    return result


def _language(words: Iterable[str]) -> str:
    """Return the language that most of the words of grammar belong to; English in doubt."""
    counts = {
        language: sum("language" in table.get(word, ()) for word in words)
        for language, table in _tables().items()
    }
    return max(counts, key=lambda language: (counts[language], language == "en"))


def judge(text: str) -> Judgement:
    """Return the verdict on one sentence of a person."""
    whole = WordMarks(text)
    announces = text.rstrip().endswith((":", "\uff1a"))
    asked_for = whole.begins("remember") and not announces
    why = (
        "nothing is said" if announces or not whole.words else "" if asked_for else _nothing(whole)
    )
    if why:
        return Judgement("", text, why)
    own = _behind_order(whole) if asked_for else _own_clauses(_TOLD.sub("", text, count=1))
    if not own:
        return Judgement("", text, COMMAND)
    marks = whole if own == text else WordMarks(own)
    kind, why = (
        ("remember", whole.first("remember")) if asked_for else _kind(marks, cut=own != text)
    )
    return Judgement(kind, own, why, "everywhere" in marks, "here" in marks, "of the user" in marks)


def completes(text: str) -> bool:
    """Return whether a short sentence only completes the one before: its value, its scope, its assent."""
    marks = WordMarks(text)
    value = _has_number(marks) and not {"states", "changed"} & marks.places.keys()
    complete = value or marks.at(0, "decided") or "here" in marks or "everywhere" in marks
    alone = len(marks.words) > _MOST_TAIL or marks.begins("order", "setting", "pronoun")
    return complete and not alone and not _nothing(marks)


def may_state(text: str) -> bool:
    """Return whether anything in a message may be worth keeping at once: a look without cutting it."""
    parts = [part for part in _ROUGHLY.split(text) if part.strip()]
    wholes = (". ".join(pair) for pair in pairwise(parts) if completes(pair[1]))
    return any(judge(part).kind for part in (*parts, *wholes))


def is_talk(text: str) -> bool:
    """Return whether a message is small talk, or a guess, and nothing else."""
    whys = [judge(part).why for part in _ROUGHLY.split(text) if part.strip()]
    return bool(whys) and {*whys} <= _TALK


# -- what states nothing ---------------------------------------------------------------------


def _nothing(marks: WordMarks) -> str:
    """Return why a whole sentence states nothing; empty where it may."""
    talk = min(marks.places.get("talk", {_MOST_TALK: 0}))
    short = "talk" in marks and (talk <= marks.begin or len(marks.words) <= _MOST_TALK)
    if _asks(marks):
        return "a question"
    if short or "laughter" in marks or _LAUGHTER.search(marks.text):
        return "small talk"
    if "unsure" in marks or ("if" in marks and "would" in marks):
        return "a guess"
    if _wanted(marks):
        return COMMAND
    return "what somebody says of themselves" if _of_themselves(marks) else ""


def _wanted(marks: WordMarks) -> bool:
    """Return whether a thing is named that is to be made, in bare nouns."""
    made = _MADE.match(marks.line)
    nouns = range(marks.begin, marks.begin + len(made[1].split()) if made else 0)
    classes = marks.places.keys() - {"order"}
    return made is not None and not any(
        marks.words[place].endswith("ed") or marks.at(place, *classes) for place in nouns
    )


def _asks(marks: WordMarks) -> bool:
    ends = [place + 1 for place, word in enumerate(marks.words) if word in {",", ":"}]
    asked = [
        end + more
        for start, end in marks.places.get("reports", {}).items()
        if marks.words[start : start + 1] and marks.words[start].startswith("ask")
        for more in range(3)
    ]
    places = [marks.begin, 0, *map(marks.behind_opening, ends), *asked]
    return bool(_ASKED.search(marks.text)) or any(marks.at(place, "question") for place in places)


def _of_themselves(marks: WordMarks) -> bool:
    """Return whether somebody else is quoted on themselves: "he thinks he hates it"."""
    start, end = next(iter(marks.places.get("reports", {0: 0}).items()))
    if not end or marks.words[start - 1 : start] in (["i"], ["we"]):
        return False
    after = end + (marks.words[end : end + 1] == ["that"])
    return marks.at(after, "of themselves") or marks.words[end : end + 1] == [":"]


# -- what a sentence states, without what stands around it -----------------------------------


def _behind_order(marks: WordMarks) -> str:
    """Return the text to remember: "note: the gate closes at six" without its first word."""
    places = marks.places["remember"]
    end = places.get(marks.begin) or places.get(0)
    if not end:
        return marks.text
    rest = marks.text[marks.ends[end - 1] :].lstrip(" :,-\u2013\u2014").removeprefix("that ")
    return rest if len(rest) > _LEAST_REMEMBERED else ""


def _own_clauses(text: str) -> str:
    """Return a sentence without the orders, questions and small talk at its two ends."""
    bounds = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    clauses = [
        (start, WordMarks(text[start:end]))
        for start, end in pairwise(bounds)
        if text[start:end].strip()
    ]
    lasting = any("standing" in clause for _, clause in clauses)
    ordered = False
    while clauses and (_passes(clauses[0][1], first=True) or (ordered and _adds(clauses[0][1]))):
        if ":" in clauses[0][1].words[:-1]:  # what stands behind it is its matter
            return ""
        if clauses[1:] and "standing" in clauses[1][1] and _content(clauses[1][1]) < _LEAST_CONTENT:
            break  # "write tests first, always"
        ordered = ordered or clauses[0][1].begins("order")
        clauses.pop(0)
    while clauses and _passes(clauses[-1][1]):
        last = clauses[-1][1]
        if clauses[1:] and ("instead" in last.words or (lasting and last.at(0, "setting"))):
            break  # "never use names, use numbers"
        clauses.pop()
    if not clauses:
        return ""
    end = clauses[-1][0] + len(clauses[-1][1].text)
    return text[clauses[0][0] : end].strip().rstrip(",;\uff0c\uff1b\u2013\u2014 ")


def _adds(marks: WordMarks) -> bool:
    """Return whether a clause behind an order only names whom or what it is for."""
    states = not {"states", "decided", "changed"}.isdisjoint(marks.places)
    return not states or marks.line.startswith("that ") or marks.line[0].isdigit()


def _passes(marks: WordMarks, *, first: bool = False) -> bool:
    label, colon, rest = marks.text.partition(": ")
    few = colon and len(label.split()) <= _MOST_LABEL
    if few and (_sets(WordMarks(rest)) or _DAY.match(rest)):
        return False  # "rate limit: leave it at 300", "book fair: 28 nov"
    if _asks(marks):
        return True
    if marks.begins("order", "setting", "naming"):
        return not (_is_noun(marks) or "standing" in marks or _sets(marks) or _lasts(marks))
    opens = first and marks.at(0, "opening") and not marks.behind_opening(0)
    return opens or ("talk" in marks and _nothing(marks) == "small talk")


def _is_noun(marks: WordMarks) -> bool:
    """Return whether the word that could be an order is a noun: "commit messages are one line"."""
    following = marks.words[marks.begin + 1 :][:3]
    if following and following[0].endswith("ed") and marks.at(marks.begin + 1, "changed"):
        return True
    for place, word in enumerate(following, marks.begin + 1):
        if word in _DETERMINERS:
            return False
        if word in _FINITE or (word.endswith("s") and marks.at(place, "states")):
            return True
    return False


def _lasts(marks: WordMarks) -> bool:
    """Return whether an order is one for every time: "sign everything as Bia", "keep titles under 50"."""
    return marks.begins("order", "setting") and bool(_LASTING.match(marks.line))


def _sets(marks: WordMarks) -> bool:
    """Return whether an order names what shall apply: a value, a name, or one thing and not another."""
    after = marks.words[marks.begin + 1 :]
    if marks.begins("naming"):
        return bool(_NAME.search(marks.text))
    passes = after[:1] == ["me"] or " for now" in marks.line
    if not marks.begins("setting") or "place number" in marks or passes:
        return False
    named = "decided" in marks and bool(_NAME.search(marks.text))
    return named or _has_number(marks) or not {"not", "instead", "rather"}.isdisjoint(after)


# -- which kind it is ------------------------------------------------------------------------


def _kind(marks: WordMarks, *, cut: bool) -> tuple[str, str]:
    """Return the kind of statement that some words are, and the word that shows it."""
    if _ELSEWHERE.match(marks.line):
        return "", _NOTHING
    lasting = not {"standing", "decided", "changed"}.isdisjoint(marks.places)
    if "problem" in marks and not (lasting or _WEIGHED.match(marks.line)):
        return "", _PROBLEM
    kinds = ((kind, marks.first(name)) for holds, kind, name in _kinds(marks, cut=cut) if holds)
    return next(kinds, ("", _NOTHING))


def _kinds(marks: WordMarks, *, cut: bool) -> Iterator[tuple[object, str, str]]:
    """Yield the condition of each kind, in their order: whether it is met, the kind, the class of words."""
    valued, past = _has_value(marks), _happened(marks)
    wordy = _content(marks) >= _LEAST_CONTENT
    # "Is the" asks where a sentence begins, which is looked at before.
    asks = any(
        at == 0 or marks.words[at] not in _PASSIVE for at in marks.places.get("question", ())
    )
    stated = valued or (wordy and not asks)
    weighs = wordy and not past and _WEIGHED.match(marks.line)
    scoped = not cut and ("here" in marks or "everywhere" in marks)
    yield "standing" in marks and "never an order" not in marks, "standing", "standing"
    yield scoped and stated, "standing", "here"
    yield not _is_noun(marks) and _lasts(marks), "standing", "setting"
    yield not _is_noun(marks) and _sets(marks), "decision", "setting"
    yield ("decided" in marks and stated) or weighs, "decision", "decided"
    moment = not valued and not _MOMENT.isdisjoint(marks.words)
    praised = not valued and not _PRAISE.isdisjoint(marks.words)
    yield "changed" in marks and stated and not (moment or praised), "correction", "changed"
    user = "of the user" in marks and (valued or not past)
    yield user and not moment, "user", "of the user"
    yield "says alone" in marks and stated, "value", "says alone"
    yield "tomorrow" in marks and {"we", "i", "wir", "ich"} & set(marks.words), "plan", "tomorrow"
    states = "states" in marks or marks.unspaced or _opens_with_name(marks)
    states = states or marks.line.startswith("we ")
    yield valued and (states or _LABEL.match(marks.text)) and not past, "value", "states"
    # "Poster, 3 colours" is to be made; what opens with an article, or has its own sentence, is told.
    whole = marks.at(0, "language") or ". " in marks.text
    number = _has_number(marks if whole else WordMarks(marks.text.partition(", ")[0]))
    number = number and not cut and _content(marks) > _LEAST_CONTENT
    assigned = _ASSIGNED.match(marks.line) and not marks.at(marks.begin + 1, "text unit")
    yield assigned, "decision", "number word"
    yield number and not past, "value", "number word"


def _has_number(marks: WordMarks) -> bool:
    """Return whether a number is a value: no line 40, no five bullet points."""
    return any(
        (any(map(str.isdigit, word)) or marks.at(place, "number word"))
        and not marks.at(place - 1, "place number")
        and not marks.at(place + 1, "text unit")
        for place, word in enumerate(marks.words)
    )


def _has_value(marks: WordMarks) -> bool:
    named = "date word" in marks or bool(_NAME.search(marks.text))
    return named or _has_number(marks) or _opens_with_name(marks)


def _opens_with_name(marks: WordMarks) -> bool:
    """Return whether the first word is a name: large, in no class, and a verb is near."""
    first = next(iter(marks.tokens), "a")
    word = first.lower().removesuffix("'s")
    common = word in STOP_WORDS or marks.at(0, *marks.places)
    verb = next(iter(marks.words[1:]), "").endswith("s")
    verb = verb or any(marks.at(place, "states") for place in (1, 2, 3))
    return first.istitle() and not common and verb


def _content(marks: WordMarks) -> int:
    return len(marks.text) // 2 if marks.unspaced else sum(len(word) > 2 for word in marks.words)  # noqa: PLR2004


def _happened(marks: WordMarks) -> bool:
    """Return whether a sentence is of what happened: a verb of the past comes first."""
    ended = (
        place
        for place, word in enumerate(marks.words)
        if (place or not next(iter(marks.words[1:]), "").endswith("s"))  # "failed loads go to Ann"
        and word.endswith("ed") and not word.endswith("eed") and len(word) >= _LEAST_PAST
        and marks.language == "en" and not marks.at(place, "states") and marks.words[place - 1] not in _PASSIVE
    )  # fmt: skip
    past = min([*marks.places.get("happened", ()), *ended], default=None)
    return past is not None and past <= min(marks.places.get("states", ()), default=past)


def is_verb(word: str) -> bool:
    """Return whether a word is a verb, or of grammar: no topic."""
    return any(not _VERBS.isdisjoint(table.get(word, ())) for table in _tables().values())
