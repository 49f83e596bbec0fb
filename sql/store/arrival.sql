-- What tells that a screen is there.

-- name: one_root
-- Whether two states are one by now.
select 1
from state_root as one
inner join state_root as other on one.root = other.root
where one.id = :one and other.id = :other;

-- name: telling
-- Components that define a state and not the one before it, those that are seen most first.
select state_component.component_id
from state_component
inner join component on state_component.component_id = component.id
where
    state_component.state_id = (
        select state_root.root
        from state_root
        where state_root.id = :to
    )
    and component.forgotten_at is null
    and component.changing_at is null
    and not exists (
        select 1
        from state_component as earlier
        where
            earlier.component_id = state_component.component_id
            and earlier.state_id = (
                select state_root.root
                from state_root
                where state_root.id = :from
            )
    )
order by component.seen_count desc, component.id
limit :most;
