-- Places that a person erased, and the digests of the pixels that stood there.

-- name: insert_erased
insert into erased_component (erased_at)
values (:erased_at);

-- name: insert_places
-- Every state that holds the component, and its place there.
insert into erased_place (erased_id, state_id, x, y, w, h)
select
    :erased_id as erased_id,
    state_component.state_id,
    state_component.x,
    state_component.y,
    cast(max(round(component.w / component.scale), 1) as integer) as w,
    cast(max(round(component.h / component.scale), 1) as integer) as h
from state_component
inner join component on state_component.component_id = component.id
where component.id = :component_id;

-- name: own_pictures
-- The pictures of a component that no other living component has.
select template.png
from template
where
    template.component_id = :component_id
    and template.sha256 not in (
        select other.sha256
        from template as other
        inner join component on other.component_id = component.id
        where component.id <> :component_id and component.forgotten_at is null
    );

-- name: insert_pixels
insert into erased_pixels (erased_id, w, h, key, mark, digest)
values (:erased_id, :w, :h, :key, :mark, :digest);

-- name: listed
select
    erased_component.id,
    erased_component.erased_at,
    erased_place.state_id,
    state.name as state_name,
    erased_place.x,
    erased_place.y,
    erased_place.w,
    erased_place.h,
    (
        select count(*)
        from erased_pixels
        where erased_pixels.erased_id = erased_component.id
    ) as pictures
from erased_component
left join erased_place on erased_component.id = erased_place.erased_id
left join state on erased_place.state_id = state.id
order by erased_component.id desc, erased_place.state_id;

-- name: delete_erased
-- Its places and digests go with it.
delete from erased_component
where id = :id;

-- name: places_on
-- The erased places of a state, those of states merged into it included, or of all states of a
-- page that a caller named.
select
    erased_component.erased_at,
    erased_place.x,
    erased_place.y,
    erased_place.w,
    erased_place.h
from erased_place
inner join erased_component on erased_place.erased_id = erased_component.id
inner join state_root on erased_place.state_id = state_root.id
inner join state as root on state_root.root = root.id
where root.id = :state_id or root.page = :page;

-- name: pixels
select
    erased_component.erased_at,
    erased_pixels.w,
    erased_pixels.h,
    erased_pixels.key,
    erased_pixels.mark,
    erased_pixels.digest
from erased_pixels
inner join erased_component on erased_pixels.erased_id = erased_component.id;
