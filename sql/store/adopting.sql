-- Screens that another memory knows, taken over into this one.

-- name: with_pixels
-- The living components that have this very picture, and where each was last seen.
select
    component.id,
    component.name,
    component.label,
    (component.rel_x + component.w / 2.0) / component.scale as middle_x,
    (component.rel_y + component.h / 2.0) / component.scale as middle_y
from template
inner join component on template.component_id = component.id
where template.sha256 = :sha256 and component.forgotten_at is null
order by component.id;

-- name: raise_component
-- Of two memories' counts the larger holds; who saw it last knows whether it is missed.
update component
set
    seen_count = max(seen_count, :seen_count),
    consecutive_misses
    = case when :last_seen_at >= last_seen_at then :misses else consecutive_misses end,
    learned_at = min(learned_at, :learned_at),
    last_seen_at = max(last_seen_at, :last_seen_at),
    pinned = max(pinned, :pinned)
where id = :id;

-- name: places
-- The living of some components, and where each was last seen, at scale 1.
select
    id,
    name,
    seen_count,
    cast(round(rel_x / scale) as integer) as x,
    cast(round(rel_y / scale) as integer) as y,
    cast(round((rel_x + w) / scale) as integer) as right_edge,
    cast(round((rel_y + h) / scale) as integer) as bottom_edge
from component
where forgotten_at is null and id in (select listed.value from json_each(:ids) as listed)
order by id;

-- name: raise_state
-- Of two memories' counts the larger holds; what this one calls it stays.
update state
set
    name = coalesce(name, :name),
    title = coalesce(title, :title),
    page = coalesce(page, :page),
    status = case when :confirmed then 'confirmed' else status end,
    visit_count = max(visit_count, :visits),
    first_seen_at = min(first_seen_at, :first_seen_at),
    last_seen_at = max(last_seen_at, :last_seen_at)
where id = :id;
