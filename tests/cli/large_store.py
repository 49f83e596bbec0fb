"""A store that holds much of everything that is listed, made by SQL in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["make_large_store"]

_SCRIPT = """
create temp table number as
with recursive counting (n) as (select 1 union all select n + 1 from counting where n < {size})
select n, strftime('%Y-%m-%dT%H:%M:%SZ', '2026-01-01', '+' || n || ' minutes') as at from counting;

insert into component (
    name, type, source, label, page, scale, rel_x, rel_y, w, h, confidence, learned_at,
    last_seen_at, seen_count, consecutive_misses
)
select
    'Größe_der_Änderung_der_Überschrift_' || n, 'button', 'dom', 'Save ' || n,
    'page ' || (n % 100), 1, n % 1200, n % 800, 90, 30, 1, at, at, 1 + n % 9, n % 3
from number;

insert into template (component_id, png, sha256, w, h, scale, learned_at)
select n, randomblob(200), hex(randomblob(32)), 90, 30, 1, at from number;

insert into state (
    id, name, page, status, visit_count, first_seen_at, last_seen_at, img_w, img_h, words
)
select
    printf('s_%06x', n), 'Überblick ' || n, 'page ' || n, 'confirmed', 1 + n % 9, at, at, 9, 9, x''
from number where n <= {some};

insert into state_component (state_id, component_id, defining, x, y)
select printf('s_%06x', 1 + n % {some}), n, 1, 0, 0 from number;

insert into transition (
    from_state, action, component_id, to_state, status, successes, recorded_at, last_used_at
)
select
    printf('s_%06x', 1 + n % {some}), 'click', n, printf('s_%06x', 1 + (n * 7) % {some}),
    iif(n % 2 = 0, 'pending', 'committed'), 1, at, at
from number where n <= {some} * 4;

insert into erased_component (erased_at) select at from number where n <= {some};
insert into recall (asked_at, question, hits, duration_ms)
select at, 'What is the naïve question of number ' || n || '?', 1, 1 from number;
insert into session (id, started_at, last_at) select 's' || n, at, at from number;
insert into alias (term, synonym, added_at)
select 'word' || n, 'sense' || n, at from number where n <= {some};
insert into cache (session, name, value, set_at)
select 'default', 'name' || n, 'what is kept there', at from number where n <= {some};
insert into journal_snapshot (session, taken_at, why, entries)
select 'default', at, 'before number ' || n, '[]' from number where n <= {some};
insert into skill (name, status, origin, shape, created_at)
select 'order-number-' || n, 'active', 'recorded', 'shape ' || n, at from number where n <= {some};
insert into candidate (
    text, equal_key, keep_score, standing_order, first_said_at, last_said_at, status
)
select 'Ann ferry line is ' || n, 'key ' || n, 1, 0, at, at, 'dropped' from number
where n <= {some};
insert into fact (
    id, text, category, importance, confidence, source, valid_from, created_at, updated_at,
    equal_key
)
with recursive counting (n) as (
    select 1 where {facts} > 0 union all select n + 1 from counting where n < {facts}
)
select
    printf('f_%012x', n), 'The winch of number ' || n || ' stands at pier ' || (n % 97), 'technical',
    0.8, 'medium', '', at, at, at, 'winch ' || n
from (select n, strftime('%Y-%m-%dT%H:%M:%SZ', '2026-01-01', '+' || n || ' minutes') as at from counting);
"""


def make_large_store(home: Path, size: int = 100_000, app: str = "harbor", facts: int = 0) -> None:
    """Make a store with `size` components, recalls and sessions, and a fiftieth of all else.

    `facts` are more facts, each of words of its own.
    """
    some = max(size // 50, 30)
    with memctl.open(app, home) as memory:
        for n in range(30):
            memory.log(f"Number {n} said the naïve captain", session="a longer thread")
            memory.remember(f"The captain told about the naïve number {n}", participants=["Ann"])
        memory.facts.store([f"Part {n} lies in shelf {n}" for n in range(30)], category="technical")
        memory.facts.store([f"Crane {n} lifts {n} tons" for n in range(30)], confidence="low")
        memory.store.connection().executescript(_SCRIPT.format(size=size, some=some, facts=facts))
