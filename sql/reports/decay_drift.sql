-- sqlfluff:dialect:duckdb

-- name: drift
-- Where misses leave their band
-- A control chart of shares (p-chart: D. C. Montgomery, Introduction to statistical quality
-- control, section 7.2) for every screen, by day and by version of the app: what was expected
-- and absent, over all that was looked for. The centre is the share on the screen's other
-- days or versions, with Jeffreys' half a miss added so that a screen without one has a band
-- too. The limits leave out no more than 0.135 % on each side, as three sigmas do: exactly by
-- the binomial distribution up to 1,000 looks, by the normal one beyond.
-- reads component: id, consecutive_misses, forgotten_at
-- follows looked_for
-- follows screen
-- nothing: nothing was looked for on a known screen in this time
-- store text: which store
-- grouping text: day or version
-- screen text: what the screen is called
-- group text: which day or version
-- alarm text: above or below, where the value leaves the band
-- looks count: how many components were looked for
-- misses count: how many of them were absent
-- value share: misses of looks
-- centre share: of the other days or versions; null where there are none
-- lower share: of the band
-- upper share: of the band
-- state_id text: the screen's id
-- last_at at: its last look
-- still count: components absent then, which are remembered and missed to this day
with

watched as (

    select
        looked_for.*,
        case
            when looked_for.missed = 1 and component.consecutive_misses > 0
                then looked_for.component_id
        end as missed_still
    from looked_for
    left join component
        on
            looked_for.store = component.store
            and looked_for.component_id = component.id
            and component.forgotten_at is null

),

counted as (

    select
        store,
        'day' as grouping,
        state_id,
        strftime(user_day(observed_at), '%Y-%m-%d') as subgroup,
        count(*) as looks,
        sum(missed) as misses,
        max(observed_at) as last_at,
        count(distinct missed_still) as still
    from watched
    group by all
    union all
    select
        store,
        'version' as grouping,
        state_id,
        app_version as subgroup,
        count(*) as looks,
        sum(missed) as misses,
        max(observed_at) as last_at,
        count(distinct missed_still) as still
    from watched
    where app_version is not null
    group by all

),

compared as (

    select
        *,
        sum(looks) over one_screen - looks as other_looks,
        sum(misses) over one_screen - misses as other_misses
    from counted
    window one_screen as (partition by store, grouping, state_id)

),

centred as (

    select
        *,
        case when other_looks > 0 then (other_misses + 0.5) / (other_looks + 1) end as centre
    from compared

),

sizes as (

    select distinct
        looks,
        centre
    from centred
    where looks <= 1000 and centre is not null

),

outcomes as (

    select
        looks,
        centre,
        unnest(range(0, looks + 1)) as misses
    from sizes

),

probabilities as (

    select
        *,
        exp(
            lgamma(looks + 1)
            - lgamma(misses + 1)
            - lgamma(looks - misses + 1)
            + misses * ln(centre)
            + (looks - misses) * ln(1 - centre)
        ) as probability
    from outcomes

),

tails as (

    select
        looks,
        centre,
        misses,
        sum(probability) over (partition by looks, centre order by misses) as at_most,
        sum(probability) over (partition by looks, centre order by misses desc) as at_least
    from probabilities

),

exact_limits as (

    select
        looks,
        centre,
        min(misses) filter (where at_most >= 0.00135) / looks as lower,
        max(misses) filter (where at_least >= 0.00135) / looks as upper
    from tails
    group by looks, centre

),

limited as (

    select
        centred.*,
        centred.misses / centred.looks as value,
        coalesce(
            exact_limits.lower,
            greatest(
                centred.centre - 3 * sqrt(centred.centre * (1 - centred.centre) / centred.looks), 0
            )
        ) as lower,
        coalesce(
            exact_limits.upper,
            least(
                centred.centre + 3 * sqrt(centred.centre * (1 - centred.centre) / centred.looks), 1
            )
        ) as upper
    from centred
    left join exact_limits
        on centred.looks = exact_limits.looks and centred.centre = exact_limits.centre

)

select
    limited.store,
    limited.grouping,
    screen.screen,
    limited.subgroup as "group",
    case
        when limited.value > limited.upper then 'above'
        when limited.value < limited.lower then 'below'
    end as alarm,
    limited.looks,
    limited.misses::bigint as misses,
    limited.value,
    limited.centre,
    case when limited.centre is not null then limited.lower end as lower,
    case when limited.centre is not null then limited.upper end as upper,
    limited.state_id,
    limited.last_at,
    limited.still
from limited
inner join screen on limited.store = screen.store and limited.state_id = screen.state_id
where screen.living = 1
order by
    coalesce(limited.value between limited.lower and limited.upper, true),
    limited.store,
    limited.grouping,
    screen.screen,
    limited.state_id,
    limited.subgroup;
