-- name: listed
-- Every way that acts are known to lead, of one state or of all, what was used last first.
select
    state_graph.*,
    null as id,
    'committed' as status
from state_graph
where :state is null or :state in (state_graph.from_state, state_graph.to_state)
order by
    state_graph.last_used_at desc, state_graph.count desc, state_graph.from_state,
    state_graph.action, state_graph.component_name, state_graph.to_state;

-- name: by_status
select
    transition.*,
    transition.successes + transition.failures as count,
    round(1.0 * transition.total_ms / nullif(transition.timed, 0), 1) as mean_ms,
    component.name as component_name
from transition
left join component on transition.component_id = component.id
where
    transition.status = :status
    and (:before is null or transition.recorded_at < :before)
order by transition.id desc;

-- name: by_id
select
    transition.*,
    transition.successes + transition.failures as count,
    round(1.0 * transition.total_ms / nullif(transition.timed, 0), 1) as mean_ms,
    component.name as component_name
from transition
left join component on transition.component_id = component.id
where transition.id = :id;

-- name: insert_transition
insert into transition (
    from_state, action, component_id, detail, to_state, status,
    total_ms, timed, recorded_at, last_used_at
)
values (
    :from_state, :action, :component_id, :detail, :to_state, 'pending',
    :total_ms, :timed, :recorded_at, :recorded_at
);

-- name: add_act
insert into act (session, from_state, action, component_id, detail, to_state, done_at)
values (:session, :from_state, :action, :component_id, :detail, :to_state, :recorded_at);

-- name: add_to_committed
-- One more try of a way that is known already.
update transition
set
    successes = successes + :successes,
    failures = failures + :failures,
    total_ms = total_ms + :total_ms,
    timed = timed + :timed,
    last_used_at = max(last_used_at, :last_used_at)
where
    status = 'committed'
    and from_state = :from_state
    and action = :action
    and component_id is :component_id
    and detail is :detail
    and to_state = :to_state
returning id;

-- name: raise_committed
-- What another memory counted of a way that is known already: the larger count holds.
update transition
set
    successes = max(successes, :successes),
    failures = max(failures, :failures),
    last_used_at = max(last_used_at, :last_used_at)
where
    status = 'committed'
    and from_state = :from_state
    and action = :action
    and component_id is :component_id
    and detail is :detail
    and to_state = :to_state
returning id;

-- name: commit_row
update transition
set
    status = 'committed',
    successes = :successes,
    failures = :failures,
    total_ms = :total_ms,
    timed = :timed,
    last_used_at = :last_used_at
where id = :id;

-- name: delete_pending
delete from transition
where id = :id and status = 'pending';

-- name: set_status
update transition
set status = :status
where id = :id and status = :was;
