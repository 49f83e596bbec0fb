"""Recall policy: whether a prompt is answered from memory unasked, and how much it asks of it.

A prompt that asks for something said earlier ("which port did we pick?", "the usual style") is
answered with what memory has of it. Any other order gets only what it clearly names, and what no
person wrote, or what is too short to mean anything, gets nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.text.own_words import own_words
from memctl.text.sentence_kinds import is_talk
from memctl.text.splitting import is_unspaced

STRATEGIES = ("smart", "always", "manual", "off")

# Letters of a prompt that could mean a memory; what a character of Chinese, Japanese or Korean
# says takes so many letters more.
_SHORT = 5
_MORE_LETTERS = 2
# A longer prompt is a file that was pasted.
_MOST = 2_000
_MACHINE = Pattern(r"(?:^|:)(?:cron|heartbeat|automation|schedule)(?:$|:)", re.IGNORECASE)
_BOOTSTRAP = Pattern(
    r"\A\s*(?:/new|/reset)\b|\bnew session (?:was |has been )?started\b|\bstartup sequence\b|"
    r"\bsession (?:was |has been )?(?:started|reset) via\b",
    re.IGNORECASE,
)
# What asks for a value that was told before, or refers to it as known.
_KNOWN = Pattern(
    r"\b(?:which|who|whom|whose|how (?:long|many|much|often|far|old))\b"
    r"|(?:^|[,:;.?!\n\u2026-]\s*|\b(?:and|on|until|since|tell me|remind me|know|say|says) )"
    r"(?:what|when|where)(?:'s|'re)? "
    r"(?!(?:is |are |was )?(?:this|that|it|wrong|going on|happening|you|(?:can|could|should)\b))"
    r"|\bthe (?:\w+ ){1,2}(?:we|i) \w+"
    r"|\bwe (?:use|agreed on|settled on)\b"
    r"|\b(?:my|our) (?:rules?|conventions?|preferences?|habits?|policy|guidelines?|plans?)\b"
    r"|\b(?:usual|usually|current|as (?:always|before|agreed|discussed|last time)"
    r"|same\b.{0,30}\b(?:as|before|like|again)|remind me|do you (?:remember|recall|know)"
    r"|last time)\b"
    r"|\b(?:wer|wem|(?-i:wen)|wessen|welche[rsnm]?|wann|wie (?:lange?|viele?|oft|hie\u00df)"
    r"|was (?:war|hatte|haben|wollte|hab)\w*|wie (?:immer|vorher|zuvor|besprochen|gehabt|\u00fcblich)"
    r"|\u00fcbliche[nrs]?|letzte[nsr]? (?:mal|woche)|wir (?:nehmen|verwenden|benutzen))\b"
    r"|\b(?:qui\u00e9n|cu\u00e1l(?:es)?|cu\u00e1ndo|d\u00f3nde|cu\u00e1nt[oa]s?|como siempre|quem|quando|quant[oa]s?|qui"
    r"|quel(?:le)?s?|combien|comme d'habitude)\b"
    r"|\u8c01|\u54ea|\u4ec0\u4e48\u65f6\u5019|\u591a\u5c11|\u591a\u4e45|\u51e0[\u70b9\u53f7\u4e2a\u5929]|\u4e0a\u6b21|\u8fd8\u8bb0\u5f97|\u7167\u65e7|\u8001\u6837\u5b50"
    r"|\u8ab0|\u3044\u3064(?!\u3082)|\u3069\u3053|\u3044\u304f\u3064|\u524d\u56de|\u3044\u3064\u3082",
    re.IGNORECASE | re.MULTILINE,
)
_QUESTION = Pattern(
    r"\s*(?:(?:and|so|ok|but|hey|und|y|e) )?(?:what|which|who|whom|whose|when|where|why|how|wer|wem|wann|wo|wie"
    r"|was|warum|welche[rsnm]?|qu\u00e9|qui\u00e9n|cu\u00e1ndo|d\u00f3nde|quem|quando|onde|quanto)(?:'?s)?\b",
    re.IGNORECASE,
)
# What asks how something was, and not how it is.
_PAST = Pattern(
    r"\b(?:did|had|was|were|used to|yesterday|ago|back then|at first|originally|last|damals|gestern"
    r"|letzte[nsr]?|vorher)\b|\u4e0a\u6b21|\u6628\u5929|\u4ee5\u524d|\u4e4b\u524d",
    re.IGNORECASE,
)
# What asks to remember, wherever it was told: "what did we say about ...?", "who was it again?"
_RECOLLECTS = Pattern(
    r"\b(?:did|had|have) (?:we|i) (?:ever )?(?:say|said|agree|agreed|decide|decided|settle|settled|use|note|"
    r"noted|learn|learned|conclude|concluded)\b|\b(?:was|is|were) (?:it|that|he|she|they) again\b"
    r"|\b(?:remember|recall|remind me)\b|\bin (?:another|the other|my other) (?:project|repo)\b"
    r"|\bhaben wir (?:gesagt|beschlossen|vereinbart)\b|\bnochmal\b|\u8fd8\u8bb0\u5f97|\u6211\u4eec\u8bf4\u8fc7",
    re.IGNORECASE,
)
# A question of yes or no that is not asked of the assistant itself: "is the release today?"
_YES_NO = Pattern(
    r"(?:^|[,:;.?!\n]\s*)(?:and |so )?(?:is|are|was|were|did|does|do|has|have|had) (?!you\b|it (?:ok|fine|possible)\b)"
    r"[^.!?\n]*\?",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class PromptReading:
    """A prompt as the policy reads it."""

    text: str  # its author's own words, 2,000 characters at most
    asks: bool = False  # for something said before, or refers to it
    past: bool = False  # asks how something was
    recollects: bool = False  # asks what was said, wherever: other projects are searched, too
    skipped: str = ""  # why nothing is looked for


def read_prompt(prompt: str, strategy: str = "smart", *, trigger: str = "") -> PromptReading:
    """Read from a prompt how it is to be answered from memory; refuse an unknown strategy.

    Parameters
    ----------
    prompt
        The user's message, as a host hands it in.
    strategy
        ``smart``: as the prompt asks; ``always``: any prompt is taken for a question; ``manual`` and
        ``off``: nothing is looked for.
    trigger
        What started the turn: a session's key, or a word such as ``cron``; empty for a person.
    """
    if strategy not in STRATEGIES:
        raise UsageError(f'strategy "{strategy}" is unknown', hint=one_of(strategy, STRATEGIES))
    text = own_words(prompt).text.strip()[:_MOST]
    wants = strategy == "always" or asks_memory(text)
    past = wants and bool(_PAST.search(text))
    recollects = wants and bool(_RECOLLECTS.search(text))
    skipped = _why_skipped(text, strategy, trigger)
    if not skipped and not wants and is_talk(text):
        skipped = "the prompt is small talk"
    return PromptReading(text, wants, past, recollects, skipped)


def asks(text: str) -> bool:
    """Return whether a text begins as a question, whatever it ends with."""
    return bool(_QUESTION.match(text) or _YES_NO.search(text))


def asks_memory(text: str) -> bool:
    """Return whether a text asks for an earlier statement, or refers to it as known."""
    return bool(_KNOWN.search(text) or _YES_NO.search(text))


def _why_skipped(text: str, strategy: str, trigger: str) -> str:
    # A character of Chinese is a word.
    letters = len(text) + _MORE_LETTERS * sum(map(is_unspaced, text[:_SHORT]))
    reasons = {
        "recall is off": strategy == "off",
        "recall is manual: search when it is needed": strategy == "manual",
        f'no person started this turn: "{trigger}"': bool(_MACHINE.search(trigger)),
        "the prompt is too short to mean a memory": letters < _SHORT,
        "the prompt starts a session": bool(_BOOTSTRAP.search(text)),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")
