-- sqlfluff:dialect:duckdb
-- Steps that several questions share: each becomes a table before the questions are asked.

-- name: life
-- How long each component and fact has lived
-- A component lives from when it was learned to its last sighting. That it is gone is an
-- event only once it was forgotten; one that is still remembered is censored at its last
-- sighting, since nobody has looked at it after that. Its end is the last sighting and not
-- the moment of forgetting, which comes a threshold of misses later and so would measure how
-- often somebody looked. A fact lives from when it was written until it was replaced,
-- forgotten, archived or expired; one that still holds is censored now.
-- reads component: id, type, page, learned_at, last_seen_at, forgotten_at
-- reads observation: id, observed_at
-- reads sighting: observation_id, component_id, found
-- reads fact: category, status, immutable, pinned, expires_at, expires_by
-- reads fact: archived_at, created_at, updated_at
-- store text: which store
-- kind text: component or fact
-- type text: of the component, or category of the fact
-- page text: where it was learned
-- days days: how long it has lived
-- gone count: 1 where its end is known, 0 where it is censored
with

last_sightings as (

    select
        sighting.store,
        sighting.component_id,
        max(observation.observed_at) as seen_at
    from sighting
    inner join observation
        on sighting.store = observation.store and sighting.observation_id = observation.id
    cross join request
    where sighting.found = 1 and observation.observed_at < request.until_at
    group by sighting.store, sighting.component_id

),

components as (

    select
        component.store,
        'component' as kind,
        component.type,
        component.page,
        component.learned_at as born_at,
        coalesce(last_sightings.seen_at, component.last_seen_at) as end_at,
        coalesce(component.forgotten_at < request.until_at, false) as is_gone
    from component
    cross join request
    left join last_sightings
        on component.store = last_sightings.store and component.id = last_sightings.component_id

),

facts as (

    select
        fact.store,
        'fact' as kind,
        fact.category as type,
        null::varchar as page,
        fact.created_at as born_at,
        least(
            case when fact.status in ('superseded', 'forgotten') then fact.updated_at end,
            fact.archived_at,
            case
                when fact.expires_by = 'given' or fact.pinned + fact.immutable = 0
                    then fact.expires_at
            end
        ) as end_at
    from fact
    where fact.status <> 'pending'

),

facts_so_far as (

    select
        facts.store,
        facts.kind,
        facts.type,
        facts.page,
        facts.born_at,
        least(facts.end_at, request.asked_at, request.until_at) as end_at,
        coalesce(facts.end_at <= least(request.asked_at, request.until_at), false) as is_gone
    from facts
    cross join request

),

lives as (

    select * from components
    union all
    select * from facts_so_far

)

select
    lives.store,
    lives.kind,
    coalesce(lives.type, '-') as type,
    coalesce(lives.page, '-') as page,
    greatest(epoch(lives.end_at) - epoch(lives.born_at), 0) / 86400 as days,
    lives.is_gone::bigint as gone
from lives
cross join request
where
    lives.born_at >= request.since_at
    and lives.born_at < request.until_at
    and lives.end_at is not null;

-- name: grouped_life
-- The same lives, once in each group that they belong to
-- follows life
-- store text: which store; null where all are taken together
-- kind text: component or fact
-- grouping text: all, app, type or page
-- group text: which app, type or page
-- days days: how long it has lived
-- gone count: 1 where its end is known
select
    null::varchar as store,
    kind,
    'all' as grouping,
    'all' as "group",
    days,
    gone
from life
union all
select
    store,
    kind,
    'app' as grouping,
    store as "group",
    days,
    gone
from life
union all
select
    store,
    kind,
    'type' as grouping,
    type as "group",
    days,
    gone
from life
union all
select
    store,
    kind,
    'page' as grouping,
    page as "group",
    days,
    gone
from life
where kind = 'component';

-- name: curve
-- Kaplan and Meier's estimate of each group's survival
-- E. L. Kaplan, P. Meier, Nonparametric estimation from incomplete observations, JASA 53
-- (1958) 457-481: the product, over the times of events, of the share that passed each. The
-- standard error is Greenwood's (1926); the band holds 95 % by the log-log transformation
-- (J. D. Kalbfleisch, R. L. Prentice, The statistical analysis of failure time data, 1980),
-- which stays within 0 and 1. One row at day 0, one at each time of an event, one at the end.
-- follows grouped_life
-- store text: which store; null where all are taken together
-- kind text: component or fact
-- grouping text: all, app, type or page
-- group text: which app, type or page
-- days days: age
-- at_risk count: how many had reached this age
-- events count: how many ended at it
-- censored count: how many were lost from sight from this age up to the next row's
-- survival share: estimated share that lives longer than this
-- lower share: of the band of 95 %; null where none is defined
-- upper share: likewise
-- std_error number: standard error of the survival
with

ages as (

    select
        store,
        kind,
        grouping,
        "group",
        days,
        count(*) as total,
        sum(gone) as events
    from grouped_life
    group by all

),

at_ages as (

    select
        *,
        sum(total) over (
            partition by store, kind, grouping, "group" order by days desc
        ) as at_risk,
        events > 0
        or days = max(days) over (partition by store, kind, grouping, "group") as is_kept
    from ages

),

running as (

    select
        *,
        product(1 - events / at_risk) over ages_up_to_here as survival,
        sum(events / nullif(at_risk * (at_risk - events), 0)) over ages_up_to_here as greenwood,
        count(*) filter (where is_kept) over ages_up_to_here as interval_number
    from at_ages
    window
        ages_up_to_here as (
            partition by store, kind, grouping, "group"
            order by days
            rows between unbounded preceding and current row
        )

),

intervals as (

    select
        store,
        kind,
        grouping,
        "group",
        interval_number,
        case when interval_number = 0 then 0 else min(days) end as days,
        max(at_risk) as at_risk,
        sum(events) as events,
        sum(total - events) as censored,
        max(survival) as survival,
        max(greenwood) as greenwood
    from running
    group by store, kind, grouping, "group", interval_number

),

beginnings as (

    -- A group of which nobody was lost before the first event has no interval 0 yet.
    select
        store,
        kind,
        grouping,
        "group",
        0 as interval_number,
        0.0 as days,
        max(at_risk) as at_risk,
        0 as events,
        0 as censored,
        1.0 as survival,
        0.0 as greenwood
    from intervals
    group by store, kind, grouping, "group"
    having min(interval_number) > 0 and min(days) > 0

),

all_intervals as (

    select * from intervals
    union all
    select * from beginnings

),

errors as (

    select
        *,
        -- Half the width of the band, on the scale of log(-log(survival)).
        case
            when survival > 0 and survival < 1
                then 1.959963984540054 * sqrt(greenwood) / abs(ln(survival))
        end as width
    from all_intervals

)

select
    store,
    kind,
    grouping,
    "group",
    days::double as days,
    at_risk::bigint as at_risk,
    events::bigint as events,
    censored::bigint as censored,
    survival,
    pow(survival, exp(width)) as lower,
    pow(survival, exp(-width)) as upper,
    survival * sqrt(greenwood) as std_error
from errors;

-- name: looked_for
-- Everything that was looked for on a screen that was recognised
-- One row a sighting, on the state that the screen's state was merged into in the end.
-- reads observation: id, observed_at, state_id, app_version
-- reads sighting: observation_id, component_id, found
-- reads state: id, root
-- store text: which store
-- component_id number: what was looked for
-- state_id text: on which screen
-- observed_at at: when
-- app_version text: of the app, where somebody told it
-- missed count: 1 where it was expected and absent
select
    sighting.store,
    sighting.component_id,
    state.root as state_id,
    observation.observed_at,
    observation.app_version,
    1 - sighting.found as missed
from sighting
inner join observation
    on sighting.store = observation.store and sighting.observation_id = observation.id
inner join state on observation.store = state.store and observation.state_id = state.id
cross join request
where
    observation.observed_at >= request.since_at
    and observation.observed_at < request.until_at;

-- name: screen
-- What each screen is called
-- A name, else the page it was learned on, else its id.
-- reads state: id, root, name, page, forgotten_at
-- store text: which store
-- state_id text: its id
-- screen text: what it is called
-- living count: 1 where it is not forgotten
select
    store,
    root as state_id,
    coalesce(
        max(name) filter (where id = root),
        min(name),
        max(page) filter (where id = root),
        root
    ) as screen,
    max((forgotten_at is null)::bigint) filter (where id = root) as living
from state
group by store, root;

-- name: asked
-- The recalls of the time that was asked for
-- One row a recall.
-- reads recall: id, asked_at, question, hits, unknown_words, fallback, duration_ms, outcome
-- store text: which store
-- id number: its id
-- asked_at at: when
-- question text: what
-- hits count: rows that came back
-- unknown_words text: JSON, a list
-- fallback text: which vectors were asked as well
-- duration_ms ms: how long it took
-- outcome text: ok or failed, where somebody told
select
    recall.store,
    recall.id,
    recall.asked_at,
    recall.question,
    recall.hits,
    recall.unknown_words,
    recall.fallback,
    recall.duration_ms,
    recall.outcome
from recall
cross join request
where recall.asked_at >= request.since_at and recall.asked_at < request.until_at;

-- name: look
-- The looks at screenshots of the time that was asked for
-- One row a look, on the state that its state was merged into in the end.
-- reads observation: id, kind, observed_at, state_id, found, absent, duration_ms, stages
-- reads state: id, root
-- store text: which store
-- id number: its id
-- kind text: learn, match or locate
-- observed_at at: when
-- state_id text: the screen, null where it was not recognised
-- found count: components that were there
-- absent count: components that were expected and absent
-- duration_ms ms: how long it took
-- stages text: JSON, milliseconds by stage
select
    observation.store,
    observation.id,
    observation.kind,
    observation.observed_at,
    state.root as state_id,
    observation.found,
    observation.absent,
    observation.duration_ms,
    observation.stages
from observation
cross join request
left join state on observation.store = state.store and observation.state_id = state.id
where
    observation.observed_at >= request.since_at
    and observation.observed_at < request.until_at;

-- name: held
-- The facts that hold now
-- Active, neither archived nor at an end, and not expired; an end that only its category set
-- spares what is pinned or immutable.
-- reads fact: number, id, text, category, source, importance, status, immutable, pinned
-- reads fact: valid_to, expires_at, expires_by, archived_at, created_at, equal_key, tokens
-- store text: which store
-- number number: the order of arrival
-- id text: its id
-- text text: what it says
-- category text: null where none was named
-- source text: where it comes from; empty: not told
-- importance share: as it is stored
-- spared count: 1 where it is pinned or immutable
-- equal_key text: equal facts have equal ones
-- created_at at: when it was written
-- tokens count: what it costs in a prompt
select
    fact.store,
    fact.number,
    fact.id,
    fact.text,
    fact.category,
    fact.source,
    fact.importance,
    greatest(fact.pinned, fact.immutable) as spared,
    coalesce(fact.equal_key, lower(trim(fact.text))) as equal_key,
    fact.created_at,
    fact.tokens
from fact
cross join request
where
    fact.status = 'active'
    and fact.archived_at is null
    and fact.valid_to is null
    and (
        fact.expires_at is null
        or fact.expires_at > request.asked_at
        or (fact.expires_by = 'category' and fact.pinned + fact.immutable > 0)
    );
