-- What is known of a step before it is done.

-- name: all_tries
-- All tries of all acts of a store.
select
    coalesce(sum(successes), 0) as good,
    coalesce(sum(successes + failures), 0) as tried
from transition
where status = 'committed';

-- name: state_names
select
    id,
    name
from state
where forgotten_at is null;

-- name: tries
-- How often an act on a screen led to another; an act that led elsewhere is a try, too.
select
    sum(iif(:to_state is null or known.to_state = goal.root, known.successes, 0)) as succeeded,
    sum(known.successes + known.failures) as tried,
    max(known.last_used_at) as last_used_at,
    sum(known.mean_ms * known.successes) / nullif(sum(known.successes), 0) as mean_ms
from state_graph as known
inner join state_root as start on start.id = :from_state and known.from_state = start.root
left join state_root as goal on goal.id = :to_state
where known.action = :action and known.component_id is :component;

-- name: all_looks
-- What was found of all that was looked for on screens that were known.
select
    coalesce(sum(found), 0) as good,
    coalesce(sum(found + absent), 0) as tried
from observation
where state_id is not null;

-- name: runs_of_step
-- How the same step went in the last runs, of any skill, the newest first.
select
    skill_run.started_at as at,
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
    and skill_step.component_id is :component
    and (
        skill_step.component_id is not null
        or (skill_step.target is :target and skill_step.detail is :detail)
    )
    and start.root is asked_start.root
    and goal.root is asked_goal.root
order by skill_run.id desc
limit :most;

-- name: proven
-- How often each step of a skill was confirmed, and was part of a run that a person called wrong.
select
    skill_run_step.number,
    count(*) filter (
        where
        skill_run_step.outcome in ('done', 'recovered')
        and coalesce(skill_run.feedback, 'right') = 'right'
    ) as confirmed,
    count(*) filter (where skill_run.feedback = 'wrong') as refuted
from skill_run
inner join skill_run_step on skill_run.id = skill_run_step.run_id
where skill_run.skill_id = :skill
group by skill_run_step.number;

-- name: looks
-- Whether a component was found in the last looks at its screen, the newest first.
select
    observation.observed_at as at,
    sighting.found
from sighting
inner join observation on sighting.observation_id = observation.id
inner join state_root as shown on observation.state_id = shown.id
inner join state_root as start on start.id = :from_state and shown.root = start.root
where sighting.component_id = :component
order by observation.id desc
limit :most;

-- name: predicted_runs
-- Ended runs with what was predicted, in their order; not those that a rule or a person halted:
-- none of their steps did.
select
    predicted,
    status = 'done' as done
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
