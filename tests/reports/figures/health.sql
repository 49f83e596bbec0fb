-- name: summary
select 'screens' as area, 'components' as what, count(*) - count(forgotten_at) as count from component
union all select 'screens', 'components forgotten', count(forgotten_at) from component
union all select 'screens', 'looks of components', count(*) from template
union all select 'screens', 'states', sum(lives) from titled
union all select 'screens', 'transitions between states', count(*) from edge where a <> b or stays
union all select 'screens', 'acts to be confirmed', count(*) from transition where status = 'pending'
union all select 'screens', 'screenshots looked at', count(*) from observation
union all select 'words', 'turns', count(*) - count(archived_at) from log
union all select 'words', 'turns archived', count(archived_at) from log
union all select 'words', 'episodes', count(*) - count(archived_at) from episode
union all select 'words', 'episodes archived', count(archived_at) from episode
union all select 'words', 'recalls', count(*) - count(forgotten_at) from recall
union all select 'facts', 'facts that hold', count(*) from holding
union all select 'facts', 'facts to come', count(*) from coming
union all select 'facts', 'facts that wait', count(*) from fact where status = 'pending'
union all select 'facts', 'facts replaced or forgotten',
    (select count(*) from over) + (select count(*) from fact where status = 'forgotten')
union all select 'facts', 'facts archived', count(*) from shelved
union all select 'facts', 'facts expired',
    (select count(*) from fact) - (select count(*) from holding) - (select count(*) from coming)
    - (select count(*) from fact where status in ('pending', 'forgotten'))
    - (select count(*) from over) - (select count(*) from shelved)
union all select 'guard', 'texts refused', total(refusals) from guard_refusal;

-- name: coverage
with lack (kind, lack, id, place, lacks, born) as (
    select 'components', 'seen again', id, id, seen_count = 1, learned_at from component where forgotten_at is null
    union all
    select 'components', 'a label', id, id, label is null, learned_at from component where forgotten_at is null
    union all
    select 'looks', 'newest features', id, id,
        ifnull(feature_version, -1) <> (select max(feature_version) from template), learned_at
    from template
    union all
    select 'states', 'a name', id, rank() over (order by id), titled.title = id, first_seen_at
    from titled inner join state using (id) where lives
    union all
    select 'episodes', 'a tag', id, id, tags = '[]', happened_at from episode where archived_at is null
    union all
    select 'episodes', 'a source', id, id, ifnull(source, '') = '', happened_at from episode where archived_at is null
    union all
    select 'facts', 'a source', id, number, source = '', created_at from holding
    union all
    select 'facts', 'a category', id, number, category is null, created_at from holding
)

select
    kind, lack, count(*) as total, sum(lacks) as lacking, avg(lacks) as share,
    (
        select cast(id as text) from lack as one
        where one.kind = lack.kind and one.lack = lack.lack and one.lacks
        order by place limit 1
    ) as first_id,
    min(iif(lacks, born, null)) as since_at,
    (
        select group_concat(id, ', ') from (
            select id from lack as one
            where one.kind = lack.kind and one.lack = lack.lack and one.lacks
            order by place limit 3
        )
    ) as first_ids
from lack group by kind, lack;

-- name: stale
select
    id as component_id, name, type, page, consecutive_misses as misses,
    iif(pinned, 'yes', 'no') as pinned, last_seen_at
from component where forgotten_at is null and consecutive_misses;

-- name: ambiguous
with shown as (
    select sha256, component.id, component.name
    from template, component
    where component.id = component_id and forgotten_at is null
    order by sha256, seen_count desc, component.id
),

pictures as (
    select group_concat(name, ', ') as names, group_concat(id, ', ') as ids, count(id) as components
    from shown group by sha256
)

select components, count(*) as pictures, names, ids
from pictures where components > 1 group by ids;

-- name: duplicates
with said (kind, same, text, id, born, nth) as (
    select 'fact', json_array(user_id, agent_id, session_id, ifnull(equal_key, lower(trim(text)))),
        substr(text, 1, 80), id, created_at, number
    from (select * from holding order by number)
    union all
    select 'episode',
        json_array(substr(happened_at, 1, 10), ifnull(thread, ''), trim(summary), details),
        substr(summary, 1, 80), id, happened_at, id
    from (select * from episode where archived_at is null order by id)
)

select
    kind, count(*) as copies,
    (select text from said as first where first.kind = said.kind and first.same = said.same) as text,
    group_concat(id, ', ') as ids,
    (
        select born from said as second
        where second.kind = said.kind and second.same = said.same order by nth limit 1 offset 1
    ) as since_at
from said group by kind, same having count(*) > 1;

-- name: orphans
with judged (kind, id, place, alone, stray, born, name) as (
    select 'components in no state', id, id, id not in (
        select component_id from state_component, root_of
        where root_of.id = state_id and root in (select id from titled where lives)
    ), id not in (select component_id from state_component), learned_at, name
    from component where forgotten_at is null
    union all
    select 'states without a component', id, rank() over (order by id), id not in (
        select root from state_component, root_of, component
        where root_of.id = state_id and component.id = component_id and forgotten_at is null
    ), null, (select min(first_seen_at) from state where state.id = titled.id), title
    from titled where lives
    union all
    select 'states without a transition', id, rank() over (order by id), id not in (
        select a from edge where a <> b union all select b from edge where a <> b
    ), null, (select min(first_seen_at) from state where state.id = titled.id), title
    from titled where lives
)

select
    kind, count(*) as total, sum(alone) as orphans, avg(alone) as share,
    (
        select cast(id as text) from judged as one
        where one.kind = judged.kind and one.alone order by place limit 1
    ) as first_id,
    sum(ifnull(stray, alone)) as stray, min(iif(ifnull(stray, alone), born, null)) as since_at,
    (
        select group_concat(name, ', ') from (
            select name from judged as one
            where one.kind = judged.kind and ifnull(one.stray, one.alone) order by place limit 3
        )
    ) as names
from judged group by kind;

-- name: facts_by_kind
with tag (category, tag) as (
    values ('identity', 'PREF'), ('rule', 'PREF'), ('preference', 'PREF'),
    ('decision', 'PROJ'), ('project', 'PROJ'), ('configuration', 'TECH'),
    ('relationship', 'PEOPLE')
),

sorted as (
    select
        *, ifnull(category, '-') as sort,
        id in (select id from holding) as held,
        id in (select id from coming) as comes,
        id in (select id from over) as ended,
        id in (select id from shelved) as put_away
    from fact
)

select
    sort as category, tag, sum(held) as held, sum(comes) as to_come,
    sum(status = 'pending') as pending, sum(ended) as replaced,
    sum(status = 'forgotten') as forgotten, sum(put_away) as archived,
    sum(not (held or comes or ended or put_away or status in ('pending', 'forgotten'))) as expired,
    sum(held and (pinned or immutable)) as spared, sum(iif(held, tokens_of(text), 0)) as tokens,
    min(iif(held, created_at, null)) as oldest_at
from sorted left join tag on tag.category = sort group by sort;

-- name: tokens
with facts as (select count(*) as items, sum(tokens_of(text)) as tokens from holding)

select
    'all facts that hold' as what, items, tokens, 200 as limit_items, 5000 as limit_tokens,
    (
        select id from holding where not pinned and not immutable
        order by importance, number limit 1
    ) as least_id
from facts
union all
select
    'facts for one turn, at most', min(items, cast(most_items.value as integer)),
    min(tokens, cast(most_tokens.value as integer)),
    cast(most_items.value as integer), cast(most_tokens.value as integer), null
from facts, setting as most_items, setting as most_tokens
where most_items.key = 'context_rows' and most_tokens.key = 'context_max_tokens'
union all
select
    'all living episodes', count(*), sum(tokens_of(summary || char(10) || details)), null, null, null
from episode where archived_at is null;

-- name: pending
select
    'fact' as kind, id, substr(text, 1, 120) as text, status_why as why, created_at as since_at
from fact where status = 'pending'
union all
select
    'act', cast(transition.id as text), a.title || ' ' || action || ' ' || b.title,
    'not confirmed', recorded_at
from transition, root_of as departed, root_of as arrived, titled as a, titled as b
where
    status = 'pending' and departed.id = from_state and a.id = departed.root
    and arrived.id = to_state and b.id = arrived.root;

-- name: refusals
select rule, tier, sum(refusals) as refusals, max(day) as last_on
from guard_refusal, asked
where day >= substr(since, 1, 10) and day || 'T00:00:00Z' < until group by rule, tier;

-- name: sizes
with whole as (
    select page_count * page_size as bytes from pragma_page_count, pragma_page_size
),

parts (part, bytes) as (
    select 'file', bytes from whole
    union all
    select 'pictures and features of components', bytes from weight where entity = 'template'
    union all
    select 'components, states and transitions', sum(bytes) from weight
    where entity in ('component', 'state', 'state_component', 'state_text', 'transition')
    union all
    select 'rows of look-alikes', bytes from weight where entity = 'row_key'
    union all
    select 'looks and sightings', sum(bytes) from weight where entity in ('observation', 'sighting')
    union all
    select 'kept screenshots', bytes from weight where entity = 'screenshot'
    union all
    select 'turns', bytes from weight where entity = 'log'
    union all
    select 'episodes', bytes from weight where entity = 'episode'
    union all
    select 'facts and their history', sum(bytes) from weight
    where entity in ('fact', 'fact_history', 'fact_support')
    union all
    select 'recalls', sum(bytes) from weight where entity in ('recall', 'recall_hit')
    union all
    select 'word index', sum(bytes) from weight where entity glob 'memory_fts*'
    union all
    select 'vectors', sum(bytes) from weight where entity glob 'embedding*'
    union all
    select 'free pages', freelist_count * page_size from pragma_freelist_count, pragma_page_size
)

select part, parts.bytes, parts.bytes * 1.0 / whole.bytes as share, 'pages' as measured
from parts, whole
union all
select 'other', 2 * whole.bytes - sum(parts.bytes),
    (2 * whole.bytes - sum(parts.bytes)) * 1.0 / whole.bytes, 'pages'
from parts, whole
union all
select 'write-ahead log', 0, null, 'pages';
