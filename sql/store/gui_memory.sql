-- What a store knows of screens, as gui-memory's files hold it.

-- name: looks
-- Every picture of every living component: the one that it was learned with before the others.
select
    template.id,
    template.component_id,
    template.w,
    template.h,
    template.scale,
    cast(round(component.rel_x * template.scale / component.scale) as integer) as x,
    cast(round(component.rel_y * template.scale / component.scale) as integer) as y
from template
inner join component on template.component_id = component.id
where component.forgotten_at is null
order by
    template.component_id,
    template.scale <> component.scale,
    template.w <> component.w or template.h <> component.h,
    template.id;

-- name: state_sizes
select
    id,
    img_w,
    img_h
from state
where merged_into is null and forgotten_at is null;

-- name: screens_learned
select learn_count
from store;

-- name: tips
-- Facts that came from gui-memory's tips.
select text
from fact
where source = 'gui-memory' and status = 'active'
order by number;
