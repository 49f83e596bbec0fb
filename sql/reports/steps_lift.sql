-- sqlfluff:dialect:duckdb
-- Steps of the report on lift: what each run of a skill saved, and sums of it.

-- name: run_worth
-- What each run of a skill saved
-- One row a run that ended. A run that was done saved what its demonstration took, less what it
-- took itself; one that was not done saved nothing, and lost what it took.
-- reads skill: id, acts, shown_looks, shown_seconds
-- reads skill_run: skill_id, status, looks, seconds, started_at, recovered
-- reads setting_in_force: key, value
-- store text: which store
-- skill_id text: which skill
-- week at: the Monday of its week
-- done count: 1 where it reached its end
-- uncertain count: 1 where nobody can tell whether it did
-- recovered count: steps done by another way than the one that was shown
-- looks count: full looks that it took
-- seconds number: that it took
-- unknown count: 1 where it was done, and what it took anew is not known
-- saved_looks number: null where that is not known
-- saved_s number: likewise
with

deciders as (

    select
        store,
        value as seconds
    from setting_in_force
    where key = 'lift_decider_seconds'

),

ended as (

    select
        skill_run.store,
        skill_run.skill_id,
        skill_run.recovered,
        skill_run.looks,
        skill_run.seconds,
        date_trunc('week', user_day(skill_run.started_at))::date as week,
        (skill_run.status = 'done')::bigint as done,
        (skill_run.status = 'uncertain')::bigint as uncertain,
        case when skill_run.status = 'done' then skill.shown_looks else 0 end as anew_looks,
        case
            when skill_run.status = 'done'
                then skill.shown_seconds + skill.acts * coalesce(deciders.seconds, 0)
            else 0
        end as anew_s
    from skill_run
    inner join skill on skill_run.store = skill.store and skill_run.skill_id = skill.id
    left join deciders on skill_run.store = deciders.store
    cross join request
    where
        skill_run.status <> 'running'
        and skill_run.started_at >= request.since_at
        and skill_run.started_at < request.until_at

)

select
    store,
    skill_id,
    week,
    done,
    uncertain,
    recovered,
    looks,
    seconds,
    (anew_s is null)::bigint as unknown,
    (anew_looks - looks)::double as saved_looks,
    anew_s - seconds as saved_s
from ended;

-- name: run_sums
-- What runs saved, by skill, by week, and in all
-- The interval is Student's for the mean of at least five runs; its quantile is that of
-- Abramowitz and Stegun (1964), 26.7.5.
-- follows run_worth
-- store text: which store
-- grouping text: all, skill or week
-- skill_id text: which skill
-- week at: which week
-- runs count: that ended
-- done count: that reached the end
-- lost count: that did not
-- uncertain count: of these, those of which nobody can tell whether they did
-- recovered count: steps done by another way than the one that was shown
-- unknown count: runs that were done, and of which nobody knows what they took anew
-- run_looks number: full looks of a run, on the average
-- run_s number: seconds of a run, on the average
-- lost_s number: seconds of the runs that did not reach the end
-- saved_looks number: full looks saved, of the runs of which that is known
-- saved_s number: seconds saved, likewise
-- each_s number: seconds saved by a run, on the average
-- low_s number: where the 95 % interval of that begins
-- high_s number: where it ends
with

sums as (

    select
        store,
        skill_id,
        week,
        case
            when grouping(skill_id) = 0 then 'skill'
            when grouping(week) = 0 then 'week'
            else 'all'
        end as grouping,
        count(*) as runs,
        sum(done)::bigint as done,
        sum(uncertain)::bigint as uncertain,
        sum(recovered)::bigint as recovered,
        sum(unknown)::bigint as unknown,
        avg(looks)::double as run_looks,
        avg(seconds) as run_s,
        sum(seconds) filter (where done = 0) as lost_s,
        sum(saved_looks) as saved_looks,
        sum(saved_s) as saved_s,
        avg(saved_s) as each_s,
        -- Half of the interval, but for the quantile.
        case when count(saved_s) >= 5 then stddev_samp(saved_s) / sqrt(count(saved_s)) end as error,
        count(saved_s) - 1 as freedom
    from run_worth
    group by grouping sets ((store), (store, skill_id), (store, week))

),

quantiles as (

    select
        *,
        -- Only losses are known where no run that was done has something to be held against.
        done > unknown or unknown = 0 as is_known,
        error * (
            1.959964
            + 2.372271 / freedom
            + 2.822499 / pow(freedom, 2)
            + 2.555850 / pow(freedom, 3)
            + 1.589534 / pow(freedom, 4)
        ) as half
    from sums

)

select
    store,
    grouping,
    skill_id,
    week,
    runs,
    done,
    runs - done as lost,
    uncertain,
    recovered,
    unknown,
    run_looks,
    run_s,
    coalesce(lost_s, 0) as lost_s,
    case when is_known then saved_looks end as saved_looks,
    case when is_known then saved_s end as saved_s,
    case when is_known then each_s end as each_s,
    case when is_known then each_s - half end as low_s,
    case when is_known then each_s + half end as high_s
from quantiles;
