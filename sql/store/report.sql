-- What reports load from a store. A line `-- NAME TYPE` describes each column; only those
-- that a question names are computed. A body counts its texts and blobs, and eight bytes a
-- number: what the rows say, without the file's own overhead.

-- name: origin
-- address text: what the file says that it is the memory of
select address
from store;

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
-- feature_version integer
select
    id,
    component_id,
    sha256,
    feature_version
from template;

-- name: state
-- id text
-- root text: the state that it was merged into in the end, or itself
-- name text
-- page text
-- forgotten_at at
select
    state.id,
    state_root.root,
    state.name,
    state.page,
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
-- action text
-- to_state text
-- status text
-- recorded_at at
select
    id,
    from_state,
    action,
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
select
    id,
    kind,
    observed_at,
    state_id,
    app_version,
    found,
    absent,
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

-- name: alias
-- term text
-- synonym text
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
-- How each turn or episode that was ever recalled begins.
-- kind text: turn or episode
-- id integer
-- text text
select
    'turn' as kind,
    id,
    substr(text, 1, 120) as text
from log
where
    id in (
        select item_id
        from recall_hit
        where recall_hit.kind = 'turn'
    )
union all
select
    'episode' as kind,
    id,
    substr(summary, 1, 120) as text
from episode
where
    id in (
        select item_id
        from recall_hit
        where recall_hit.kind = 'episode'
    );

-- name: episode
-- id integer
-- summary text
-- tagged integer: 1 where it has a tag
-- sourced integer: 1 where it says where it comes from
-- archived_at at
-- tokens integer: as recall counts them
select
    id,
    summary,
    json_array_length(tags) > 0 as tagged,
    coalesce(source, '') <> '' as sourced,
    archived_at,
    memory_tokens(summary || char(10) || details) as tokens
from episode;

-- name: fact
-- number integer
-- id text
-- text text
-- category text
-- importance real
-- source text
-- status text
-- status_why text
-- immutable integer
-- pinned integer
-- valid_to at
-- expires_at at
-- expires_by text
-- archived_at at
-- created_at at
-- updated_at at
-- equal_key text
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
    valid_to,
    expires_at,
    expires_by,
    archived_at,
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

-- name: file_part
-- What the bytes of the file are.
-- part text
-- bytes integer
select
    'file' as part,
    pragma_page_count.page_count * pragma_page_size.page_size as bytes
from pragma_page_count
cross join pragma_page_size
union all
select
    'free pages' as part,
    pragma_freelist_count.freelist_count * pragma_page_size.page_size as bytes
from pragma_freelist_count
cross join pragma_page_size
union all
select
    'pictures of components' as part,
    coalesce(sum(length(png)), 0) as bytes
from template
union all
select
    'features for matching' as part,
    coalesce(sum(length(features)), 0) as bytes
from template
union all
select
    'kept screenshots' as part,
    coalesce(sum(length(png)), 0) as bytes
from screenshot
union all
select
    'vectors' as part,
    (
        select coalesce(sum(length(vector)), 0)
        from embedding
    )
    + (
        select coalesce(sum(length(vector)), 0)
        from embedding_word
    ) as bytes
union all
select
    'word index of turns and episodes' as part,
    coalesce(sum(length(block)), 0) as bytes
from episode_fts_data
union all
select
    'word index of facts' as part,
    coalesce(sum(length(block)), 0) as bytes
from fact_fts_data
union all
select
    'texts of turns' as part,
    coalesce(sum(length(cast(text as blob)) + length(cast(details as blob))), 0) as bytes
from log
union all
select
    'texts of episodes' as part,
    coalesce(sum(length(cast(summary as blob)) + length(cast(details as blob))), 0) as bytes
from episode
union all
select
    'texts of facts' as part,
    coalesce(sum(length(cast(text as blob))), 0) as bytes
from fact;

-- name: tally
-- How much there is of everything.
-- place integer: the order to show it in
-- area text
-- what text
-- amount integer
select
    1 as place,
    'screens' as area,
    'components' as what,
    count(*) as amount
from component
where forgotten_at is null
union all
select
    2 as place,
    'screens' as area,
    'components forgotten' as what,
    count(*) as amount
from component
where forgotten_at is not null
union all
select
    3 as place,
    'screens' as area,
    'looks of components' as what,
    count(*) as amount
from template
union all
select
    4 as place,
    'screens' as area,
    'states' as what,
    count(*) as amount
from state
where forgotten_at is null and merged_into is null
union all
select
    5 as place,
    'screens' as area,
    'ways between states' as what,
    count(*) as amount
from transition
where status = 'committed'
union all
select
    6 as place,
    'screens' as area,
    'acts to be confirmed' as what,
    count(*) as amount
from transition
where status = 'pending'
union all
select
    7 as place,
    'screens' as area,
    'screenshots looked at' as what,
    count(*) as amount
from observation
union all
select
    8 as place,
    'words' as area,
    'turns' as what,
    count(*) as amount
from log
where archived_at is null
union all
select
    9 as place,
    'words' as area,
    'turns archived' as what,
    count(*) as amount
from log
where archived_at is not null
union all
select
    10 as place,
    'words' as area,
    'episodes' as what,
    count(*) as amount
from episode
where archived_at is null
union all
select
    11 as place,
    'words' as area,
    'episodes archived' as what,
    count(*) as amount
from episode
where archived_at is not null
union all
select
    12 as place,
    'words' as area,
    'recalls' as what,
    count(*) as amount
from recall
union all
select
    14 as place,
    'facts' as area,
    'facts that wait' as what,
    count(*) as amount
from fact_pending
union all
select
    15 as place,
    'facts' as area,
    'facts replaced or forgotten' as what,
    count(*) as amount
from fact
where status in ('superseded', 'forgotten')
union all
select
    16 as place,
    'guard' as area,
    'texts refused' as what,
    coalesce(sum(refusals), 0) as amount
from guard_refusal;
