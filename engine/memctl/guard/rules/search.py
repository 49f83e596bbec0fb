"""The two questions: does this text hold a secret, and what does it read like without it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from memctl.guard.rules.gate import may_hold_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.guard.rules.custom import CustomRule
    from memctl.guard.rules.hit import Hit
    from memctl.guard.rules.text_view import TextView

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
    suspicious = may_hold_secret(text)
    if not suspicious and not extra:
        return None  # as most texts
    for hit in _hits(text, extra, suspicious=suspicious):
        return hit.rule
    return None


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
        if find_secret(text, extra=extra) is None:
            break
        suspicious = may_hold_secret(text)
        text = _replaced(text, list(_hits(text, extra, suspicious=suspicious, mapped=True)))
    return text


def _hits(
    text: str, extra: Sequence[CustomRule], *, suspicious: bool, mapped: bool = False
) -> Iterator[Hit]:
    """Yield every hit with its span in `text`, or in its plain view where it is not `mapped`."""
    plain_view, rules_hits = _rules()
    view = plain_view(text, mapped=mapped)
    if suspicious:
        yield from rules_hits(view)
    if extra:
        yield from _custom_hits(view, extra)


@cache
def _rules() -> tuple[Callable[..., TextView], Callable[[TextView], Iterator[Hit]]]:
    """Return what texts are seen through, and the rules: many, and most texts never need them."""
    from memctl.guard.rules.rules import hits
    from memctl.guard.rules.text_view import plain_view

    return plain_view, hits


def _custom_hits(view: TextView, extra: Sequence[CustomRule]) -> Iterator[Hit]:
    """Yield what a store's own rules find, in the text and in what it reads like unescaped."""
    from memctl.guard.rules.custom import custom_hits
    from memctl.guard.rules.rules import original
    from memctl.guard.rules.text_view import unescaped

    for one in (view, unescaped(view)):
        if one is not None:
            yield from (original(one, hit) for rule in extra for hit in custom_hits(one, rule))


def _replaced(text: str, hits: Sequence[Hit]) -> str:
    """Replace spans from left to right; of spans that overlap, the union is replaced once."""
    pieces: list[str] = []
    done = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if hit.start >= done:
            pieces += [text[done : hit.start], f"[secret:{hit.rule}]"]
        done = max(done, hit.end)
    return "".join([*pieces, text[done:]])
