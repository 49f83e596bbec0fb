-- sqlfluff:dialect:duckdb

-- name: survival
-- Survival of components
-- The share of components that are still there at an age, by Kaplan and Meier; how a life is
-- counted stands in sql/reports/steps_life.sql. A component is gone once it is forgotten, at its
-- last sighting; one that is remembered is censored at its last sighting.
-- follows curve
-- nothing: no component was learned in this time
-- store text: which store; null where all are taken together
-- grouping text: all, app, type or page
-- group text: which app, type or page
-- days days: age
-- at_risk count: how many had reached this age
-- events count: how many ended at it
-- censored count: how many were lost from sight from this age up to the next row's
-- survival share: estimated share that lives longer than this
-- lower share: of the band of 95 %; null where none is defined
-- upper share: likewise
-- std_error number: standard error of the survival (Greenwood)
select
    store,
    grouping,
    "group",
    days,
    at_risk,
    events,
    censored,
    survival,
    lower,
    upper,
    std_error
from curve
where kind = 'component'
order by grouping, store nulls first, "group", days;

-- name: half_lives
-- Half-lives of components and facts
-- The first age at which the estimated survival is one half or less; the interval is where
-- its band crosses one half (R. Brookmeyer, J. Crowley, Biometrics 38 (1982) 29-41). Empty
-- where more than half are still there; the interval has no upper end where its band is not
-- defined, as once nobody is left.
-- follows curve
-- nothing: no component was learned and no fact written in this time
-- store text: which store; null where all are taken together
-- kind text: component or fact
-- grouping text: all, app, type or page; the type of a fact is its category
-- group text: which app, type or page
-- subjects count: how many there are
-- events count: how many of them ended
-- half_life days: when half of them are gone
-- lower days: of the interval of 95 %
-- upper days: likewise
-- survival share: estimated share that is left at the last age seen
select
    store,
    kind,
    grouping,
    "group",
    max(at_risk) as subjects,
    sum(events)::bigint as events,
    -- A product of shares that is one half may be more by its last digit.
    min(days) filter (where survival <= 0.5 + 1e-12) as half_life,
    min(days) filter (where coalesce(lower, survival) <= 0.5) as lower,
    min(days) filter (where upper <= 0.5) as upper,
    min(survival) as survival
from curve
group by store, kind, grouping, "group"
order by kind, grouping, half_life nulls last, store nulls first, "group";

-- name: next_forgotten
-- Components that will be forgotten next
-- Those that were missed the last time they were expected. The date supposes that they go on
-- being missed as often as since their last sighting.
-- reads component: id, name, page, consecutive_misses, last_seen_at, pinned, forgotten_at
-- reads observation: id, observed_at
-- reads sighting: observation_id, component_id, found
-- reads setting_in_force: key, value
-- nothing: no component is on its way to be forgotten
-- store text: which store
-- component_id id: its id
-- name text: its name
-- page text: where it was learned
-- misses count: in a row
-- misses_left count: misses until it is forgotten
-- last_seen_at at: when it was last there
-- expected_at at: when it will be forgotten, at this pace
with

thresholds as (

    select
        store,
        value::bigint as threshold
    from setting_in_force
    where key = 'forget_threshold'

),

stale as (

    select
        component.*,
        greatest(thresholds.threshold - component.consecutive_misses, 1) as misses_left
    from component
    inner join thresholds on component.store = thresholds.store
    where
        component.forgotten_at is null
        and component.pinned = 0
        and component.consecutive_misses > 0

),

last_misses as (

    select
        sighting.store,
        sighting.component_id,
        max(observation.observed_at) as missed_at
    from sighting
    inner join observation
        on sighting.store = observation.store and sighting.observation_id = observation.id
    where sighting.found = 0
    group by sighting.store, sighting.component_id

)

select
    stale.store,
    stale.id as component_id,
    stale.name,
    stale.page,
    stale.consecutive_misses as misses,
    stale.misses_left,
    stale.last_seen_at,
    date_trunc(
        'second',
        last_misses.missed_at
        + (last_misses.missed_at - stale.last_seen_at)
        * (stale.misses_left / stale.consecutive_misses)
    ) as expected_at
from stale
left join last_misses
    on
        stale.store = last_misses.store
        and stale.id = last_misses.component_id
        and stale.last_seen_at < last_misses.missed_at
order by stale.store, stale.misses_left, stale.last_seen_at, stale.id;

-- name: next_expired
-- Facts that will expire next
-- Facts that hold and have an end; what is pinned or immutable is spared an end that only its
-- category set.
-- reads fact: id, expires_by
-- follows held
-- nothing: no fact that holds has an end
-- store text: which store
-- fact_id text: its id
-- text text: what it says
-- category text: of the fact
-- expires_at at: hidden from then on
-- days_left days: until then
-- expires_by text: given by somebody, or its category
select
    held.store,
    held.id as fact_id,
    held.text,
    held.category,
    held.ends_at as expires_at,
    (epoch(held.ends_at) - epoch(request.asked_at)) / 86400 as days_left,
    fact.expires_by
from held
inner join fact on held.store = fact.store and held.id = fact.id
cross join request
where held.ends_at is not null
order by held.ends_at, held.store, held.number;
