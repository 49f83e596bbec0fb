-- name: living_templates
-- Every template of every living component, with its last place at the template's own scale.
select
    template.id,
    template.component_id,
    template.scale,
    template.blank_left,
    template.blank_right,
    cast(round(component.rel_x * template.scale / component.scale) as integer) as x,
    cast(round(component.rel_y * template.scale / component.scale) as integer) as y
from template
inner join component on template.component_id = component.id
where component.forgotten_at is null
order by template.id;

-- name: templates_of
-- The templates of one component, living or forgotten.
select
    template.id,
    template.component_id,
    template.scale,
    template.blank_left,
    template.blank_right,
    cast(round(component.rel_x * template.scale / component.scale) as integer) as x,
    cast(round(component.rel_y * template.scale / component.scale) as integer) as y
from template
inner join component on template.component_id = component.id
where template.component_id = :component_id
order by template.id;

-- name: features
-- The living templates with what matching needs of each, read once and kept.
select
    template.id,
    template.features
from template
inner join component on template.component_id = component.id
where component.forgotten_at is null;

-- name: features_of
select features
from template
where id = :id;

-- name: pixels
select png
from template
where id = :id;

-- name: set_features
update template
set features = :features, feature_version = :version
where id = :id;

-- name: featured
select
    id,
    png,
    features,
    feature_version
from template;

-- name: any_picture
select 1 as found
where exists (
    select 1 from template
);

-- name: pictures
select
    id,
    png,
    sha256
from template;
