"""Compiles the filters of the memory tools to parameterised SQL.

A filter is JSON: ``{"field": value}`` or ``{"field": {"op": value, ...}}``, combined by
``AND``, ``OR`` and ``NOT``, which take lists and nest; keys side by side are ANDed. No
text of a filter becomes SQL: fields are looked up in a table, values and paths are
parameters. What it compiles to is one closed condition that stands beside the scope's,
so a filter may narrow a scope and cannot widen it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import shown
from memctl.base.categories import check_category
from memctl.base.clock import When
from memctl.base.errors import FilterError, UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.search.fact_scope import Condition
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.base.user_zone import UserZone

SQL = statements.load("store/fact_filter")

OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains")
_ORDER = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_JOINERS = ("AND", "OR", "NOT")
_MAX_DEPTH = 20
_MAX_VALUES = 500
# SQLite takes a condition of at most 1,000 levels, and a chain of "and" has one for each part.
_MAX_CONDITIONS = 500
# GLOB takes a pattern of at most 50,000 bytes: up to ten for a letter and its other case.
_MAX_PATTERN = 4_000


# What a key of the metadata is written as where dots in it are no steps: metadata."a.b".c
_QUOTED_KEYS = Pattern(r'(?:"[^"\\]+"|[^".\\]+)(?:\.(?:"[^"\\]+"|[^".\\]+))*')
_KEY = Pattern(r'"[^"]+"|[^".]+')


@dataclass(frozen=True, slots=True)
class _Field:
    column: str
    kind: str  # text, number, flag, time, json
    path: str = ""  # where in the metadata


def _texts(*names: str) -> dict[str, _Field]:
    return {name: _Field(f"fact.{name}", "text") for name in names}


# Both generations' names, and the columns'; `metadata.<key>` comes on top.
FIELDS: Mapping[str, _Field] = {
    **_texts("id", "text", "subject", "attribute", "value", "category", "source", "status"),
    **_texts(
        "confidence", "user_id", "agent_id", "project", "session_id", "superseded_by", "expires_by"
    ),
    "memory_id": _Field("fact.id", "text"),
    "memory_ids": _Field("fact.id", "text"),
    "memory": _Field("fact.text", "text"),
    "keywords": _Field("fact.text", "text"),
    "categories": _Field("fact.category", "text"),
    "run_id": _Field("fact.session_id", "text"),
    "app_id": _Field(f"({SQL.store_address})", "text"),
    "importance": _Field("fact.importance", "number"),
    "pinned": _Field("fact.pinned", "flag"),
    "immutable": _Field("fact.immutable", "flag"),
    "created_at": _Field("fact.created_at", "time"),
    "updated_at": _Field("fact.updated_at", "time"),
    "timestamp": _Field("fact.created_at", "time"),
    "expires_at": _Field("fact.expires_at", "time"),
    "expiration_date": _Field("fact.expires_at", "time"),
    "valid_from": _Field("fact.valid_from", "time"),
    "valid_to": _Field("fact.valid_to", "time"),
}
_EMPTY_IS_ABSENT = frozenset({"user_id", "agent_id", "project", "session_id", "run_id", "source"})


def compile_filter(filters: Mapping[str, Any] | None, zone: UserZone) -> Condition:
    """Return the condition that `filters` mean; a missing or empty filter means all.

    Days in it are of `zone`.

    Raises
    ------
    FilterError
        For an unknown field or operator, a value that the field cannot have, a list or an
        object in it that is empty, or a filter that is nested deeper than 20 or holds more
        than 500 conditions or values.
    """
    condition = Condition()
    if filters:
        condition.sql = _Compiler(condition.parameters, zone).group(filters, 0)
    return condition


def with_categories(
    filters: Mapping[str, Any] | None, categories: Sequence[str]
) -> Mapping[str, Any] | None:
    """Return a filter that `categories` pass only, as well as what it asked before."""
    if not categories:
        return filters
    for category in categories:
        check_category(category)
    wanted: Mapping[str, Any] = {"category": {"in": list(categories)}}
    return {"AND": [wanted, filters]} if filters else wanted


class _Compiler:
    def __init__(self, parameters: dict[str, Any], zone: UserZone) -> None:
        self._parameters = parameters
        self._zone = zone
        self._conditions = 0

    def group(self, filters: Any, depth: int) -> str:
        self._count()
        if not isinstance(filters, Mapping):
            raise FilterError(
                f"a filter is an object, not {type(filters).__name__}",
                hint='{"category": "decision"}',
            )
        if depth > _MAX_DEPTH:
            raise FilterError(f"the filter is nested deeper than {_MAX_DEPTH}")
        _refuse_empty(filters, "a filter in a filter", '{"category": "decision"}')
        parts = [self._part(key, value, depth) for key, value in filters.items()]
        return _joined(parts, "and")

    def _part(self, key: object, value: Any, depth: int) -> str:
        if not isinstance(key, str):
            raise FilterError(f'a filter\'s field is a name, not "{key}"')
        if key.upper() in _JOINERS:
            return self._combined(key.upper(), value, depth)
        if key == "metadata" and isinstance(value, Mapping):
            _refuse_empty(value, '"metadata"', '{"metadata": {"team": "billing"}}')
            return _joined([self._field(f"metadata.{k}", v) for k, v in value.items()], "and")
        return self._field(key, value)

    def _combined(self, joiner: str, value: Any, depth: int) -> str:
        members = [value] if isinstance(value, Mapping) else value
        if not isinstance(members, Sequence) or isinstance(members, str):
            raise FilterError(f'"{joiner}" takes a list of filters')
        _refuse_empty(members, f'"{joiner}"', '{"OR": [{"category": "decision"}]}')
        parts = [self.group(member, depth + 1) for member in members]
        if joiner == "NOT":
            return f"(not {_joined(parts, 'or')})"
        return _joined(parts, joiner.lower())

    def _field(self, name: str, value: Any) -> str:
        target = self._target(name)
        if not isinstance(value, Mapping):
            return self._leaf(
                name, target, "in" if isinstance(value, (list, tuple)) else "eq", value
            )
        _refuse_empty(value, f'"{name}"', '{"importance": {"gte": 0.8}}')
        return _joined([self._leaf(name, target, op, v) for op, v in value.items()], "and")

    def _target(self, name: str) -> _Field:
        if name in FIELDS:
            return FIELDS[name]
        prefix, _, key = name.partition(".")
        if prefix == "metadata" and key:
            path = self._path(name, key)
            return _Field(f"json_extract(fact.metadata, {path})", "json", path)
        raise FilterError(
            f'there is no field "{name}"', hint=one_of(name, [*sorted(FIELDS), "metadata.<key>"])
        )

    def _path(self, name: str, key: str) -> str:
        """Return where a key of the metadata is: that key, else what its dots lead to."""
        if '"' in key or "\\" in key:
            if not _QUOTED_KEYS.fullmatch(key):
                raise FilterError(
                    f"the field '{name}' holds a quote", hint='quote whole keys: metadata."a.b".c'
                )
            return self._parameter(_steps(part.strip('"') for part in _KEY.findall(key)))
        steps = self._parameter(_steps(key.split(".")))
        if "." not in key:
            return steps
        whole = self._parameter(_steps([key]))
        return f"iif(json_type(fact.metadata, {whole}) is null, {steps}, {whole})"

    def _count(self) -> None:
        self._conditions += 1
        if self._conditions > _MAX_CONDITIONS:
            raise FilterError(f"the filter holds more than {_MAX_CONDITIONS} conditions")

    def _leaf(self, name: str, target: _Field, operator: object, value: Any) -> str:
        self._count()
        if operator not in OPERATORS:
            raise FilterError(
                f'"{name}" has an unknown operator "{operator}"',
                hint=one_of(str(operator), OPERATORS),
            )
        if operator in {"in", "nin"}:
            return self._one_of(name, target, str(operator), value)
        if isinstance(value, (Mapping, list, tuple)):
            raise FilterError(f'"{name}" {operator} takes one value, not a {type(value).__name__}')
        if operator in {"contains", "icontains"}:
            return self._contains(name, target, str(operator), value)
        if operator in _ORDER:
            return self._ordered(name, target, str(operator), value)
        same = self._same(name, target, value)
        return same if operator == "eq" else f"(not {same})"

    def _one_of(self, name: str, target: _Field, operator: str, value: Any) -> str:
        if not isinstance(value, (list, tuple)):
            raise FilterError(f'"{name}" {operator} takes a list')
        _refuse_empty(value, f'"{name}" {operator}', '{"category": {"in": ["decision"]}}')
        for _ in value:
            self._count()
        condition = _joined([self._same(name, target, member) for member in value], "or")
        return condition if operator == "in" else f"(not {condition})"

    def _same(self, name: str, target: _Field, value: Any) -> str:
        if value is None:
            return self._absent(name, target)
        if value == "*":
            return f"(not {self._absent(name, target)})"
        if target.kind == "time":
            first, last = self._span(name, value)
            return f"coalesce({target.column} between {first} and {last}, 0)"
        equal = f"({target.column} is {self._value(name, target, value)})"
        if target.kind == "json":
            return f"({equal} or {self._held(target, SQL.list_holds, value)})"
        return equal

    def _absent(self, name: str, target: _Field) -> str:
        empty = f" or {target.column} = ''" if name in _EMPTY_IS_ABSENT else ""
        return f"({target.column} is null{empty})"

    def _ordered(self, name: str, target: _Field, operator: str, value: Any) -> str:
        if target.kind == "time":
            first, last = self._span(name, value)
            bound = first if operator in {"gte", "lt"} else last
        else:
            bound = self._value(name, target, value)
        column = target.column
        # Numbers and texts do not compare: in SQLite every text would be greater.
        alike = f"(typeof({column}) = 'text') = (typeof({bound}) = 'text')"
        return f"coalesce({column} {_ORDER[operator]} {bound} and {alike}, 0)"

    def _contains(self, name: str, target: _Field, operator: str, value: Any) -> str:
        if target.kind in {"time", "number", "flag"}:
            raise FilterError(f'"{name}" is no text or list: {operator} means nothing there')
        if value is None:
            raise FilterError(f'"{name}" {operator} takes a text, not null')
        exact = operator == "contains"
        said = value if isinstance(value, str) else str(value)
        if exact:
            inside = f"coalesce(instr({target.column}, {self._parameter(said)}) > 0, 0)"
        else:
            pattern = self._parameter(f"*{_in_any_case(name, said)}*")
            inside = f"coalesce({target.column} glob {pattern}, 0)"
        if target.kind != "json":
            return inside
        plain = f"(coalesce(json_type(fact.metadata, {target.path}), '') = 'text' and {inside})"
        holds = SQL.list_holds if exact else SQL.list_holds_ignoring_case
        member = value if exact else _in_any_case(name, said)
        return f"({plain} or {self._held(target, holds, member)})"

    def _held(self, target: _Field, sql: str, value: Any) -> str:
        return "exists ({})".format(
            sql.replace(":metadata", "fact.metadata")
            .replace(":path", target.path)
            .replace(":member", self._parameter(value))
        )

    def _span(self, name: str, value: Any) -> tuple[str, str]:
        """Return the first and last second that `value`, a day or a time, means."""
        if not isinstance(value, When):
            raise FilterError(f'"{name}" takes a date such as "2026-11-20"')
        try:
            first, last = (self._zone.told(value, what=name, last=end).at for end in (False, True))
        except UsageError as error:
            raise FilterError(error.message, hint='write "2026-11-20"') from error
        return self._parameter(first), self._parameter(last)

    def _value(self, name: str, target: _Field, value: Any) -> str:
        wanted: tuple[type, ...] = {
            "text": (str,),
            "number": (int, float),
            "flag": (bool, int),
            "json": (str, int, float, bool),
        }[target.kind]
        if not isinstance(value, wanted) or (target.kind == "number" and isinstance(value, bool)):
            raise FilterError(f'"{name}" cannot be {shown(value)}')
        return self._parameter(int(value) if isinstance(value, bool) else value)

    def _parameter(self, value: Any) -> str:
        if len(self._parameters) >= _MAX_VALUES:
            raise FilterError(f"the filter holds more than {_MAX_VALUES} values")
        if isinstance(value, str) and not value.isprintable() and _unpaired(value):
            raise FilterError("the filter holds text that is not Unicode")
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise FilterError("the filter holds a number that is too large")
        name = f"filter_{len(self._parameters)}"
        self._parameters[name] = int(value) if isinstance(value, bool) else value
        return f":{name}"


def _refuse_empty(given: Sized, what: str, example: str) -> None:
    """Refuse a list or object without a member: it would mean all to one reader, none to another."""
    if not given:
        raise FilterError(f"{what} is empty", hint=f"leave it out, or write {example}")


def _steps(keys: Iterable[str]) -> str:
    """Return a path of SQLite's JSON functions."""
    return "$" + "".join(f'."{key}"' for key in keys)


def _joined(parts: list[str], joiner: str) -> str:
    """Join closed conditions into one.

    The most nested comes first: SQLite's parser (3.40) has room for 100 open things, and
    what stands before a bracket stays open for as long as the bracket does.
    """
    if len(parts) == 1:
        return parts[0]
    ordered = sorted(parts, key=_nesting, reverse=True)
    return f"({f' {joiner} '.join(ordered)})"


def _nesting(sql: str) -> int:
    depth = deepest = 0
    for character in sql:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest


def _in_any_case(name: str, text: str) -> str:
    """Return a pattern for GLOB: SQLite's own lower() knows no letter but those of ASCII."""
    if len(text) > _MAX_PATTERN:
        raise FilterError(f'"{name}" icontains takes at most {_MAX_PATTERN} characters')
    letters = ("".join(sorted({c, *_single(c.lower()), *_single(c.upper())})) for c in text)
    return "".join(
        f"[{letter}]" if len(letter) > 1 or letter in "*?[" else letter for letter in letters
    )


def _single(text: str) -> str:
    return text if len(text) == 1 else ""


def _unpaired(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
