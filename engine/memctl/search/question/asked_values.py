"""What questions ask for: a person, a time, an amount; or all rows of something, a list."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from memctl.base.pattern import Pattern
from memctl.text.calendar.said_dates import asks_when, tells_time
from memctl.text.closed_words import FORMS, GENERAL_WORDS, STOP_WORDS
from memctl.text.splitting import WORD

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memctl.text.calendar.said_dates import DaySpan

AskedValue = Literal["", "person", "place", "phone", "money", "clock", "time", "number"]

# The first that fits counts.
_ASKED: tuple[tuple[AskedValue, Pattern], ...] = (
    ("person", Pattern(r"\b(?:who|whose|whom|we[rmn]|wessen|quién(?:es)?|quien)\b|谁|誰|哪位")),
    ("place", Pattern(r"\b(?:where|wohin|wo|dónde|donde)\b|哪里|哪裡|哪儿|在哪")),
    (
        "phone",
        Pattern(r"\b(?:phone|telephone|mobile|fax) numbers?\b|telefonnummer|\bteléfono\b|电话"),
    ),
    (
        "money",
        Pattern(
            r"\b(?:how much (?:do|does|did|is|are|was|were|will|would)\b(?! .*\bweigh)|price|cost|costs|"
            r"fee|rent|salary|wage|earn|charge|pay for|was kostet|wie teuer|preis|cuánto (?:cuesta|cobra|"
            r"vale)|precio)\b|多少钱|价格"
        ),
    ),
    ("clock", Pattern(r"\b(?:what time|which hour|um wie viel uhr|a qué hora)\b|几点")),
    (
        "time",
        Pattern(
            r"\b(?:(?:which|what|by which|by what) (?:days?|dates?|months?|year|weekdays?|hours?)|"
            r"how (?:long|early|late|old)|deadline|birthday|cuándo|cuando|wann|wie (?:lange?|alt))\b|"
            r"什么时候|何时|多久"
        ),
    ),
    (
        "number",
        Pattern(
            r"\b(?:how (?:many|much|often|far|big|large|fast|high|heavy|warm|cold|hot)|version|port|pin|"
            r"wie (?:viele?|oft|hoch|weit|schwer|groß)|cuánt[oa]s?)\b|多少|几个|幾"
        ),
    ),
)
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|okt|dez|"
    r"ene|abr|ago|dic)\w*"
)
# What is a date or a time, and no amount.
_DATE = Pattern(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of| de)? {_MONTH}(?: \d{{4}})?|\b{_MONTH} (?:\d{{1,2}}\b|\d{{4}})|"
    r"\b\d{1,2}:\d{2}\b|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:from|at|before|until|by) "
    r"\d{1,2}\b(?! (?:euros?|pounds?|dollars?))",
)
# A place stands behind a word of place; a day or an hour behind the same word is none.
_PLACE = Pattern(
    rf"\b(?:in|at|on|under|behind|beside|next to|from|into|inside|near|above|below|outside|by|to|via|im|am|"
    rf"auf|unter|hinter|neben|bei|nach|zum|zur|en|sobre|bajo|junto a)\s+(?!\d|(?:{_MONTH}|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:montag|dienstag|mittwoch|donnerstag|freitag|"
    r"samstag|sonntag)s?)\b)\w|[在到]",
)
_CLOCK = Pattern(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr|h)\b|\b(?:noon|midnight|mittags?|mitternacht)\b|"
    r"\b(?:at|from|till|until|before|after|to|um|ab|bis) (?:\d{1,2}|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|twelve)\b|[\d一二三四五六七八九十两]点"
)
_WEEKDAYS = Pattern(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun)\w{0,3}\.? ?(?:[-\u2013/,]|to|and) ?(?:mon|tue|wed|thu|fri|sat|sun)"
)
_MONEY = Pattern(
    r"[€$£¥₹]|\b(?:euros?|pounds?|quid|dollars?|usd|eur|gbp|chf|francs?|yen|cents?|pence|free|gratis|"
    r"kostenlos|percent)\b|[%元]"
)
_NUMERAL = Pattern(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|"
    r"half|once|twice|no|none|every|ein(?:e[nmrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|"
    r"dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\b|[一二三四五六七八九十百千两]",
)
_PHONE = Pattern(r"\+?\d[\d /().-]{5,}\d")
_VALUES = {"place": _PLACE, "phone": _PHONE, "money": _MONEY, "clock": _CLOCK}
_ALL = Pattern(
    r"\b(?:all|every|everything|everyone|list|both|each|alle[nrs]?|alles|jede[nrs]?|beide[nrs]?|"
    r"tod[oa]s?|ambos|cada)\b|\b(?:which|what|show|give)(?: \w+){0,2} \w+s\b|\bwhat do we know\b|"
    r"\bsabemos\b|\bwissen wir\b|所有|全部|哪些",
)
# Phrases by which a question asks for all of something, by what it wants of the rows. Of those
# that are ``(?P<ask>...)`` nothing is looked for.
_SMALL = {
    word: number
    for number, words in enumerate(
        (
            "two zwei dos",
            "three drei tres",
            "four vier cuatro",
            "five fünf cinco",
            "six sechs seis",
            "seven sieben siete",
            "eight acht ocho",
            "nine neun nueve",
            "ten zehn diez",
        ),
        2,
    )
    for word in words.split()
}
_TIME_UNIT = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|stunden|tagen?|wochen|monaten?|jahren?)\b"
_ORDERED = Pattern(
    r"\b(?P<ask>(?:(?:the|in which|in what) )?order in which|in (?:which|what) order|in (?:chronological |the right )?"
    r"order(?! to\b)|chronologically|(?:a )?(?:timeline|chronology) of|der reihe nach|chronologisch|"
    r"in (?:welcher|zeitlicher|chronologischer) reihenfolge|en qué orden|por orden)\b|^(?P<ask2>timeline)\b",
    re.IGNORECASE,
)
_COUNTED = Pattern(
    r"\b(?P<ask>how many times|how often (?=did|have|has|had|was|were)|wie oft (?=habe|hat|haben|hatte|war|wurde)|"
    rf"cuántas veces)|\bhow many (?!more\b|{_TIME_UNIT})\w+(?: \w+)? (?:did|have|had|were)\b",
    re.IGNORECASE,
)
_NEWEST = Pattern(
    r"\b(?P<ask>(?:last|latest|newest|most recent|letzten|neuesten|jüngsten|últim[oa]s) "
    rf"(?P<number>{'|'.join(_SMALL)}|\d\d?))\b(?! {_TIME_UNIT})",
    re.IGNORECASE,
)
_WHOLE = Pattern(
    r"\b(?P<ask>summari[sz]e|summary of|sum up|recap|overview of|whole story|fass\w*|zusammen(?:fass\w*)?|"
    r"(?:(?:that|what) was |we )?(?:said|discussed|talked) about|the (?:thread|conversation|discussion) "
    r"(?:about|on))\b|\b(?:everything|all) (?:about|on)\b|^alles (?:über|zu|zum|zur)\b",
    re.IGNORECASE,
)
_HAPPENED = Pattern(
    r"\b(?P<ask>what (?:all )?(?:(?:has |have |had )?(?:happened|changed)(?! (?:to|with)\b)|"
    r"(?:did|do|have|had|has) (?:\w+ ){1,3}?(?:all )?"
    r"(?:do|done|talk(?:ed)? about|say|said|write|written|discuss(?:ed)?|report(?:ed)?)|"
    r"(?:was|were) (?:said|done|going on|discussed)|(?:we|i|you) (?:did|said|discussed|talked about|worked on)|"
    r"went (?:wrong|on))|"
    r"what(?: is| are| was|'?s) (?:(?:coming up|due|planned|scheduled|going on|happening)\b|"
    r"(?=(?:in|on) (?:my|our|the) (?:diary|calendar|agenda|schedule)\b))|"
    r"was (?:haben|habe|hast|hat|ist|war|wurde)\b.* (?:gemacht|getan|besprochen|gesagt|passiert|los|geschehen)|"
    r"was wir .*(?:gemacht|getan|besprochen)(?: haben)?|qué (?:pasó|hicimos|dijimos))\b|"
    r"\b(?:all|everything) (?:that )?(?P<ask2>(?:\w+ ){1,3}?(?:said|wrote|told|did))\b(?! about)",
    re.IGNORECASE,
)
_MINE = Pattern(
    r"\bi (?:brought up|mentioned|asked|said|told|raised|wrote|reported|worked on)\b|"
    r"\bich (?:\w+ ){0,4}(?:gesagt|erwähnt|gefragt|geschrieben|erzählt)\b",
    re.IGNORECASE,
)
_LISTED = Pattern(
    r"^(?:and |please |can you |could you )*(?P<ask>list|liste|zeige?|nenne?|name|enumerate|show(?: me)?(?! me\b)|give me)\b"
    r"(?! (?:an?|how|who|why|where|when|what|which|if|some)\b)(?= \w+)|"
    r"(?<!\bat )(?<!\bafter )\b(?:all|alle[nrs]?|alles|todos|todas|sämtliche\w*)\b(?! (?:day|right|night)\b)|"
    rf"\b(?:every|each|jede[nrs]?|cada)\b(?! (?:\w+day\b|morning|evening|night|other|{_TIME_UNIT}))|"
    r"\b(?P<ask2>everything|everyone|everybody|both|beide[nrs]?|ambos)\b|"
    r"\b(?:which|what)(?: \w+)? \w{2,}[^aius\W]s (?:do|does|did|has|have|had|is|are|was|were)\b|"
    r"\bwelche \w+(?:e|en|er|n|s) (?:haben|hatten|habe|hatte|hat|sind|waren|gibt|gab|wurden)\b|"
    r"\b\w+(?: \w+)?, (?:the |die |der |das )?\w+(?: \w+)?(?:,|,? (?:and|or|und|oder)) \w+|"
    r"\bwhat do we know\b|\bwissen wir\b|所有|全部|哪些",
    re.IGNORECASE,
)
# What leads in the days of a list; whether it goes up to them, and whether these are of it.
_LEADS_IN = Pattern(
    r"\b(?:(?P<upto>before|vor(?: dem)?|antes de|(?P<through>until|till|up to|bis(?: zum| ende)?|hasta))|"
    r"(?:in|of|for|from|during|over|on|this|im|am|vom|vo[nr]|für|de|en)(?: the| this| dem| der)?)\s+$",
    re.IGNORECASE,
)
_LED_IN = Pattern(r"\d| ")
_ONE_DAY = timedelta(days=1)
_A_DAY_ON = date.min + _ONE_DAY
# What a memory is called as a whole: who asks what is in it asks for no row that holds the word.
_MEMORY = frozenset(
    [
        "agenda",
        "calendar",
        "chat",
        "diary",
        "journal",
        "memory",
        "notes",
        "kalender",
        "notizen",
        "tagebuch",
    ]
)
_FOCUS = Pattern(
    r"\b(?:which|what|welche[rsnm]?|qué|cuál)\s+(?:(?:kind|sort|type) of\s+)?([^\W\d_]+)"
)
_CAPITAL = Pattern(r"\b[^\W\d_a-zà-ÿ][a-zà-ÿ]+\b")


def asked_value(question: str) -> AskedValue:
    """Return the kind of value that a question asks for; empty where it asks for none of these."""
    lowered = question.lower()
    for kind, asks in _ASKED:
        if asks.search(lowered):
            return kind
    return "time" if asks_when(question) else ""


def asks_for_all(question: str) -> bool:
    """Return whether a question asks for all of something: "list every", "both", "which rules are"."""
    return _ALL.search(question.lower()) is not None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a question that asks for all of something wants of the rows.

    Parameters
    ----------
    asks
        Where the phrases stand that ask so, and name nothing that a row holds: "list", "in order".
    ordered
        In the order of time.
    newest
        How many of the newest; 0 for all.
    counted
        How many they are: each row counts for one, and needs to hold no number.
    whole
        All that was said of a thing: of a thread that opens with it, the rest, too.
    mine
        What whoever asks said: no reply of an assistant.
    happened
        What happened, was said or done.
    of_days
        Nothing but what happened: all rows of the days that it names, whatever they hold.
    """

    asks: tuple[tuple[int, int], ...]
    ordered: bool = False
    newest: int = 0
    counted: bool = False
    whole: bool = False
    mine: bool = False
    happened: bool = False
    of_days: bool = False


def listing_of(question: str, spans: Sequence[DaySpan] = ()) -> Listing | None:
    """Return the value that a question for all of something wants; ``None`` where it asks for less.

    Parameters
    ----------
    spans
        The days that it names: "the last three days" are no three things.
    """
    patterns = (_ORDERED, _COUNTED, _NEWEST, _WHOLE, _HAPPENED, _LISTED)
    hits = [pattern.search(question) for pattern in patterns]
    ordered, counted, newest, whole, happened, _ = hits
    if newest and any(s.start < newest.end() and newest.start() < s.end for s in spans):
        newest = None
    if not any([ordered, counted, newest, whole, happened and spans, hits[-1]]):
        return None
    named = newest["number"].lower() if newest else "0"
    kept = (ordered, counted, newest, *hits[3:])
    asks = [
        match.span(group)
        for pattern, hit in zip(patterns, kept, strict=True)
        if hit
        for match in pattern.finditer(question)
        for group in pattern.compiled.groupindex
        if group.startswith("ask") and match[group]
    ]
    return Listing(
        tuple(asks),
        ordered is not None,
        _SMALL[named] if named in _SMALL else int(named),
        counted is not None,
        whole is not None,
        _MINE.search(question) is not None,
        happened is not None,
        not any([ordered, counted, newest, whole, hits[-1]]),
    )


def days_of_list(question: str, spans: Sequence[DaySpan]) -> tuple[DaySpan, ...]:
    """Return the days that a list is of: "before July" is all days up to it, "since June" the last one's.

    A month or a season that nothing leads in is a word: "winter tyres" are of no winter.

    Parameters
    ----------
    spans
        The days that the question names, in each year that they may be of.
    """
    result: dict[tuple[int, int, object], DaySpan] = {}
    for span in spans:
        led_in = _LEADS_IN.search(question, 0, span.start)
        if not (span.from_now or led_in or _LED_IN.search(span.words)):
            continue
        if led_in is not None and led_in["upto"]:
            last = span.last if led_in["through"] else max(span.first, _A_DAY_ON) - _ONE_DAY
            span = replace(span, first=date.min, last=last)  # noqa: PLW2901
        key = (span.start, span.end, span.last)
        if key not in result or result[key].first < span.first:
            result[key] = span
    return tuple(result.values())


def names_thing(word: str) -> bool:
    """Return whether a word names something that a row must have: not "happened", not "diary"."""
    forms = (word, *FORMS.get(word, ()))
    return GENERAL_WORDS.isdisjoint(forms) and word not in _MEMORY


def focus_of(question: str) -> str:
    """Return the noun that a question asks for, as "breed" of "what breed is it"; else nothing."""
    for match in _FOCUS.finditer(question.lower()):
        word = str(match[1])
        if word not in STOP_WORDS and word not in GENERAL_WORDS:
            return word
    return ""


def named_things(question: str) -> frozenset[str]:
    """Return the words, in lower case, that a question writes with a capital, the first left out."""
    words = WORD.findall(question)[1:]
    if not any(word.islower() and word not in STOP_WORDS for word in words):
        return frozenset()  # a title, or a shout
    return frozenset(word.lower() for word in words if word[0].isupper() and len(word) > 1)


def has_value(kind: AskedValue, text: str, question_words: Collection[str]) -> bool:
    """Return whether a text has a value of a kind: an amount, somebody whom the question does not name.

    Parameters
    ----------
    question_words
        The words of the question, in lower case.
    """
    lowered = text.lower()
    match kind:
        case "person":
            known = STOP_WORDS | GENERAL_WORDS
            names = (word.lower() for word in _CAPITAL.findall(text))
            return any(name not in question_words and name not in known for name in names)
        case "place" | "phone" | "money" | "clock":
            return _VALUES[kind].search(lowered) is not None
        case "time":
            digit = any(map(str.isdigit, text))
            timed = any(shape.search(lowered) is not None for shape in (_CLOCK, _WEEKDAYS))
            return digit or timed or tells_time(text)
        case _:
            return _NUMERAL.search(_DATE.sub(" ", lowered)) is not None
