"""Answers of a language model, read strictly: JSON, a line, vectors. Anything else is refused."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from memctl.base.errors import EndpointError
from memctl.base.pattern import Pattern
from memctl.text.fences import looks_recalled

_FENCED = Pattern(
    r"\A[^`]{0,500}```(?:json)?[ \t]*\r?\n(.*?)\r?\n[ \t]*```[^`]{0,500}\Z", re.DOTALL
)


def json_answer(text: str) -> Any:
    """Return the JSON object or list that a model has answered, in a ``json`` fence too.

    Raises EndpointError when the answer is prose, or a bare number or text.
    """
    fenced = _FENCED.match(text.strip())
    answer = _loaded(fenced[1] if fenced else text)
    if not isinstance(answer, (dict, list)):
        raise EndpointError(
            "the model answered with neither a JSON object nor a list",
            hint="ask a model that keeps to JSON: endpoint_model",
        )
    return answer


def line_answer(text: str, *, most: int) -> str:
    """Return the one line that a model has answered, at most so many characters long.

    Raises EndpointError when it is empty, several lines, too long, or recalled memory given back.
    """
    line = text.strip()
    if not line or len(line.splitlines()) > 1 or len(line) > most or looks_recalled(line):
        raise EndpointError(
            f"the model answered with no line of up to {most} characters",
            hint="ask a model that keeps to what it is told: endpoint_model",
        )
    return line


def message_of(body: bytes) -> str:
    """Return the text of a chat's completion; raise EndpointError where there is none."""
    match _loaded(body):
        case {"choices": [{"message": {"content": str(text)}}, *_]}:
            return text
    raise _no_answer()


def vectors_of(body: bytes, count: int) -> list[list[float]]:
    """Return the vectors of `count` texts, in their order; raise EndpointError where they are none.

    All have the same length, and every number in them is finite.
    """
    match _loaded(body):
        case {"data": list(rows)}:
            result = {row["index"]: row["embedding"] for row in rows if _is_vector(row)}
            if sorted(result) == list(range(count)) and len({*map(len, result.values())}) == 1:
                return [result[at] for at in range(count)]
    raise _no_answer()


def _is_vector(row: object) -> bool:
    match row:
        case {"index": int(), "embedding": [_, *_] as numbers}:
            return all(isinstance(x, (int, float)) and math.isfinite(x) for x in numbers)
    return False


def _loaded(text: str | bytes) -> Any:
    """Read JSON; ``None`` where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _no_answer() -> EndpointError:
    return EndpointError(
        "the endpoint answers in no shape of an OpenAI-compatible server",
        hint="memctl config get endpoint_url: it ends as the server wants it, often /v1",
    )
