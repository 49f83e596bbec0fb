-- name: shelf
-- Every look of every living component, with where it was last seen.
select
    template.id,
    template.component_id,
    template.scale,
    template.features,
    component.rel_x,
    component.rel_y
from template
inner join component on template.component_id = component.id
where component.forgotten_at is null
order by template.id;

-- name: pixels
select png
from template
where id = :id;
