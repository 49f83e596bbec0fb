-- name: survival
select
    grouping, grp as "group", days, at_risk, events, censored, share as survival,
    low as lower, high as upper, share * sqrt(variance) as std_error
from km where kind = 'component';

-- name: half_lives
select
    kind, grouping, grp as "group",
    (
        select count(*) from aged
        where aged.kind = km.kind and aged.grouping = km.grouping and aged.grp = km.grp
    ) as subjects,
    (
        select sum(gone) from aged
        where aged.kind = km.kind and aged.grouping = km.grouping and aged.grp = km.grp
    ) as events,
    min(iif(share < 0.5 + 1e-9, days, null)) as half_life,
    min(iif(ifnull(low, share) <= 0.5, days, null)) as lower,
    min(iif(high <= 0.5, days, null)) as upper,
    min(share) as survival
from km group by kind, grouping, grp;

-- name: next_forgotten
select
    id as component_id, name, page, consecutive_misses as misses,
    max(value - consecutive_misses, 1) as misses_left, last_seen_at,
    strftime(
        '%Y-%m-%dT%H:%M:%SZ',
        (missed + (missed - strftime('%s', last_seen_at)) * max(value - consecutive_misses, 1)
        / consecutive_misses),
        'unixepoch'
    ) as expected_at
from (
    select component.*, setting.value, (
        select cast(strftime('%s', max(observed_at)) as real)
        from sighting, observation
        where
            observation.id = observation_id and component_id = component.id and not sighting.found
            and observed_at > last_seen_at
    ) as missed
    from component, setting
    where
        key = 'forget_threshold' and forgotten_at is null and not pinned and consecutive_misses > 0
);

-- name: next_expired
select
    id as fact_id, text, category, expires_at,
    (strftime('%s', expires_at) - strftime('%s', now)) / 86400.0 as days_left, expires_by
from holding, asked
where
    expires_at is not null and not (expires_by = 'category' and (pinned or immutable));

-- name: drift
with recursive looked (root, day, version, missed, at, still) as (
    select
        root, substr(observed_at, 1, 10), app_version, not sighting.found, observed_at,
        (
            select component.id from component
            where
                component.id = component_id and not sighting.found and consecutive_misses > 0
                and forgotten_at is null
        )
    from seen inner join sighting on seen.id = observation_id
    where root is not null and how <> 'learned'
),

tallied (grouping, root, grp, looks, misses, last_at, still) as (
    select 'day', root, day, count(*), sum(missed), max(at), count(distinct still) from looked group by root, day
    union all
    select 'version', root, version, count(*), sum(missed), max(at), count(distinct still)
    from looked
    where version is not null group by root, version
),

centred as (
    select
        one.*,
        (
            select (sum(misses) + 0.5) / (sum(looks) + 1) from tallied as other
            where other.grouping = one.grouping and other.root = one.root and other.grp <> one.grp
        ) as centre
    from tallied as one
),

chance (looks, centre, k, p) as (
    select distinct looks, centre, 0, exp(looks * ln(1 - centre)) from centred
    where centre is not null
    union all
    select looks, centre, k + 1, p * (looks - k) / (k + 1) * centre / (1 - centre)
    from chance where k < looks
),

tail as (
    select
        looks, centre, k,
        sum(p) over (partition by looks, centre order by k) as below,
        sum(p) over (partition by looks, centre order by k desc) as above
    from chance
),

band as (
    select
        looks, centre,
        min(iif(below >= 0.00135, k, null)) * 1.0 / looks as lower,
        max(iif(above >= 0.00135, k, null)) * 1.0 / looks as upper
    from tail group by looks, centre
)

select
    grouping, title as screen, grp as "group",
    case
        when misses * 1.0 / looks > upper then 'above'
        when misses * 1.0 / looks < lower then 'below'
    end as alarm,
    looks, misses, misses * 1.0 / looks as value, centre, lower, upper, root as state_id,
    last_at, still
from centred inner join titled on titled.id = root left join band using (looks, centre)
where lives;
