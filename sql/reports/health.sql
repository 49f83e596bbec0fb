-- sqlfluff:dialect:duckdb

-- name: summary
-- What the memory holds
-- Everything counted, by what it is about. A fact is counted once, by where it stands now: one
-- that is still to come, or has expired, does not hold.
-- reads tally: place, area, what, amount
-- follows fact_standing
-- nothing: no store was read
-- store text: which store
-- area text: screens, words, facts or guard
-- what text: what is counted
-- count count: how many there are
with

standings as (

    select
        unnest([13, 14, 15, 16, 17, 18]) as place,
        unnest([
            'facts that hold',
            'facts to come',
            'facts that wait',
            'facts replaced or forgotten',
            'facts archived',
            'facts expired'
        ]) as what,
        unnest([
            ['held'], ['to come'], ['pending'], ['replaced', 'forgotten'], ['archived'], ['expired']
        ]) as standing

),

facts as (

    select
        tally.store,
        standings.place,
        'facts' as area,
        standings.what,
        count(fact_standing.id) as amount
    from tally
    cross join standings
    left join fact_standing
        on
            tally.store = fact_standing.store
            and list_contains(standings.standing, fact_standing.standing)
    where tally.place = 1
    group by tally.store, standings.place, standings.what

),

everything as (

    select
        store,
        place,
        area,
        what,
        amount
    from tally
    union all
    select * from facts

)

select
    store,
    area,
    what,
    amount as count
from everything
order by store, place;

-- name: coverage
-- What is lacking
-- How many of each kind lack what would make them more useful. The memory works without it.
-- reads component: id, label, seen_count, learned_at, forgotten_at
-- reads template: id, feature_version, learned_at
-- reads episode: id, tagged, sourced, happened_at, archived_at
-- follows screen
-- follows held
-- nothing: there is nothing yet that could lack anything
-- store text: which store
-- kind text: components, looks, states, episodes or facts
-- lack text: what they lack
-- total count: how many there are
-- lacking count: how many lack it
-- share share: of them
-- first_id text: the first that lacks it
-- since_at at: since when the oldest of them is there
-- first_ids text: the first three
with

looks as (

    select
        template.store,
        template.id,
        template.learned_at,
        template.feature_version is null
        or template.feature_version < max(template.feature_version) over () as is_outdated
    from template

),

lacks as (

    select
        store,
        'components' as kind,
        'seen again' as lack,
        id as place,
        id::varchar as id,
        learned_at as born_at,
        seen_count < 2 as is_lacking
    from component
    where forgotten_at is null
    union all
    select
        store,
        'components' as kind,
        'a label' as lack,
        id as place,
        id::varchar as id,
        learned_at as born_at,
        label is null as is_lacking
    from component
    where forgotten_at is null
    union all
    select
        store,
        'looks' as kind,
        'newest features' as lack,
        id as place,
        id::varchar as id,
        learned_at as born_at,
        is_outdated as is_lacking
    from looks
    union all
    select
        store,
        'states' as kind,
        'a name' as lack,
        0 as place,
        state_id as id,
        first_seen_at as born_at,
        screen = state_id as is_lacking
    from screen
    where living = 1
    union all
    select
        store,
        'episodes' as kind,
        'a tag' as lack,
        id as place,
        id::varchar as id,
        happened_at as born_at,
        tagged = 0 as is_lacking
    from episode
    where archived_at is null
    union all
    select
        store,
        'episodes' as kind,
        'a source' as lack,
        id as place,
        id::varchar as id,
        happened_at as born_at,
        sourced = 0 as is_lacking
    from episode
    where archived_at is null
    union all
    select
        store,
        'facts' as kind,
        'a source' as lack,
        number as place,
        id,
        created_at as born_at,
        source = '' as is_lacking
    from held
    union all
    select
        store,
        'facts' as kind,
        'a category' as lack,
        number as place,
        id,
        created_at as born_at,
        category is null as is_lacking
    from held

)

select
    store,
    kind,
    lack,
    count(*) as total,
    count(*) filter (where is_lacking) as lacking,
    count(*) filter (where is_lacking) / count(*) as share,
    min_by(id, (place, id)) filter (where is_lacking) as first_id,
    min(born_at) filter (where is_lacking) as since_at,
    array_to_string(min_by(id, (place, id), 3) filter (where is_lacking), ', ') as first_ids
from lacks
group by store, kind, lack
order by store, kind, lack;

-- name: stale
-- Components that were missed when last expected
-- The most missed first. Pinned ones are never forgotten.
-- reads component: id, name, type, page, consecutive_misses, last_seen_at, pinned, forgotten_at
-- nothing: every component was there when it was last expected
-- store text: which store
-- component_id id: its id
-- name text: its name
-- type text: button, icon, ...
-- page text: where it was learned
-- misses count: in a row
-- pinned text: yes or no
-- last_seen_at at: when it was last there
select
    store,
    id as component_id,
    name,
    type,
    page,
    consecutive_misses as misses,
    case when pinned = 1 then 'yes' else 'no' end as pinned,
    last_seen_at
from component
where forgotten_at is null and consecutive_misses > 0
order by misses desc, last_seen_at, store, component_id;

-- name: ambiguous
-- Pictures that are several components
-- Looks, equal to the pixel, of several living components: only their places tell them apart.
-- Components that share several pictures (by day and by night) are told once.
-- reads component: id, name, seen_count, forgotten_at
-- reads template: component_id, sha256
-- nothing: every picture is one component
-- store text: which store
-- components count: how many share the picture
-- pictures count: how many pictures they share
-- names text: theirs
-- ids text: theirs, the most seen first
with

shared as (

    select
        template.store,
        count(*) as components,
        string_agg(component.name, ', ' order by component.seen_count desc, component.id) as names,
        string_agg(
            component.id::varchar, ', '
            order by component.seen_count desc, component.id
        ) as ids
    from template
    inner join component
        on template.store = component.store and template.component_id = component.id
    where component.forgotten_at is null
    group by template.store, template.sha256
    having count(*) > 1

)

select
    store,
    components,
    count(*) as pictures,
    names,
    ids
from shared
group by store, components, names, ids
order by components desc, store, ids;

-- name: duplicates
-- What is remembered twice
-- Facts of one owner that say the same and both hold, and episodes of one day and thread with the
-- same summary and details.
-- reads episode: id, summary, details, thread, happened_at, archived_at
-- follows held
-- nothing: nothing is remembered twice
-- store text: which store
-- kind text: fact or episode
-- copies count: how many there are
-- text text: what they say
-- ids text: theirs, the oldest first
-- since_at at: of the second
with

copies as (

    select
        store,
        'fact' as kind,
        equal_key as same,
        left(text, 80) as text,
        id,
        created_at as born_at,
        number as arrival
    from held
    union all
    select
        store,
        'episode' as kind,
        concat_ws(
            chr(31), user_day(happened_at), coalesce(thread, ''), trim(summary), details
        ) as same,
        left(summary, 80) as text,
        id::varchar as id,
        happened_at as born_at,
        id as arrival
    from episode
    where archived_at is null

)

select
    store,
    kind,
    count(*) as copies,
    min_by(text, arrival) as text,
    string_agg(id, ', ' order by arrival) as ids,
    (array_agg(born_at order by arrival))[2] as since_at
from copies
group by store, kind, same
having count(*) > 1
order by copies desc, store, kind, ids;

-- name: orphans
-- What nothing leads to
-- Living components that belong to no living state, states without a component, and states
-- that no way leads into from another living one, or out of.
-- reads component: id, name, learned_at, forgotten_at
-- reads state: id, root
-- reads state_component: state_id, component_id
-- reads transition: from_state, component_id, to_state, status
-- follows screen
-- nothing: there are no components and no states yet
-- store text: which store
-- kind text: what they are
-- total count: how many living ones there are
-- orphans count: how many of them are alone
-- share share: of them
-- first_id text: the first of them
-- stray count: of these, those that not even a forgotten state has
-- since_at at: since when the oldest stray is there
-- names text: the first three strays, by name
with

parts as (

    select
        screen.store,
        screen.state_id,
        state_component.component_id
    from state_component
    inner join state
        on state_component.store = state.store and state_component.state_id = state.id
    inner join screen on state.store = screen.store and state.root = screen.state_id
    inner join component
        on
            state_component.store = component.store
            and state_component.component_id = component.id
    where component.forgotten_at is null and screen.living = 1

),

placed as (

    select distinct
        store,
        component_id
    from parts

),

kept_by_any as (

    select distinct
        store,
        component_id
    from state_component

),

peopled as (

    select distinct
        store,
        state_id
    from parts

),

ways as (

    select
        transition.store,
        departed.root as from_state,
        arrived.root as to_state
    from transition
    inner join state as departed
        on transition.store = departed.store and transition.from_state = departed.id
    inner join state as arrived
        on transition.store = arrived.store and transition.to_state = arrived.id
    inner join screen as from_screen
        on departed.store = from_screen.store and departed.root = from_screen.state_id
    inner join screen as to_screen
        on arrived.store = to_screen.store and arrived.root = to_screen.state_id
    left join component
        on transition.store = component.store and transition.component_id = component.id
    where
        transition.status = 'committed'
        and departed.root <> arrived.root
        and from_screen.living + to_screen.living = 2
        and component.forgotten_at is null

),

connected as (

    select
        store,
        from_state as state_id
    from ways
    union
    select
        store,
        to_state as state_id
    from ways

),

judged as (

    select
        component.store,
        'components in no state' as kind,
        component.id as place,
        component.id::varchar as id,
        component.name,
        component.learned_at as born_at,
        placed.component_id is null as is_orphan,
        kept_by_any.component_id is null as is_stray
    from component
    left join placed on component.store = placed.store and component.id = placed.component_id
    left join kept_by_any
        on component.store = kept_by_any.store and component.id = kept_by_any.component_id
    where component.forgotten_at is null
    union all
    select
        screen.store,
        'states without a component' as kind,
        0 as place,
        screen.state_id as id,
        screen.screen as name,
        screen.first_seen_at as born_at,
        peopled.state_id is null as is_orphan,
        peopled.state_id is null as is_stray
    from screen
    left join peopled on screen.store = peopled.store and screen.state_id = peopled.state_id
    where screen.living = 1
    union all
    select
        screen.store,
        'states without a transition' as kind,
        0 as place,
        screen.state_id as id,
        screen.screen as name,
        screen.first_seen_at as born_at,
        connected.state_id is null as is_orphan,
        connected.state_id is null as is_stray
    from screen
    left join connected
        on screen.store = connected.store and screen.state_id = connected.state_id
    where screen.living = 1

)

select
    store,
    kind,
    count(*) as total,
    count(*) filter (where is_orphan) as orphans,
    count(*) filter (where is_orphan) / count(*) as share,
    min_by(id, (place, id)) filter (where is_orphan) as first_id,
    count(*) filter (where is_stray) as stray,
    min(born_at) filter (where is_stray) as since_at,
    array_to_string(min_by(name, (place, id), 3) filter (where is_stray), ', ') as names
from judged
group by store, kind
order by store, kind;
