"""The two questions: does this text hold a secret, and what does it read like without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.secret_rules.accounts import account_hits
from memctl.secret_rules.carriers import carrier_hits
from memctl.secret_rules.codes import code_hits
from memctl.secret_rules.commands import command_hits
from memctl.secret_rules.custom import CustomRule, custom_hits
from memctl.secret_rules.formats import format_hits
from memctl.secret_rules.hit import Hit
from memctl.secret_rules.nearby import nearby_hits
from memctl.secret_rules.private_keys import private_key_hits
from memctl.secret_rules.sentences import sentence_hits
from memctl.secret_rules.statements import statement_hits
from memctl.secret_rules.text_view import TextView, joined_lines, plain_view, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["find_secret", "mask_secrets"]

_MOST_ROUNDS = 4  # masking one secret may uncover another; each round removes at least one


def find_secret(text: str, *, extra: Sequence[CustomRule] = ()) -> str | None:
    """Return the name of the first rule that finds a secret in the text.

    Parameters
    ----------
    text
        Any text, of any length.
    extra
        A store's own rules, asked after the built-in ones.

    Returns
    -------
    str or None
        A name like ``"github-token"`` or ``"password-in-prose"``, never a part of the text;
        None where no rule finds anything.

    Examples
    --------
    >>> find_secret("the wifi password is sunflower42")
    'password-in-prose'
    >>> find_secret("a password must have at least 12 characters") is None
    True
    """
    return next((hit.rule for hit in _hits(plain_view(text), extra)), None)


def mask_secrets(text: str, extra: Sequence[CustomRule] = ()) -> str:
    """Return the text with each secret replaced by ``[secret:RULE]``.

    Parameters
    ----------
    text
        Any text, of any length.
    extra
        A store's own rules, asked after the built-in ones.

    Examples
    --------
    >>> mask_secrets("log in with password hunter2")
    'log in with password [secret:password-in-prose]'
    """
    for _ in range(_MOST_ROUNDS):
        if next(_hits(plain_view(text), extra), None) is None:
            break
        view = plain_view(text, mapped=True)
        text = _replaced(text, list(_hits(view, extra)))
    return text


def _hits(view: TextView, extra: Sequence[CustomRule]) -> Iterator[Hit]:
    """Yield every hit, its span carried back to the view's source."""
    yield from (_original(view, hit) for hit in _direct_hits(view, extra))
    if (plainer := unescaped(view)) is not None:
        yield from (_original(plainer, hit) for hit in _direct_hits(plainer, extra))
    if "\n" in view.text and (joined := joined_lines(view)) is not None:
        yield from (_original(joined, hit) for hit in format_hits(joined))


def _direct_hits(view: TextView, extra: Sequence[CustomRule]) -> Iterator[Hit]:
    yield from private_key_hits(view)
    yield from format_hits(view)
    yield from carrier_hits(view)
    yield from command_hits(view)
    yield from statement_hits(view)
    yield from code_hits(view)
    yield from sentence_hits(view)
    yield from account_hits(view)
    yield from nearby_hits(view)
    for rule in extra:
        yield from custom_hits(view, rule)


def _original(view: TextView, hit: Hit) -> Hit:
    return Hit(hit.rule, *view.original_span(hit.start, hit.end))


def _replaced(text: str, hits: Sequence[Hit]) -> str:
    """Replace spans from left to right; of spans that overlap, the union is replaced once."""
    pieces: list[str] = []
    done = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if hit.start >= done:
            pieces += [text[done : hit.start], f"[secret:{hit.rule}]"]
        done = max(done, hit.end)
    return "".join([*pieces, text[done:]])
