-- name: living
-- Every living component, in the order it was learned.
select *
from component
where forgotten_at is null
order by id;

-- name: all_known
-- What a learn compares a screenshot with, but for counts and times: the same row, the same answer.
select
    (
        select group_concat(id || ' ' || name || ' ' || coalesce(label, ''), char(10))
        from component
        where forgotten_at is null
    ) as components,
    (
        select group_concat(id || ' ' || coalesce(page, ''), char(10))
        from state
        where coalesce(merged_at, forgotten_at) is null
    ) as states,
    (
        select group_concat(state_id || ' ' || x || ' ' || y || ' ' || w || ' ' || h, char(10))
        from ignored_area
    ) as ignored_areas,
    (select max(id) || ' ' || count(*) from template) as pictures,
    (select count(*) from state_component) as places,
    (select count(*) from erased_place) as erased_places,
    (select count(*) from erased_pixels) as erased_pixels;

-- name: count_living
select count(*)
from component
where forgotten_at is null;

-- name: listed
-- Ids of components for people, by filters that may be null: of living ones what was seen last
-- first, of forgotten ones what was forgotten last.
select
    id,
    coalesce(forgotten_at, last_seen_at) as listed_at
from component
where
    (forgotten_at is not null) = :forgotten
    and (:page is null or page = :page)
    and (:type is null or type = :type)
    and (:unlabelled = 0 or label is null)
    and consecutive_misses >= :missed
    and (:stateless = 0 or id not in (
        select state_component.component_id
        from state_component
    ))
    and (:keys is null or id in (select asked_for.value from json_each(:keys) as asked_for))
    and (
        :after_at is null
        or listed_at < :after_at
        or (listed_at = :after_at and id > cast(:after_id as integer))
    )
order by listed_at desc, id;

-- name: by_ids
-- Components of a list of ids.
select
    component.*,
    (
        select count(*)
        from template
        where template.component_id = component.id
    ) as looks
from component
where
    component.id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: id_named
-- The component of this name: the living one before forgotten ones, the newest of those.
select id
from component
where lower(name) = lower(:name)
order by forgotten_at is not null, id desc
limit 1;

-- name: name_of
select name
from component
where id = :id;

-- name: names
-- Every name and label: of the living before forgotten ones, the newest of those first.
select
    id,
    name,
    label,
    forgotten_at is not null as forgotten
from component
order by forgotten_at is not null, id desc;

-- name: next_ids
-- The ids that the next component and its picture get: none is given twice.
select
    (
        select coalesce(max(seq), 0) + 1 from sqlite_sequence
        where name = 'component'
    ) as component,
    (
        select coalesce(max(seq), 0) + 1 from sqlite_sequence
        where name = 'template'
    ) as template;

-- name: insert_component
-- An id of null: the next one.
insert into component (
    id, name, made_name, type, source, label, page, scale, rel_x, rel_y, w, h, confidence,
    row_text, section, cut, field, changing_at, learned_at, last_seen_at, seen_count
)
values (
    :id, :name, :name, :type, :source, :label, :page, :scale, :rel_x, :rel_y, :w, :h, :confidence,
    :row_text, :section, :cut, :field, :changing_at, :seen_at, :seen_at, 1
);

-- name: rename
update component
set name = :name
where id = :id;

-- name: set_label
update component
set
    label = :label,
    name = :name,
    made_name = case when :own then :name else made_name end,
    cut = :cut,
    row_text = coalesce(:row_text, row_text),
    section = coalesce(:section, section)
where id = :id;

-- name: set_changing
-- The place of a component shows something else each time.
update component
set changing_at = :at
where id = :id and changing_at is null;

-- name: set_pinned
update component
set pinned = :pinned
where id = :id;

-- name: restore
update component
set name = :name, forgotten_at = null, forgotten_why = null, consecutive_misses = 0
where id = :id;

-- name: forget
update component
set forgotten_at = :forgotten_at, forgotten_why = :why
where id = :id and forgotten_at is null;

-- name: delete
-- Templates, sightings, places in states and transitions on it go with it.
delete from component
where id = :id;

-- name: seen
-- Seen on a screenshot that was learned or matched; the place is given at scale 1.
update component
set
    seen_count = seen_count + 1,
    consecutive_misses = 0,
    last_seen_at = :seen_at,
    rel_x = cast(round(:x * scale) as integer),
    rel_y = cast(round(:y * scale) as integer)
where id = :id;

-- name: missed
update component
set consecutive_misses = consecutive_misses + 1
where id = :id and forgotten_at is null;

-- name: due_to_be_forgotten
select
    id,
    name,
    consecutive_misses
from component
where
    forgotten_at is null
    and pinned = 0
    and consecutive_misses >= :threshold
order by id;

-- name: insert_template
insert into template (
    id, component_id, png, sha256, w, h, scale, features, feature_version, learned_at,
    blank_left, blank_right
)
values (
    :id, :component_id, :png, :sha256, :w, :h, :scale, :features, :feature_version, :learned_at,
    :blank_left, :blank_right
);

-- name: templates_of
select
    id,
    w,
    h,
    scale,
    sha256,
    learned_at,
    length(png) as bytes
from template
where component_id = :component_id
order by id;

-- name: template_with_pixels
-- A look of a component, if it has this very one already.
select id
from template
where component_id = :component_id and sha256 = :sha256;

-- name: learned_on
-- The living components that were learned on a page the caller named.
select id
from component
where forgotten_at is null and page = :page;

-- name: seen_once
select id
from component
where forgotten_at is null and seen_count < 2;
