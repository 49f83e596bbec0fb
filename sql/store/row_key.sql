-- name: mark
-- What changes with every key that is written or dropped: keys are never changed in place.
select
    count(*) as keys,
    max(id) as latest
from row_key;

-- name: all_keys
-- All keys but their pictures, in the order they are asked in.
select
    id,
    component_id,
    twin,
    scale,
    dx,
    dy,
    reach_left,
    reach_right,
    look,
    may_change,
    reach_up
from row_key
order by component_id, position;

-- name: png
select png
from row_key
where id = :id;

-- name: pngs
select
    id,
    png
from row_key;

-- name: looks
-- The looks that each component has keys for, and whether those tell it from look-alikes.
select
    component_id,
    look,
    max(twin) as twin
from row_key
group by component_id, look;

-- name: digests
-- The digests of some templates' pictures.
select
    template.id,
    template.sha256
from template
where template.id in (select wanted.value from json_each(:ids) as wanted);

-- name: drop
delete from row_key
where component_id = :component_id;

-- name: drop_look
delete from row_key
where component_id = :component_id and look = :look;

-- name: next_positions
select
    component_id,
    max(position) + 1 as position
from row_key
group by component_id;

-- name: insert
insert into row_key (
    component_id, position, twin, scale, dx, dy, x, y, w, h, reach_left, reach_right, png,
    img_sha256, learned_at, look, may_change, reach_up
)
values (
    :component_id, :position, :twin, :scale, :dx, :dy, :x, :y, :w, :h, :reach_left, :reach_right,
    :png, :img_sha256, :learned_at, :look, :may_change, :reach_up
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
