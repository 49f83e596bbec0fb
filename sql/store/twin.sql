-- What is known of a step before it is done.

-- name: pooled
-- All tries of all acts of a store.
select
    coalesce(sum(successes), 0) as succeeded,
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

-- name: seen
-- In how many of the last looks at its screen a component was found.
select
    count(*) as looked,
    sum(last_looks.found) as found
from (
    select sighting.found
    from sighting
    inner join observation on sighting.observation_id = observation.id
    inner join state_root as shown on observation.state_id = shown.id
    inner join state_root as start on start.id = :from_state and shown.root = start.root
    where sighting.component_id = :component
    order by observation.id desc
    limit :most
) as last_looks;
