-- What reports load from a store. A line `-- NAME TYPE` describes each column; only those
-- that a question names are computed. What somebody may have said, typed or had on the screen is of
-- the type words: parts of reports hold none of it unless texts are asked for.

-- name: origin
-- address text: what the file says that it is the memory of
select address
from store;

-- name: component
-- id integer
-- name words
-- type text
-- label words
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
-- feature_version integer
-- learned_at at
select
    id,
    component_id,
    sha256,
    feature_version,
    learned_at
from template;

-- name: state
-- id text
-- root text: the state that it was merged into in the end, or itself
-- name text
-- page text
-- first_seen_at at
-- forgotten_at at
select
    state.id,
    state_root.root,
    state.name,
    state.page,
    state.first_seen_at,
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
-- action words
-- component_id integer
-- to_state text
-- status text
-- recorded_at at
select
    id,
    from_state,
    action,
    component_id,
    to_state,
    status,
    recorded_at
from transition;

-- name: observation
-- id integer
-- kind text
-- observed_at at
-- state_id text
-- app_version text
-- found integer
-- absent integer
-- duration_ms real
-- stages text: JSON, milliseconds by stage
-- scale real
-- window_x real: left edge of the window, in pixels of the screenshot
-- window_y real: its top edge
select
    id,
    kind,
    observed_at,
    state_id,
    app_version,
    found,
    absent,
    duration_ms,
    stages,
    scale,
    coalesce(json_extract(window_box, '$[0]'), 0) as window_x,
    coalesce(json_extract(window_box, '$[1]'), 0) as window_y
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
-- Those that nobody asked to forget.
-- id integer
-- asked_at at
-- question words
-- hits integer
-- unknown_words words: JSON, a list
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
from recall
where forgotten_at is null;

-- name: alias
-- term words
-- synonym words
select
    term,
    synonym
from alias;

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

-- name: injection
-- Blocks that were put into prompts.
-- id integer
-- hook text: what put it there
-- tokens integer
-- injected_at at
-- told integer: rows in it
-- used integer: of these, used by a reply or named by feedback
select
    injection.id,
    injection.hook,
    injection.tokens,
    injection.injected_at,
    count(injected_row.name) as told,
    count(injected_row.used_at) as used
from injection
left join injected_row on injection.id = injected_row.injection_id
group by injection.id;

-- name: memory
-- Turns and episodes.
-- kind text: turn or episode
-- id integer
-- happened_at at
-- archived_at at
select
    'turn' as kind,
    id,
    logged_at as happened_at,
    archived_at
from log
union all
select
    'episode' as kind,
    id,
    happened_at,
    archived_at
from episode;

-- name: recalled
-- How each turn, episode or fact that was ever recalled begins.
-- kind text: turn, episode or fact
-- id integer
-- known_as text: the id that commands take
-- text words
select
    'turn' as kind,
    id,
    cast(id as text) as known_as,
    substr(text, 1, 120) as text
from log
where
    id in (
        select recall_hit.item_id
        from recall_hit
        where recall_hit.kind = 'turn'
    )
union all
select
    'episode' as kind,
    id,
    cast(id as text) as known_as,
    substr(summary, 1, 120) as text
from episode
where
    id in (
        select recall_hit.item_id
        from recall_hit
        where recall_hit.kind = 'episode'
    )
union all
select
    'fact' as kind,
    number as id,
    id as known_as,
    substr(text, 1, 120) as text
from fact
where
    number in (
        select recall_hit.item_id
        from recall_hit
        where recall_hit.kind = 'fact'
    );

-- name: episode
-- id integer
-- summary words
-- details words
-- thread words
-- happened_at at
-- tagged integer: 1 where it has a tag
-- sourced integer: 1 where it says where it comes from
-- archived_at at
-- tokens integer: as recall counts them
select
    id,
    summary,
    details,
    thread,
    happened_at,
    json_array_length(tags) > 0 as tagged,
    coalesce(source, '') <> '' as sourced,
    archived_at,
    memory_tokens(summary || char(10) || details) as tokens
from episode;

-- name: fact
-- number integer
-- id text
-- text words
-- category text
-- importance real
-- source words
-- status text
-- status_why words
-- immutable integer
-- pinned integer
-- user_id words
-- agent_id words
-- project words
-- session_id words
-- valid_from at
-- valid_to at
-- expires_at at
-- expires_by text
-- archived_at at
-- created_at at
-- updated_at at
-- equal_key words
-- tokens integer: as the budget of facts counts them
select
    number,
    id,
    text,
    category,
    importance,
    source,
    status,
    status_why,
    immutable,
    pinned,
    user_id,
    agent_id,
    project,
    session_id,
    valid_from,
    valid_to,
    expires_at,
    expires_by,
    archived_at,
    created_at,
    updated_at,
    equal_key,
    memory_tokens(text) as tokens
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

-- name: skill
-- id text
-- name text
-- origin text
-- status text
-- acts integer: steps that act; reading a result is none
-- shown_looks integer
-- shown_seconds real
select
    skill.id,
    skill.name,
    skill.origin,
    skill.status,
    (
        select count(*)
        from skill_step
        where skill_step.skill_id = skill.id and skill_step.action <> 'read'
    ) as acts,
    skill.shown_looks,
    skill.shown_seconds
from skill;

-- name: skill_run
-- skill_id text
-- status text: one that was done, and that a person called wrong, counts as failed
-- looks integer
-- seconds real
-- started_at at
-- recovered integer: steps that were done by another way than the one that was shown
select
    skill_run.skill_id,
    iif(
        skill_run.status = 'done' and skill_run.feedback = 'wrong', 'failed', skill_run.status
    ) as status,
    skill_run.looks,
    skill_run.seconds,
    skill_run.started_at,
    (
        select count(*)
        from skill_run_step
        where skill_run_step.run_id = skill_run.id and skill_run_step.outcome = 'recovered'
    ) as recovered
from skill_run;
