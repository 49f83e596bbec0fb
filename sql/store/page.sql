-- name: figures
-- How much a store holds of everything, the forgotten left out, and of facts those that hold now;
-- observations tell which stores are looked at most.
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
        from state_graph
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
        where :fact_is_present
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
-- Where the largest living components of a state stood, at scale 1, with the first or newest look
-- of each.
select
    component.id as component_id,
    component.name,
    component.w / component.scale as w,
    component.h / component.scale as h,
    min(state_component.x) as x,
    min(state_component.y) as y,
    (
        select template.png
        from template
        where template.component_id = component.id
        order by template.id * :order
        limit 1
    ) as png
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join component on state_component.component_id = component.id
where state_root.root = :state_id and component.forgotten_at is null
group by component.id
order by component.w * component.h / component.scale / component.scale desc, component.id
limit :most;

-- name: screenshot
-- The newest screenshot that was kept of a state.
select screenshot.png
from screenshot
inner join observation on screenshot.observation_id = observation.id
inner join state_root on observation.state_id = state_root.id
where state_root.root = :state_id
order by screenshot.observation_id desc
limit 1;

-- name: tiles
-- The components that are shown, the most seen first or, of the forgotten, the newest, each with
-- its newest look and on how many living states it stands.
with

chosen as (
    select
        component.*,
        coalesce(component.forgotten_at, '') as ended_at
    from component
    where (component.forgotten_at is null) = :living
    order by ended_at desc, component.seen_count desc, component.id
    limit :most
),

places as (
    select
        chosen.id as component_id,
        count(distinct state.id) as screens,
        min(state.id) as state_id
    from chosen
    inner join state_component on chosen.id = state_component.component_id
    inner join state_root on state_component.state_id = state_root.id
    inner join state on state_root.root = state.id
    where state.forgotten_at is null
    group by chosen.id
),

looks as (
    select
        chosen.id as component_id,
        count(*) as looks,
        max(template.id) as template_id
    from chosen
    inner join template on chosen.id = template.component_id
    group by chosen.id
)

select
    chosen.id,
    chosen.name,
    chosen.type,
    chosen.seen_count,
    chosen.consecutive_misses as misses,
    chosen.last_seen_at,
    chosen.pinned,
    chosen.forgotten_at,
    chosen.forgotten_why,
    coalesce(places.screens, 0) as screens,
    places.state_id,
    coalesce(looks.looks, 0) as looks,
    template.sha256
from chosen
left join places on chosen.id = places.component_id
left join looks on chosen.id = looks.component_id
left join template on looks.template_id = template.id
order by chosen.ended_at desc, chosen.seen_count desc, chosen.id;

-- name: first_look
-- The oldest look of a component.
select
    png,
    learned_at
from template
where component_id = :component_id
order by id
limit 1;

-- name: drifted_look
-- The newest look of a component at the scale of its oldest one, if that is another.
with eldest as (
    select
        id,
        component_id,
        scale
    from template
    where component_id = :component_id
    order by id
    limit 1
)

select
    template.png,
    template.learned_at
from template
inner join eldest on template.component_id = eldest.component_id and template.scale = eldest.scale
where template.id > eldest.id
order by template.id desc
limit 1;

-- name: there_now
-- The newest screenshot kept of those where a component was expected and absent, and its place
-- there, in image pixels.
select
    screenshot.observation_id,
    screenshot.png,
    observation.observed_at,
    cast(
        round(state_component.x * observation.scale)
        + coalesce(observation.window_box ->> 0, 0) as integer
    ) as x,
    cast(
        round(state_component.y * observation.scale)
        + coalesce(observation.window_box ->> 1, 0) as integer
    ) as y,
    cast(round(component.w / component.scale * observation.scale) as integer) as w,
    cast(round(component.h / component.scale * observation.scale) as integer) as h
from sighting
inner join observation on sighting.observation_id = observation.id
inner join screenshot on observation.id = screenshot.observation_id
inner join state_root as seen on observation.state_id = seen.id
inner join state_root as member on seen.root = member.root
inner join state_component
    on
        member.id = state_component.state_id
        and sighting.component_id = state_component.component_id
inner join component on sighting.component_id = component.id
where sighting.component_id = :component_id and sighting.found = 0
order by observation.id desc
limit 1;

-- name: newest_look
-- The newest look of a component, and when the component was seen last.
select
    template.png,
    component.last_seen_at,
    component.name,
    component.consecutive_misses as misses
from component
inner join template on component.id = template.component_id
where component.id = :component_id
order by template.id desc
limit 1;
