-- What is known of a step before it is done.

-- name: usual
-- All tries of all acts of a store; what was found of all that was looked for on known screens.
select
    coalesce(sum(successes), 0) as good,
    coalesce(sum(successes + failures), 0) as tried
from transition
where status = 'committed'
union all
select
    coalesce(sum(found), 0) as good,
    coalesce(sum(found + absent), 0) as tried
from observation
where state_id is not null;

-- name: step
-- What is known of a step of a skill: the names of its screens; how often its act on a screen led
-- to another, where one that led elsewhere is a try, too; how often runs confirmed it, and how
-- often it was part of one that a person called wrong.
with tries as (
    select
        coalesce(
            sum(iif(:to_state is null or known.to_state = goal.root, known.successes, 0)), 0
        ) as succeeded,
        coalesce(sum(known.successes + known.failures), 0) as tried,
        max(0.0, julianday(:as_of) - julianday(max(known.last_used_at))) as days,
        sum(known.mean_ms * known.successes) / nullif(sum(known.successes), 0) as mean_ms
    from state_graph as known
    inner join state_root as start on start.id = :from_state and known.from_state = start.root
    left join state_root as goal on goal.id = :to_state
    where known.action = :action and known.component_id is :component_id
),

proofs as (
    select
        count(*) filter (
            where
            skill_run_step.outcome in ('done', 'recovered')
            and coalesce(skill_run.feedback, 'right') = 'right'
        ) as confirmed,
        count(*) filter (where skill_run.feedback = 'wrong') as refuted
    from skill_run
    inner join skill_run_step on skill_run.id = skill_run_step.run_id
    where skill_run.skill_id = :skill and skill_run_step.number = :number
)

select
    tries.*,
    proofs.*,
    coalesce(nullif(here.name, ''), here.id, '') as here,
    coalesce(nullif(there.name, ''), there.id, '') as there
from tries
cross join proofs
left join state as here on here.id = :from_state and here.forgotten_at is null
left join state as there on there.id = :to_state and there.forgotten_at is null;

-- name: runs_of_step
-- How the same step went in the last runs, of any skill, the newest first.
select
    max(0.0, julianday(:as_of) - julianday(skill_run.started_at)) as days,
    skill_run_step.outcome
from skill_step
inner join skill_run on skill_step.skill_id = skill_run.skill_id
inner join skill_run_step
    on skill_run.id = skill_run_step.run_id and skill_step.number = skill_run_step.number
left join state_root as start on skill_step.from_state = start.id
left join state_root as goal on skill_step.to_state = goal.id
left join state_root as asked_start on asked_start.id = :from_state
left join state_root as asked_goal on asked_goal.id = :to_state
where
    skill_step.action = :action
    and skill_step.component_id is :component_id
    and (
        skill_step.component_id is not null
        or (skill_step.target is :target and skill_step.detail is :detail)
    )
    and start.root is asked_start.root
    and goal.root is asked_goal.root
order by skill_run.id desc
limit :most;

-- name: looks
-- Whether a component was found in the last looks at its screen, the newest first.
select
    max(0.0, julianday(:as_of) - julianday(observation.observed_at)) as days,
    sighting.found
from sighting
inner join observation on sighting.observation_id = observation.id
inner join state_root as shown on observation.state_id = shown.id
inner join state_root as start on start.id = :from_state and shown.root = start.root
where sighting.component_id = :component_id
order by observation.id desc
limit :most;

-- name: predicted_runs
-- Ended runs with what was predicted, and the share of those before that were done; not those that
-- a rule or a person halted: none of their steps did.
select
    predicted,
    status = 'done' as done,
    coalesce(
        avg(status = 'done') over (
            order by id rows between unbounded preceding and 1 preceding
        ), 0.5
    ) as share
from skill_run
where
    predicted is not null
    and (
        status in ('done', 'failed', 'uncertain')
        or (
            status = 'halted'
            and exists (
                select 1
                from skill_run_step
                where skill_run_step.run_id = skill_run.id and skill_run_step.outcome = 'halted'
            )
        )
    )
order by id;
