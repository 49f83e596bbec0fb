-- name: hit_rate
with dayed as (
    select null as day, seen.* from seen
    union all
    select substr(observed_at, 1, 10), seen.* from seen
)

select
    iif(day is null, 'all', 'day') as grouping, day, sum(kind <> 'locate') as looks,
    sum(kind <> 'locate' and root is not null and not created) as recognised,
    sum(kind <> 'locate' and root is not null and not created) * 1.0
    / nullif(sum(kind <> 'locate'), 0) as recognised_share,
    sum(created) as created, sum(kind = 'match') as matches,
    sum(kind = 'match' and root is not null) as matches_recognised,
    sum(kind = 'match' and root is not null) * 1.0 / nullif(sum(kind = 'match'), 0)
        as matches_share,
    sum(found) as found, sum(absent) as absent,
    sum(found) * 1.0 / nullif(sum(found + absent), 0) as found_share
from dayed group by day;

-- name: stages
with timed as (select key as stage, value as ms from seen, json_each(seen.stages))

select
    stage, count(*) as looks, quantile(ms, 0.5) as median, quantile(ms, 0.95) as p95,
    sum(ms) as total, sum(ms) / (select sum(ms) from timed) as share
from timed group by stage;

-- name: time_per_screen
select
    ifnull(title, 'not recognised') as screen, iif(lives, root, null) as state_id, count(*) as looks,
    quantile(duration_ms, 0.5) as median, quantile(duration_ms, 0.95) as p95,
    max(duration_ms) as longest, avg(found) as found_each
from seen left join titled on titled.id = root group by root;

-- name: suspects
with find as (
    select
        component_id, observation_id, sighting.score, observed_at,
        (x - left_edge) / seen.scale as x, (y - top_edge) / seen.scale as y,
        max(w, h) / seen.scale as size
    from sighting, seen where seen.id = observation_id and sighting.found
),

odd as (
    select
        find.*, find.score < 0.9 as weak,
        (
            select max(abs(find.x - home.x), abs(find.y - home.y)) > find.size from find as home
            where home.component_id = find.component_id group by x, y
            order by count(*) desc, min(home.observation_id) limit 1
        ) as away
    from find
)

select
    component_id, name, type, count(*) as finds, sum(weak) as weak, sum(away) as out_of_place,
    sum(weak and away) as suspect, avg(weak and away) as share, min(score) as lowest_score,
    min(iif(weak and away, observed_at, null)) as since_at
from odd, component
where component.id = component_id and forgotten_at is null
group by component_id having sum(weak and away);
