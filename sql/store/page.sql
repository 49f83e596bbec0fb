-- name: figures
-- How much a store holds of everything, the forgotten left out; observations tell which
-- stores are looked at most.
select
    (
        select count(*)
        from component
        where forgotten_at is null
    ) as components,
    (
        select count(*)
        from component
        where forgotten_at is not null
    ) as forgotten,
    (
        select count(*)
        from state
        where merged_into is null and forgotten_at is null
    ) as states,
    (
        select count(*)
        from transition
        where status = 'committed'
    ) as transitions,
    (
        select count(*)
        from log
        where archived_at is null
    ) as turns,
    (
        select count(*)
        from episode
        where archived_at is null
    ) as episodes,
    (
        select count(*)
        from fact
        where status = 'active' and archived_at is null
    ) as facts,
    (
        select count(*)
        from observation
    ) as observations;

-- name: screen
-- Size and words of a state.
select
    img_w,
    img_h,
    words
from state
where id = :state_id;

-- name: places
-- Where the living components of a state stood, at scale 1, with the first look of each.
select
    component.id as component_id,
    component.w / component.scale as w,
    component.h / component.scale as h,
    min(state_component.x) as x,
    min(state_component.y) as y,
    (
        select template.png
        from template
        where template.component_id = component.id
        order by template.id
        limit 1
    ) as png
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join component on state_component.component_id = component.id
where state_root.root = :state_id and component.forgotten_at is null
group by component.id;

-- name: screenshot
-- The newest screenshot that was kept of a state.
select screenshot.png
from screenshot
inner join observation on screenshot.observation_id = observation.id
inner join state_root on observation.state_id = state_root.id
where state_root.root = :state_id
order by screenshot.observation_id desc
limit 1;

-- name: membership
-- On which living states each component stands.
select distinct
    state_component.component_id,
    state_root.root as state_id
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join state on state_root.root = state.id
where state.forgotten_at is null
order by state_component.component_id;

-- name: look
-- The newest look of a component.
select png
from template
where component_id = :component_id
order by id desc
limit 1;
