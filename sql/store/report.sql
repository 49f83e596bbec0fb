-- What reports load from a store. A line `-- NAME TYPE` describes each column; only those
-- that a question names are computed. A body counts its texts and blobs, and eight bytes a
-- number: what the rows say, without the file's own overhead.

-- name: component
-- id integer
-- name text
-- type text
-- label text
-- page text
-- learned_at at
-- last_seen_at at
-- seen_count integer
-- consecutive_misses integer
-- pinned integer
-- forgotten_at at
select
    id,
    name,
    type,
    label,
    page,
    learned_at,
    last_seen_at,
    seen_count,
    consecutive_misses,
    pinned,
    forgotten_at
from component;

-- name: template
-- id integer
-- component_id integer
-- sha256 text
-- png_bytes integer
-- feature_bytes integer
-- feature_version integer
select
    id,
    component_id,
    sha256,
    length(png) as png_bytes,
    length(features) as feature_bytes,
    feature_version
from template;

-- name: state
-- id text
-- root text: the state that it was merged into in the end, or itself
-- name text
-- page text
-- status text
-- first_seen_at at
-- merged_into text
-- forgotten_at at
select
    state.id,
    state_root.root,
    state.name,
    state.page,
    state.status,
    state.first_seen_at,
    state.merged_into,
    state.forgotten_at
from state
inner join state_root on state.id = state_root.id;

-- name: state_component
-- state_id text
-- component_id integer
select
    state_id,
    component_id
from state_component;

-- name: transition
-- id integer
-- from_state text
-- to_state text
-- status text
select
    id,
    from_state,
    to_state,
    status
from transition;

-- name: observation
-- id integer
-- kind text
-- observed_at at
-- page text
-- state_id text
-- app_version text
-- found integer
-- absent integer
-- learned integer
-- duration_ms real
-- stages text: JSON, milliseconds by stage
select
    id,
    kind,
    observed_at,
    page,
    state_id,
    app_version,
    found,
    absent,
    learned,
    duration_ms,
    stages
from observation;

-- name: sighting
-- observation_id integer
-- component_id integer
-- found integer
-- x integer
-- y integer
-- w integer
-- h integer
-- score real
-- how text
select
    observation_id,
    component_id,
    found,
    x,
    y,
    w,
    h,
    score,
    how
from sighting;

-- name: recall
-- id integer
-- asked_at at
-- question text
-- hits integer
-- unknown_words text: JSON, a list
-- fallback text
-- duration_ms real
-- outcome text
select
    id,
    asked_at,
    question,
    hits,
    unknown_words,
    fallback,
    duration_ms,
    outcome
from recall;

-- name: recall_hit
-- recall_id integer
-- kind text
-- item_id integer
-- fallback integer
-- used_at at
select
    recall_id,
    kind,
    item_id,
    fallback,
    used_at
from recall_hit;

-- name: memory
-- Turns and episodes.
-- kind text: turn or episode
-- id integer
-- happened_at at
-- archived_at at
-- tagged integer: whether an episode has a tag; null for a turn
-- tokens integer: as recall counts them
-- text text
select
    'turn' as kind,
    id,
    logged_at as happened_at,
    archived_at,
    null as tagged,
    memory_tokens(text) as tokens,
    text
from log
union all
select
    'episode' as kind,
    id,
    happened_at,
    archived_at,
    json_array_length(tags) > 0 as tagged,
    memory_tokens(summary) as tokens,
    summary as text
from episode;

-- name: fact
-- number integer
-- id text
-- text text
-- category text
-- source text
-- status text
-- status_why text
-- immutable integer
-- pinned integer
-- valid_to at
-- expires_at at
-- expires_by text
-- archived_at at
-- conflicts_with text
-- created_at at
-- updated_at at
-- equal_key text
-- tokens integer: as the budget of facts counts them
select
    number,
    id,
    text,
    category,
    source,
    status,
    status_why,
    immutable,
    pinned,
    valid_to,
    expires_at,
    expires_by,
    archived_at,
    conflicts_with,
    created_at,
    updated_at,
    equal_key,
    fact_tokens(text) as tokens
from fact;

-- name: guard_refusal
-- rule text
-- tier text
-- day text
-- refusals integer
select
    rule,
    tier,
    day,
    refusals
from guard_refusal;

-- name: arrival
-- What was written on which day, counted here: SQLite sums faster than it could be copied.
-- entity text: the table
-- day text
-- amount integer: rows
-- bytes integer: of their texts and blobs, and eight a number
select
    'component' as entity,
    substr(learned_at, 1, 10) as day,
    count(*) as amount,
    sum(104 + length(cast(name || type || source || coalesce(label, '') as blob))) as bytes
from component
group by substr(learned_at, 1, 10)
union all
select
    'template' as entity,
    substr(learned_at, 1, 10) as day,
    count(*) as amount,
    sum(104 + length(png) + coalesce(length(features), 0)) as bytes
from template
group by substr(learned_at, 1, 10)
union all
select
    'state' as entity,
    substr(first_seen_at, 1, 10) as day,
    count(*) as amount,
    sum(64 + length(ink)) as bytes
from state
group by substr(first_seen_at, 1, 10)
union all
select
    'transition' as entity,
    substr(recorded_at, 1, 10) as day,
    count(*) as amount,
    sum(104 + length(cast(action || coalesce(detail, '') as blob))) as bytes
from transition
group by substr(recorded_at, 1, 10)
union all
select
    'observation' as entity,
    substr(observed_at, 1, 10) as day,
    count(*) as amount,
    sum(164 + length(cast(coalesce(page, '') || coalesce(stages, '') as blob))) as bytes
from observation
group by substr(observed_at, 1, 10)
union all
select
    'sighting' as entity,
    substr(observation.observed_at, 1, 10) as day,
    count(*) as amount,
    sum(72 + length(cast(coalesce(sighting.how, '') as blob))) as bytes
from sighting
inner join observation on sighting.observation_id = observation.id
group by substr(observation.observed_at, 1, 10)
union all
select
    'screenshot' as entity,
    substr(observation.observed_at, 1, 10) as day,
    count(*) as amount,
    sum(8 + length(screenshot.png)) as bytes
from screenshot
inner join observation on screenshot.observation_id = observation.id
group by substr(observation.observed_at, 1, 10)
union all
select
    'log' as entity,
    substr(recorded_at, 1, 10) as day,
    count(*) as amount,
    sum(56 + length(cast(text || details || session || coalesce(speaker, '') as blob))) as bytes
from log
group by substr(recorded_at, 1, 10)
union all
select
    'episode' as entity,
    substr(remembered_at, 1, 10) as day,
    count(*) as amount,
    sum(56 + length(cast(summary || details || tags || participants as blob))) as bytes
from episode
group by substr(remembered_at, 1, 10)
union all
select
    'recall' as entity,
    substr(asked_at, 1, 10) as day,
    count(*) as amount,
    sum(44 + length(cast(question || unknown_words as blob))) as bytes
from recall
group by substr(asked_at, 1, 10)
union all
select
    'recall_hit' as entity,
    substr(recall.asked_at, 1, 10) as day,
    count(*) as amount,
    sum(40 + length(recall_hit.kind)) as bytes
from recall_hit
inner join recall on recall_hit.recall_id = recall.id
group by substr(recall.asked_at, 1, 10)
union all
select
    'fact' as entity,
    substr(created_at, 1, 10) as day,
    count(*) as amount,
    sum(
        120 + length(cast(text || coalesce(subject, '') || coalesce(attribute, '') as blob))
        + length(cast(coalesce(value, '') || source || metadata as blob))
    ) as bytes
from fact
group by substr(created_at, 1, 10)
union all
select
    'fact_history' as entity,
    substr(changed_at, 1, 10) as day,
    count(*) as amount,
    sum(48 + length(cast(coalesce(old_text, '') || coalesce(new_text, '') as blob))) as bytes
from fact_history
group by substr(changed_at, 1, 10);
