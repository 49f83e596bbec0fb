-- What a screen and the things on it are called.

-- Title of the window or document that the screen was last learned with; null: not told.
alter table state add column title text;

-- The name that memctl made; a name that differs from it was given by a person, and stays.
-- Null: learned by an earlier memctl.
alter table component add column made_name text;

-- Text that names its row of a table or list, as the source of its box says.
alter table component add column row_text text;
-- Title of the part of the page that it stands in, likewise.
alter table component add column section text;

-- 1: the screen shows only the beginning of its label, and pixels cannot settle which it is.
alter table component add column cut integer not null default 0 check (cut in (0, 1));

-- 1: a person types or chooses its contents, which are never remembered.
alter table component add column field integer not null default 0 check (field in (0, 1));

-- When its place was first seen to show something else each time; null: it has not been.
alter table component add column changing_at text;

drop view state_summary;

-- Living states: the components that define them, and how often they were visited. One without
-- a name bears that of a state that was merged into it.
create view state_summary as
select
    root.id as state_id,
    coalesce(
        root.name,
        (
            select min(member.name)
            from state_root
            inner join state as member on state_root.id = member.id
            where state_root.root = root.id
        )
    ) as name,
    root.page,
    root.title,
    root.status,
    (
        select sum(member.visit_count)
        from state_root
        inner join state as member on state_root.id = member.id
        where state_root.root = root.id
    ) as visit_count,
    (
        select count(*)
        from state_definition
        where state_definition.state_id = root.id
    ) as component_count,
    (
        select group_concat(state_definition.component_name, ', ')
        from state_definition
        where state_definition.state_id = root.id
    ) as components,
    root.first_seen_at,
    root.last_seen_at
from state as root
where root.merged_into is null and root.forgotten_at is null;

-- Living states in words: the page, the title, and the labels on it from top to bottom.
create view state_description as
select
    root.id as state_id,
    rtrim(
        coalesce(root.page || '. ', '')
        || coalesce(nullif(root.title, root.page) || '. ', '')
        || coalesce(
            (
                select group_concat(on_it.label, ', ')
                from (
                    select component.label
                    from state_component
                    inner join state_root on state_component.state_id = state_root.id
                    inner join component on state_component.component_id = component.id
                    where
                        state_root.root = root.id
                        and component.label is not null
                        and component.forgotten_at is null
                    group by component.label
                    order by min(state_component.y), min(state_component.x)
                ) as on_it
            ),
            ''
        )
    ) as description
from state as root
where root.merged_into is null and root.forgotten_at is null;
