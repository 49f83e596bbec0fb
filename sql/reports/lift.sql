-- sqlfluff:dialect:duckdb

-- name: skills_worth
-- What each skill saved
-- A run that was done is held against the demonstration of its skill: a full look before it and
-- after each act, the time of the app and the looks, and what the setting lift_decider_seconds
-- says for each act. A run that was not done, or was given up, counts as lost. What was never shown
-- here has nothing to be held against. The interval, from five known runs on, is Student's for the
-- mean of a run. The most saved first.
-- reads skill: id, name, origin, status, acts, shown_looks, shown_seconds
-- follows run_sums
-- follows run_worth
-- nothing: no skill was run in this time
-- store text: which store
-- skill text: its name
-- runs count: that ended
-- done count: that reached the end
-- lost count: that did not
-- uncertain count: of these, those of which nobody can tell whether they did
-- saved_looks number: full looks saved, in all; null: not known
-- saved_s number: seconds saved, in all; below 0: lost; null: not known
-- each_s number: seconds saved by a run, on the average
-- low_s number: where the 95 % interval of that begins; null: fewer than five known runs
-- high_s number: where it ends
-- shown_s number: seconds of its demonstration, without a decider; null: never shown here
-- run_s number: seconds of a run, on the average
-- shown_looks number: full looks of its demonstration; null: never shown here
-- run_looks number: full looks of a run, on the average
-- acts count: of the demonstration, each decided anew
-- lost_s number: seconds of the runs that did not reach the end
-- recovered count: steps done by another known way, or on what had moved
-- unknown count: runs that were done, and are held against nothing
-- origin text: recorded, mined or imported
-- status text: draft, active, rejected or archived
-- skill_id text: its id
-- since_at at: the week of its first run
select
    run_sums.store,
    skill.name as skill,
    run_sums.runs,
    run_sums.done,
    run_sums.lost,
    run_sums.uncertain,
    run_sums.saved_looks,
    run_sums.saved_s,
    run_sums.each_s,
    run_sums.low_s,
    run_sums.high_s,
    skill.shown_seconds as shown_s,
    run_sums.run_s,
    skill.shown_looks,
    run_sums.run_looks,
    skill.acts,
    run_sums.lost_s,
    run_sums.recovered,
    run_sums.unknown,
    skill.origin,
    skill.status,
    skill.id as skill_id,
    (
        select min(run_worth.week)::timestamp
        from run_worth
        where run_worth.store = run_sums.store and run_worth.skill_id = run_sums.skill_id
    ) as since_at
from run_sums
inner join skill on run_sums.store = skill.store and run_sums.skill_id = skill.id
where run_sums.grouping = 'skill'
order by run_sums.saved_s desc nulls last, run_sums.store, skill.name, skill.id;

-- name: weeks_worth
-- What skills saved by week
-- All runs, and those that began in each week, as in the table of skills. Runs of which nobody
-- knows what they took anew are left out of what was saved.
-- follows run_sums
-- nothing: no skill was run in this time
-- store text: which store
-- grouping text: all or week
-- week at: its Monday; null for all
-- runs count: that ended
-- done count: that reached the end
-- lost count: that did not
-- uncertain count: of these, those of which nobody can tell whether they did
-- saved_looks number: full looks saved; null: not known
-- saved_s number: seconds saved; below 0: lost; null: not known
-- each_s number: seconds saved by a run, on the average
-- low_s number: where the 95 % interval of that begins; null: fewer than five known runs
-- high_s number: where it ends
-- lost_s number: seconds of the runs that did not reach the end
-- recovered count: steps done by another known way, or on what had moved
-- unknown count: runs that were done, and are held against nothing
select
    store,
    grouping,
    week,
    runs,
    done,
    lost,
    uncertain,
    saved_looks,
    saved_s,
    each_s,
    low_s,
    high_s,
    lost_s,
    recovered,
    unknown
from run_sums
where grouping <> 'skill'
order by store, week nulls first;

-- name: screens_worth
-- What known screens saved by week
-- A match that knows its screen needs no box to be proposed or told: it is held against the look
-- that learned that screen first. Skills that are run match, too: this is not to be added to what
-- they saved. What deciders and people took is not in it.
-- reads observation: id, kind, state_id, duration_ms
-- reads state: id, root
-- follows look
-- nothing: no screenshot was matched in this time
-- store text: which store
-- grouping text: all or week
-- week at: its Monday; null for all
-- matches count: screenshots that were matched
-- known count: those of a known screen: none of its boxes had to be proposed
-- known_share share: of all
-- match_ms ms: how long these took, on the average
-- first_ms ms: how long the first looks at their screens took, on the average
-- saved_s number: the difference, in all; below 0: lost; null: not known
-- unknown count: those whose screen was never learned here
with

firsts as (

    select
        observation.store,
        state.root as state_id,
        arg_min(observation.duration_ms, observation.id) as first_ms
    from observation
    inner join state on observation.store = state.store and observation.state_id = state.id
    where observation.kind = 'learn'
    group by observation.store, state.root

),

matches as (

    select
        look.store,
        look.state_id,
        look.duration_ms,
        firsts.first_ms,
        unnest([null, date_trunc('week', user_day(look.observed_at))::date]) as week
    from look
    left join firsts on look.store = firsts.store and look.state_id = firsts.state_id
    where look.kind = 'match'

)

select
    store,
    case when week is null then 'all' else 'week' end as grouping,
    week,
    count(*) as matches,
    count(state_id) as known,
    count(state_id) / count(*) as known_share,
    avg(duration_ms) filter (where state_id is not null) as match_ms,
    avg(first_ms) as first_ms,
    sum(first_ms - duration_ms) / 1000 as saved_s,
    count(state_id) - count(first_ms) as unknown
from matches
group by store, week
order by store, week nulls first;
