-- name: skills_worth
select
    skill.name as skill, runs, done, lost, uncertain, iif(known, saved_looks, null) as saved_looks,
    iif(known, saved_s, null) as saved_s, iif(known, each_s, null) as each_s,
    iif(known, each_s - half, null) as low_s, iif(known, each_s + half, null) as high_s,
    shown_seconds as shown_s, run_s, shown_looks, run_looks,
    (select count(*) from skill_step where skill_id = skill.id and action <> 'read') as acts,
    lost_s, recovered, unknown, origin, status, skill.id as skill_id,
    (select min(monday) || 'T00:00:00Z' from worth where skill_id = skill.id) as since_at
from ran inner join skill on skill.id = of_what where by_what = 'skill';

-- name: weeks_worth
select
    by_what as grouping, of_what as week, runs, done, lost, uncertain,
    iif(known, saved_looks, null) as saved_looks, iif(known, saved_s, null) as saved_s,
    iif(known, each_s, null) as each_s, iif(known, each_s - half, null) as low_s,
    iif(known, each_s + half, null) as high_s, lost_s, recovered, unknown
from ran where by_what <> 'skill';

-- name: screens_worth
with matched as (
    select
        root, duration_ms, date(observed_at, '-6 days', 'weekday 1') as monday,
        (
            select first.duration_ms
            from observation as first inner join root_of on root_of.id = first.state_id
            where first.kind = 'learn' and root_of.root = seen.root order by first.id limit 1
        ) as first_ms
    from seen where kind = 'match'
),

weekly as (
    select null as week, matched.* from matched
    union all
    select monday, matched.* from matched
)

select
    iif(week is null, 'all', 'week') as grouping, week, count(*) as matches, count(root) as known,
    avg(root is not null) as known_share, avg(iif(root is null, null, duration_ms)) as match_ms,
    avg(first_ms) as first_ms, sum(first_ms - duration_ms) / 1000 as saved_s,
    sum(root is not null and first_ms is null) as unknown
from weekly group by week;
