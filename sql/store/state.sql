-- name: summaries
-- Living states of a list of ids, as `state_summary` has them; that looks at every state first.
with recursive member (id, root) as (
    select
        asked_for.value as id,
        asked_for.value as root
    from json_each(:ids) as asked_for
    union all
    select
        state.id,
        member.root
    from state
    inner join member on state.merged_into = member.id
),

named as (
    select
        member.root,
        min(state.name) as name,
        sum(state.visit_count) as visit_count
    from member
    inner join state on member.id = state.id
    group by member.root
),

defined as (
    select
        member.root,
        count(distinct component.id) as component_count
    from member
    inner join state as root on member.root = root.id
    inner join state_component on member.id = state_component.state_id
    inner join component on state_component.component_id = component.id
    where
        state_component.defining = 1
        and component.forgotten_at is null
        and (root.status = 'provisional' or component.seen_count >= 2)
    group by member.root
)

select
    root.id,
    coalesce(root.name, named.name) as name,
    root.page,
    root.title,
    root.status,
    named.visit_count,
    coalesce(defined.component_count, 0) as component_count,
    root.first_seen_at,
    root.last_seen_at
from named
inner join state as root on named.root = root.id
left join defined on named.root = defined.root;

-- name: listed
-- Ids of the living states, what was seen last first; of those without a name and a page alone,
-- or of those that a component stands on.
select
    root.id,
    root.last_seen_at as listed_at
from state as root
left join state as last_shown on last_shown.id = :after_id
where
    root.merged_into is null
    and root.forgotten_at is null
    and (
        :unnamed = 0
        or (
            root.page is null
            and root.name is null
            and not exists (
                select 1
                from state_root
                inner join state as member on state_root.id = member.id
                where state_root.root = root.id and member.name is not null
            )
        )
    )
    and (
        :holding is null
        or exists (
            select 1
            from state_component
            inner join state_root on state_component.state_id = state_root.id
            where
                state_root.root = root.id and state_component.component_id = :holding
        )
    )
    and (
        :after_at is null
        or root.last_seen_at < :after_at
        or (
            root.last_seen_at = :after_at
            and (-root.visit_count, root.id) > (-last_shown.visit_count, last_shown.id)
        )
    )
order by root.last_seen_at desc, root.visit_count desc, root.id;

-- name: resolve
-- The living state behind an id or a name, through merges.
select state_root.root
from state
inner join state_root on state.id = state_root.id
inner join state as living on state_root.root = living.id
where
    (state.id = :key or lower(state.name) = lower(:key))
    and living.forgotten_at is null
order by state.id <> :key, state.merged_into is not null
limit 1;

-- name: of_page
-- The living states of a page, or of a title, whatever its case.
select id
from state
where
    merged_into is null
    and forgotten_at is null
    and (lower(page) = lower(:key) or lower(title) = lower(:key))
order by lower(page) <> lower(:key), visit_count desc, id;

-- name: of_one_screenshot
-- Pairs of living states that were seen on the very same screenshot.
select distinct
    one.id as one,
    other.id as other
from observation as first_seen
inner join observation as seen_again
    on
        first_seen.img_sha256 = seen_again.img_sha256
        and first_seen.state_id < seen_again.state_id
inner join state as one on first_seen.state_id = one.id
inner join state as other on seen_again.state_id = other.id
where
    first_seen.kind = 'learn'
    and seen_again.kind = 'learn'
    and one.merged_into is null
    and other.merged_into is null
    and one.forgotten_at is null
    and other.forgotten_at is null;

-- name: description
select description
from state_description
where state_id = :id;

-- name: descriptions
select
    state_summary.state_id as id,
    state_summary.name,
    state_summary.last_seen_at,
    state_description.description
from state_summary
inner join state_description on state_summary.state_id = state_description.state_id;

-- name: any_living
select count(*) > 0
from state
where merged_into is null and forgotten_at is null;

-- name: any_state
-- Whether an id was ever a state, living or not.
select
    id,
    name,
    merged_into,
    forgotten_at,
    forgotten_why,
    known_by
from state
where id = :id;

-- name: insert_state
insert into state (
    id, page, status, visit_count, first_seen_at, last_seen_at, img_w, img_h, words, look, known_by
)
values (
    :id, :page, 'provisional', 1, :seen_at, :seen_at, :img_w, :img_h, :words, :look, :known_by
);

-- name: insert_state_component
insert into state_component (state_id, component_id, defining, x, y)
values (:state_id, :component_id, :defining, :x, :y)
on conflict do nothing;

-- name: insert_state_text
insert into state_text (state_id, text)
values (:state_id, :text)
on conflict do nothing;

-- name: texts
select distinct state_text.text
from state_text
inner join state_root on state_text.state_id = state_root.id
where state_root.root = :id
order by state_text.text;

-- name: definition
select
    state_definition.component_id,
    component.name,
    component.type,
    component.seen_count
from state_definition
inner join component on state_definition.component_id = component.id
where state_definition.state_id = :id
order by component.id;

-- name: layouts
-- Each living state with its members' components and their places; forgotten ones left out.
select
    root.id as state_id,
    state_component.component_id,
    state_component.x,
    state_component.y,
    cast(round(component.w / component.scale) as integer) as w,
    cast(round(component.h / component.scale) as integer) as h,
    state_component.defining
    and (root.status = 'provisional' or component.seen_count >= 2) as defining,
    component.changing_at is not null as changing
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join state as root on state_root.root = root.id
inner join component on state_component.component_id = component.id
where root.forgotten_at is null and component.forgotten_at is null
order by state_component.defining;

-- name: sets
-- Each living state with its members, whether they define it, and nothing else: for comparing
-- all states with one, which places and labels do not matter for.
select
    root.id as state_id,
    state_component.component_id,
    max(
        state_component.defining
        and (root.status = 'provisional' or component.seen_count >= 2)
    ) as defining,
    root.status,
    root.page
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join state as root on state_root.root = root.id
inner join component on state_component.component_id = component.id
where root.forgotten_at is null and component.forgotten_at is null
group by root.id, state_component.component_id;

-- name: living
-- The names are those of state_summary, without counting what else it counts.
with

inherited as (
    select
        state_root.root,
        min(state.name) as name
    from state_root
    inner join state on state_root.id = state.id
    group by state_root.root
)

select
    state.id,
    coalesce(state.name, inherited.name) as name,
    state.page,
    state.status
from state
inner join inherited on state.id = inherited.root
where state.merged_into is null and state.forgotten_at is null;

-- name: screens
-- Each living state with the screen that it was first seen on.
select
    id,
    img_w,
    img_h,
    words,
    words_whole,
    look
from state
where merged_into is null and forgotten_at is null;

-- name: set_words
update state
set words = :words, words_whole = :whole, look = :look
where id = :id and (words is null or words_whole = 0 or look is null);

-- name: ignored
-- Areas that do not count, with those of the states merged into one: of a state, or of all (null).
select distinct
    state_root.root as state_id,
    ignored_area.x,
    ignored_area.y,
    ignored_area.w,
    ignored_area.h,
    ignored_area.label
from ignored_area
inner join state_root on ignored_area.state_id = state_root.id
where :id is null or state_root.root = :id
order by state_root.root, ignored_area.y, ignored_area.x, ignored_area.w, ignored_area.h;

-- name: put_ignored
insert into ignored_area (state_id, x, y, w, h, label)
values (:state_id, :x, :y, :w, :h, :label)
on conflict (state_id, x, y, w, h) do update set label = coalesce(excluded.label, label);

-- name: drop_ignored
delete from ignored_area
where state_id in (
    select state_root.id from state_root
    where state_root.root = :id
);

-- name: look_again
-- What an area hid counts again: until its words and look are taken from the next screen that shows
-- it, the state is known by its components.
update state
set words_whole = 0
where id = :id and known_by = 'components';

-- name: visit
update state
set visit_count = visit_count + 1, last_seen_at = :seen_at
where id = :id;

-- name: confirm
update state
set status = 'confirmed'
where id = :id and status = 'provisional';

-- name: set_page
update state
set page = :page
where id = :id and page is null;

-- name: set_title
update state
set title = :title
where id = :id;

-- name: rename
update state
set name = :name
where id = :id;

-- name: merge
update state
set merged_into = :into, merged_at = :merged_at, merge_similarity = :similarity
where id = :id;

-- name: unmerge
update state
set merged_into = null, merged_at = null, merge_similarity = null
where id = :id and merged_into is not null;

-- name: forget_empty
-- States that lost all components that defined them; one that never had any stays.
update state
set forgotten_at = :forgotten_at, forgotten_why = 'no component left'
where
    merged_into is null
    and forgotten_at is null
    and known_by = 'components'
    and id not in (select state_id from state_definition);

-- name: forgotten_with
-- States that were forgotten for want of components and that this one defines again.
select
    root.id,
    root.name
from state as root
where
    root.forgotten_why = 'no component left'
    and root.id in (
        select state_root.root
        from state_component
        inner join state_root on state_component.state_id = state_root.id
        inner join component on state_component.component_id = component.id
        where
            component.id = :component_id
            and state_component.defining = 1
            and component.forgotten_at is null
            and (root.status = 'provisional' or component.seen_count >= 2)
    );

-- name: restore
update state
set forgotten_at = null, forgotten_why = null
where id = :id and forgotten_at is not null;
