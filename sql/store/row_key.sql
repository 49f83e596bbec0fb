-- name: living
-- The keys of every living component, in the order they are asked in.
select
    row_key.id,
    row_key.component_id,
    row_key.twin,
    row_key.scale,
    row_key.dx,
    row_key.dy,
    row_key.reach_left,
    row_key.reach_right
from row_key
inner join component on row_key.component_id = component.id
where component.forgotten_at is null
order by row_key.component_id, row_key.position;

-- name: png
select png
from row_key
where id = :id;

-- name: drop
delete from row_key
where component_id = :component_id;

-- name: insert
insert into row_key (
    component_id, position, twin, scale, dx, dy, x, y, w, h, reach_left, reach_right, png,
    img_sha256, learned_at
)
values (
    :component_id, :position, :twin, :scale, :dx, :dy, :x, :y, :w, :h, :reach_left, :reach_right,
    :png, :img_sha256, :learned_at
);

-- name: twins
-- How many look-alikes each living component has, where it has any or nobody has looked.
select
    id,
    twins
from component
where forgotten_at is null and twins is not 0;

-- name: set_twins
update component
set twins = :twins
where id = :id;
