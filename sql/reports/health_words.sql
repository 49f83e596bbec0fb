-- sqlfluff:dialect:duckdb
-- The second half of the health report: facts, words, pending, ages, sizes.

-- name: facts_by_kind
-- Facts by category
-- All facts, each counted once, by where it stands now; tokens are those of the facts that hold.
-- The tag is what notes of this category are marked with; - is no category.
-- reads fact: id, category
-- follows fact_standing
-- follows held
-- nothing: there are no facts yet
-- store text: which store
-- category text: identity, rule, ...
-- tag text: PREF, PROJ, TECH, LESSON, PEOPLE or TEMP
-- held count: those that hold
-- to_come count: those that begin to hold later
-- pending count: those that wait for a person
-- replaced count: by another, or at their end
-- forgotten count: by hand
-- archived count: put away
-- expired count: hidden since their end
-- spared count: pinned or immutable, of those that hold
-- tokens count: of those that hold
-- oldest_at at: when the oldest that holds was written
with

judged as (

    select
        fact.store,
        coalesce(fact.category, '-') as category,
        fact_standing.standing,
        held.spared,
        held.tokens,
        held.created_at
    from fact
    inner join fact_standing on fact.store = fact_standing.store and fact.id = fact_standing.id
    left join held on fact.store = held.store and fact.id = held.id

)

select
    judged.store,
    judged.category,
    max(category_tag.tag) as tag,
    count(*) filter (where judged.standing = 'held') as held,
    count(*) filter (where judged.standing = 'to come') as to_come,
    count(*) filter (where judged.standing = 'pending') as pending,
    count(*) filter (where judged.standing = 'replaced') as replaced,
    count(*) filter (where judged.standing = 'forgotten') as forgotten,
    count(*) filter (where judged.standing = 'archived') as archived,
    count(*) filter (where judged.standing = 'expired') as expired,
    coalesce(sum(judged.spared), 0)::bigint as spared,
    coalesce(sum(judged.tokens), 0)::bigint as tokens,
    min(judged.created_at) as oldest_at
from judged
left join category_tag on judged.category = category_tag.category
group by judged.store, judged.category
order by judged.store, held desc, judged.category;

-- name: tokens
-- What it would cost to read it all
-- Tokens as memctl's own budgets estimate them, rather too many than too few. What goes into
-- a prompt is chosen by recall and capped; a memory that is small enough to be read whole is
-- one that can still be looked after: 200 facts, 5,000 tokens.
-- reads episode: archived_at, tokens
-- reads setting_in_force: key, value
-- follows held
-- nothing: no store was read
-- store text: which store
-- what text: what is read
-- items count: how many
-- tokens count: what they cost
-- limit_items count: beyond which it is too many
-- limit_tokens count: beyond which it is too much
-- least_id text: the least important of them
with

limits as (

    select
        store,
        max(value) filter (where key = 'context_max_tokens') as most_tokens,
        max(value) filter (where key = 'context_rows') as most_facts
    from setting_in_force
    group by store

),

facts as (

    select
        store,
        count(*) as items,
        sum(tokens) as tokens,
        min_by(id, (importance, number)) filter (where spared = 0) as least_id
    from held
    group by store

)

select
    limits.store,
    'all facts that hold' as what,
    coalesce(facts.items, 0) as items,
    coalesce(facts.tokens, 0)::bigint as tokens,
    200 as limit_items,
    5000 as limit_tokens,
    facts.least_id
from limits
left join facts on limits.store = facts.store
union all
select
    limits.store,
    'facts for one turn, at most' as what,
    least(coalesce(facts.items, 0), limits.most_facts)::bigint as items,
    least(coalesce(facts.tokens, 0), limits.most_tokens)::bigint as tokens,
    limits.most_facts::bigint as limit_items,
    limits.most_tokens::bigint as limit_tokens,
    null as least_id
from limits
left join facts on limits.store = facts.store
union all
select
    store,
    'all living episodes' as what,
    count(*) as items,
    sum(tokens)::bigint as tokens,
    null as limit_items,
    null as limit_tokens,
    null as least_id
from episode
where archived_at is null
group by store
order by store, what;

-- name: pending
-- What waits for somebody
-- Facts that a person has to judge, and acts whose outcome nobody has confirmed, with the screens
-- from which and to which they lead; the oldest first.
-- reads fact: id, text, status, status_why, created_at
-- reads transition: id, from_state, action, to_state, status, recorded_at
-- reads state: id, root
-- follows screen
-- nothing: nothing waits
-- store text: which store
-- kind text: fact or act
-- id text: its id
-- text text: what it says
-- why text: why it waits
-- since_at at: since when
select
    store,
    'fact' as kind,
    id,
    left(text, 120) as text,
    status_why as why,
    created_at as since_at
from fact
where status = 'pending'
union all
select
    transition.store,
    'act' as kind,
    transition.id::varchar as id,
    concat_ws(' ', from_screen.screen, transition.action, to_screen.screen) as text,
    'not confirmed' as why,
    transition.recorded_at as since_at
from transition
left join state as departed
    on transition.store = departed.store and transition.from_state = departed.id
left join screen as from_screen
    on departed.store = from_screen.store and departed.root = from_screen.state_id
left join state as arrived
    on transition.store = arrived.store and transition.to_state = arrived.id
left join screen as to_screen
    on arrived.store = to_screen.store and arrived.root = to_screen.state_id
where transition.status = 'pending'
order by since_at, store, kind, id;

-- name: refusals
-- Secrets that were refused
-- What the guard kept out, by its rule; the texts were never written.
-- reads guard_refusal: rule, tier, day, refusals
-- nothing: nothing was refused
-- store text: which store
-- rule text: which rule refused
-- tier text: what was being written
-- refusals count: how often
-- last_on at: the last day
select
    guard_refusal.store,
    guard_refusal.rule,
    guard_refusal.tier,
    sum(guard_refusal.refusals)::bigint as refusals,
    max(try_cast(guard_refusal.day as date)) as last_on
from guard_refusal
cross join request
where
    try_cast(guard_refusal.day as date) >= user_day(request.since_at)
    and try_cast(guard_refusal.day as date) < user_day(request.until_at)
group by guard_refusal.store, guard_refusal.rule, guard_refusal.tier
order by refusals desc, guard_refusal.store, guard_refusal.rule, guard_refusal.tier;

-- name: sizes
-- What takes up space
-- The file, and what its pages hold; the parts and what is free add up to the file. A table's
-- indexes belong to its part. The write-ahead log is a file of its own, until SQLite copies it
-- into this one.
-- reads file_part: part, bytes
-- follows table_size
-- nothing: no store was read
-- store text: which store
-- part text: what it is
-- bytes bytes: how much
-- share share: of the file
-- measured text: pages; contents where this SQLite does not tell pages: indexes are in other then
with

parts as (

    select
        store,
        bytes,
        measured,
        case
            when entity = 'template' then 'pictures and features of components'
            when entity in ('component', 'state', 'state_component', 'state_text', 'transition')
                then 'components, states and transitions'
            when entity = 'row_key' then 'rows of look-alikes'
            when entity in ('observation', 'sighting') then 'looks and sightings'
            when entity = 'screenshot' then 'kept screenshots'
            when entity = 'log' then 'turns'
            when entity = 'episode' then 'episodes'
            when entity in ('fact', 'fact_history', 'fact_support') then 'facts and their history'
            when entity in ('recall', 'recall_hit') then 'recalls'
            when starts_with(entity, 'memory_fts') then 'word index'
            when starts_with(entity, 'embedding') then 'vectors'
            else 'other'
        end as part
    from table_size
    union all
    select
        store,
        bytes,
        'pages' as measured,
        part
    from file_part
    where part = 'free pages'

),

files as (

    select
        store,
        bytes
    from file_part
    where part = 'file'

),

rests as (

    select
        files.store,
        files.bytes - coalesce(sum(parts.bytes), 0) as bytes,
        min(parts.measured) as measured,
        'other' as part
    from files
    left join parts on files.store = parts.store
    group by files.store, files.bytes

),

everything as (

    select * from parts
    union all
    select * from rests

),

summed as (

    select
        store,
        part,
        sum(bytes)::bigint as bytes,
        min(measured) as measured
    from everything
    group by store, part
    union all
    select
        store,
        part,
        bytes,
        'pages' as measured
    from file_part
    where part <> 'free pages'

)

select
    summed.store,
    summed.part,
    summed.bytes,
    case
        when summed.part <> 'write-ahead log'
            then summed.bytes / nullif(files.bytes, 0)
    end as share,
    summed.measured
from summed
inner join files on summed.store = files.store
order by
    summed.store,
    summed.part <> 'file',
    summed.part = 'write-ahead log',
    summed.bytes desc,
    summed.part;
