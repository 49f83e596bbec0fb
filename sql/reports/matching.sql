-- sqlfluff:dialect:duckdb

-- name: hit_rate
-- How much is recognised
-- Of the screenshots that were learned or matched, those whose screen was known before: a learn
-- that created the state did not recognise it. Components that were there, of those looked for;
-- what a look learned was not looked for.
-- follows look
-- nothing: no screenshot was looked at in this time
-- store text: which store
-- grouping text: all or day
-- day at: which day; null for all
-- looks count: screenshots that were learned or matched
-- recognised count: of these, those whose screen was known before
-- recognised_share share: of these
-- created count: of these, those learned as a new screen
-- matches count: of these, those that were matched
-- matches_recognised count: of the matched, those whose screen was known
-- matches_share share: of the matched
-- found count: components that were there
-- absent count: components that were expected and absent
-- found_share share: of both
with

days as (

    select
        store,
        kind,
        kind in ('learn', 'match') as is_asked,
        state_id is not null and created = 0 as is_known,
        created,
        found,
        absent,
        unnest([null, user_day(observed_at)]) as day
    from look

)

select
    store,
    case when day is null then 'all' else 'day' end as grouping,
    day,
    count(*) filter (where is_asked) as looks,
    count(*) filter (where is_asked and is_known) as recognised,
    count(*) filter (where is_asked and is_known)
    / nullif(count(*) filter (where is_asked), 0) as recognised_share,
    sum(created)::bigint as created,
    count(*) filter (where kind = 'match') as matches,
    count(*) filter (where kind = 'match' and is_known) as matches_recognised,
    count(*) filter (where kind = 'match' and is_known)
    / nullif(count(*) filter (where kind = 'match'), 0) as matches_share,
    sum(found)::bigint as found,
    sum(absent)::bigint as absent,
    sum(found) / nullif(sum(found) + sum(absent), 0) as found_share
from days
group by store, day
order by store, day nulls first;

-- name: stages
-- Where the time of a look goes
-- The steps of a look with the time that each took, as it was measured.
-- follows look
-- nothing: no screenshot was looked at in this time
-- store text: which store
-- stage text: decode, identify, ...
-- looks count: how many took this step
-- median ms: half were faster
-- p95 ms: nineteen in twenty were faster
-- total ms: of all looks together
-- share share: of the time of all stages
with

measured as (

    select
        store,
        unnest(json_keys(stages)) as stage,
        unnest(json_extract(stages, '$.*')) as measured
    from look
    where stages is not null

),

timed as (

    select
        store,
        stage,
        try_cast(measured as double) as ms
    from measured

)

select
    store,
    stage,
    count(*) as looks,
    quantile_cont(ms, 0.5) as median,
    quantile_cont(ms, 0.95) as p95,
    sum(ms) as total,
    sum(ms) / nullif(sum(sum(ms)) over (partition by store), 0) as share
from timed
group by store, stage
order by store, total desc, stage;

-- name: time_per_screen
-- How long a look at each screen takes
-- Quantiles of the measured time of a look, the one that learned the screen included; screens
-- that are unknown are together.
-- follows look
-- follows screen
-- nothing: no screenshot was looked at in this time
-- store text: which store
-- screen text: what it is called
-- state_id text: its id; null: unknown, or forgotten since
-- looks count: how often it was looked at
-- median ms: half were faster
-- p95 ms: nineteen in twenty were faster
-- longest ms: the slowest
-- found_each number: mean number of components that were there
select
    look.store,
    coalesce(screen.screen, 'not recognised') as screen,
    case when screen.living = 1 then look.state_id end as state_id,
    count(*) as looks,
    quantile_cont(look.duration_ms, 0.5) as median,
    quantile_cont(look.duration_ms, 0.95) as p95,
    max(look.duration_ms) as longest,
    avg(look.found) as found_each
from look
left join screen on look.store = screen.store and look.state_id = screen.state_id
group by look.store, screen.screen, screen.living, look.state_id
order by look.store, median desc, screen, look.state_id;

-- name: suspects
-- Components that may have been found where they are not
-- A find is weak where its correlation is under 0.9, and out of place where it is further
-- from the place where the component was found most often than the component is long. Either
-- happens to true finds; both together are what a look-alike gives. Places are from the window's
-- corner, at scale 1. Living components, the worst first.
-- reads component: id, name, type, forgotten_at
-- reads sighting: observation_id, component_id, found, x, y, w, h, score
-- follows look
-- nothing: no find is both weak and out of place
-- store text: which store
-- component_id id: its id
-- name text: its name
-- type text: button, icon, ...
-- finds count: how often it was found
-- weak count: with a correlation under 0.9
-- out_of_place count: away from its usual place
-- suspect count: both at once
-- share share: suspect of all finds
-- lowest_score number: the weakest correlation
-- since_at at: the first suspect find
with

finds as (

    select
        look.store,
        look.id,
        look.observed_at,
        sighting.component_id,
        sighting.score,
        (sighting.x - look.window_x) / look.scale as x,
        (sighting.y - look.window_y) / look.scale as y,
        greatest(sighting.w, sighting.h) / look.scale as length
    from sighting
    inner join look on sighting.store = look.store and sighting.observation_id = look.id
    where sighting.found = 1

),

places as (

    select
        store,
        component_id,
        x,
        y,
        count(*) as finds,
        min(id) as first_id
    from finds
    group by store, component_id, x, y

),

usual as (

    select
        store,
        component_id,
        x,
        y
    from places
    qualify
        row_number() over (
            partition by store, component_id
            order by finds desc, first_id
        ) = 1

),

judged as (

    select
        finds.store,
        finds.component_id,
        finds.observed_at,
        finds.score,
        finds.score < 0.9 as is_weak,
        greatest(abs(finds.x - usual.x), abs(finds.y - usual.y)) > finds.length as is_elsewhere
    from finds
    inner join usual on finds.store = usual.store and finds.component_id = usual.component_id

),

counted as (

    select
        store,
        component_id,
        count(*) as finds,
        count(*) filter (where is_weak) as weak,
        count(*) filter (where is_elsewhere) as out_of_place,
        count(*) filter (where is_weak and is_elsewhere) as suspect,
        min(score) as lowest_score,
        min(observed_at) filter (where is_weak and is_elsewhere) as since_at
    from judged
    group by store, component_id

)

select
    counted.store,
    counted.component_id,
    component.name,
    component.type,
    counted.finds,
    counted.weak,
    counted.out_of_place,
    counted.suspect,
    counted.suspect / counted.finds as share,
    counted.lowest_score,
    counted.since_at
from counted
inner join component
    on counted.store = component.store and counted.component_id = component.id
where counted.suspect > 0 and component.forgotten_at is null
order by counted.suspect desc, share desc, counted.store, counted.component_id;
