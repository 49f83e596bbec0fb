-- sqlfluff:dialect:duckdb
-- Steps of the survival curves.

-- name: life
-- How long each component and fact has lived
-- A component lives from when it was learned to its last sighting. That it is gone is an
-- event only once it was forgotten; one that is still remembered is censored at its last
-- sighting, since nobody has looked at it after that. Its end is the last sighting and not
-- the moment of forgetting, which comes a threshold of misses later and so would measure how
-- often somebody looked. A fact lives from when it was written, or begins to hold where that is
-- later, until it was replaced, forgotten, archived or expired; one that still holds is censored
-- now, and one that is still to come, or never came, has not lived.
-- reads component: id, type, page, learned_at, last_seen_at, forgotten_at
-- reads observation: id, observed_at
-- reads sighting: observation_id, component_id, found
-- reads fact: id, category, status, valid_from, valid_to, archived_at, created_at, updated_at
-- follows fact_standing
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
        least(
            coalesce(last_sightings.seen_at, component.last_seen_at), request.until_at
        ) as end_at,
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
        greatest(fact.created_at, fact.valid_from) as born_at,
        least(
            case fact.status
                when 'forgotten' then fact.updated_at
                when 'superseded' then greatest(fact.updated_at, fact.valid_to)
            end,
            fact.archived_at,
            fact_standing.ends_at
        ) as end_at
    from fact
    inner join fact_standing on fact.store = fact_standing.store and fact.id = fact_standing.id
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
    where
        facts.born_at <= request.asked_at
        and coalesce(facts.end_at >= facts.born_at, true)

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
