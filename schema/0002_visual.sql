-- Visual memory: what an app looks like and where its screens lead.
-- Lengths are image pixels. Nothing is destroyed by housekeeping: what is forgotten or
-- merged is marked with when and why, and the views leave it out.
-- autoincrement: an id that a person, an agent or another process holds is never given again.

-- Something that can be seen: a button, an icon, a text.
create table component (
    id integer primary key autoincrement,
    name text not null,            -- unique among the living, whatever the case
    type text not null,            -- icon, text, button, input, link, image, ...
    source text not null,          -- who found the box: proposer, ocr, dom, ax, ...
    label text,                    -- the text on it; null: unlabelled
    page text,                     -- the page it was learned on, where the caller named it
    scale real not null check (scale > 0),  -- device-pixel ratio that the four below are in
    rel_x integer not null,        -- left edge where it was last seen, from the window's
    rel_y integer not null,        -- top edge, likewise
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    confidence real not null check (confidence between 0 and 1),  -- of the box
    learned_at text not null,
    last_seen_at text not null,
    seen_count integer not null check (seen_count >= 1),
    consecutive_misses integer not null default 0 check (consecutive_misses >= 0),
    pinned integer not null default 0 check (pinned in (0, 1)),  -- 1: never forgotten
    forgotten_at text,             -- null: living
    forgotten_why text,
    check ((forgotten_at is null) = (forgotten_why is null))
) strict;

create unique index component_living_name
on component (lower(name))
where forgotten_at is null;

-- Pictures of a component, one a variant: theme, scale, hover, disabled, ...
create table template (
    id integer primary key autoincrement,
    component_id integer not null references component (id) on delete cascade,
    png blob not null,             -- the crop, 8-bit colour
    sha256 text not null,          -- hex, of size and pixels
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    scale real not null check (scale > 0),  -- device-pixel ratio of its screenshot
    features blob,                 -- what matching needs, so that no PNG is decoded
    feature_version integer,
    learned_at text not null,
    unique (component_id, sha256)
) strict;

create index template_sha256 on template (sha256);

-- Screens of the app, known by the components on them.
create table state (
    id text primary key,           -- 's_' and hex digits of the hash of its first set
    name text,
    page text,
    status text not null check (status in ('provisional', 'confirmed')),
    visit_count integer not null check (visit_count >= 1),
    first_seen_at text not null,
    last_seen_at text not null,
    img_w integer not null check (img_w > 0),  -- the window it was first seen in, at scale 1
    img_h integer not null check (img_h > 0),
    ink blob not null,             -- which 16 px cells were drawn on outside of components:
    -- rows and columns (two bytes each), then one bit a cell, row by row
    merged_into text references state (id),    -- the same screen as this one
    merged_at text,
    merge_similarity real,
    forgotten_at text,
    forgotten_why text,
    check (merged_into is null or merged_into <> id),
    check ((merged_into is null) = (merged_at is null)),
    check ((forgotten_at is null) = (forgotten_why is null))
) strict;

create unique index state_living_name
on state (lower(name))
where name is not null and merged_into is null and forgotten_at is null;

-- Components of a state, and where they stood when it was first seen (at scale 1).
create table state_component (
    state_id text not null references state (id) on delete cascade,
    component_id integer not null references component (id) on delete cascade,
    defining integer not null check (defining in (0, 1)),  -- 0: met there later
    x integer not null,
    y integer not null,
    primary key (state_id, component_id)
) strict, without rowid;

create index state_component_component on state_component (component_id);

-- Texts that were readable on a state.
create table state_text (
    state_id text not null references state (id) on delete cascade,
    text text not null,
    primary key (state_id, text)
) strict, without rowid;

-- Acts on one screen that led to another.
create table transition (
    id integer primary key autoincrement,
    from_state text not null references state (id) on delete cascade,
    action text not null,          -- click, type, key, drag, scroll, ...
    component_id integer references component (id) on delete cascade,  -- acted on
    detail text,                   -- what was typed or pressed, where it matters
    to_state text not null references state (id) on delete cascade,
    status text not null check (status in ('pending', 'committed', 'discarded')),
    successes integer not null default 0 check (successes >= 0),
    failures integer not null default 0 check (failures >= 0),
    total_ms integer not null default 0 check (total_ms >= 0),  -- of the timed successes
    timed integer not null default 0 check (timed >= 0),        -- how many were timed
    recorded_at text not null,
    last_used_at text not null,
    check (from_state <> to_state)
) strict;

create unique index transition_key
on transition (from_state, action, coalesce(component_id, 0), coalesce(detail, ''), to_state)
where status = 'committed';
create index transition_to on transition (to_state);
create index transition_component on transition (component_id);

-- Screenshots that were learned, matched or searched for one component.
create table observation (
    id integer primary key,
    kind text not null check (kind in ('learn', 'match', 'locate')),
    observed_at text not null,
    img_sha256 text not null,      -- hex, of its size and gray values
    img_w integer not null,
    img_h integer not null,
    scale real not null,
    page text,
    window_box text check (window_box is null or json_valid(window_box)),  -- [x, y, w, h]
    state_id text references state (id) on delete set null,
    similarity real,
    found integer not null check (found >= 0),
    absent integer not null check (absent >= 0),
    learned integer not null default 0,
    duration_ms real not null,
    stages text check (stages is null or json_valid(stages)),  -- {"decode": 18.2, ...}
    -- Which version of the app was looked at, as whoever took the screenshot said it: reports
    -- compare how often things are missed from one version to the next.
    app_version text
) strict;

create index observation_state on observation (state_id);
create index observation_time on observation (observed_at);

-- Components looked for on a screenshot: found somewhere, or expected and absent.
create table sighting (
    observation_id integer not null references observation (id) on delete cascade,
    component_id integer not null references component (id) on delete cascade,
    found integer not null check (found in (0, 1)),
    template_id integer references template (id) on delete set null,
    x integer,
    y integer,
    w integer,
    h integer,
    score real,                    -- NCC, -1 to 1
    how text,                      -- which stage found it, or why it is absent
    primary key (observation_id, component_id),
    check (found = 0 or (x is not null and score is not null))
) strict, without rowid;

create index sighting_component on sighting (component_id);
create index sighting_template on sighting (template_id);

-- Full screenshots, kept only where the setting keep_screenshots says so.
create table screenshot (
    observation_id integer primary key references observation (id) on delete cascade,
    png blob not null
) strict;

-- Rows that a delete takes along. The foreign keys above say the same, but the sqlite3 shell does
-- not enforce them: a row deleted by hand must leave nothing behind either.
create trigger component_deleted after delete on component begin
    delete from template
    where component_id = old.id;
    delete from state_component
    where component_id = old.id;
    delete from sighting
    where component_id = old.id;
    delete from transition
    where component_id = old.id;
end;

create trigger template_deleted after delete on template begin
    update sighting
    set template_id = null
    where template_id = old.id;
end;

create trigger state_deleted after delete on state begin
    delete from state_component
    where state_id = old.id;
    delete from state_text
    where state_id = old.id;
    delete from transition
    where from_state = old.id or to_state = old.id;
    update observation
    set state_id = null
    where state_id = old.id;
    update state
    set merged_into = null, merged_at = null, merge_similarity = null
    where merged_into = old.id;
end;

create trigger observation_deleted after delete on observation begin
    delete from sighting
    where observation_id = old.id;
    delete from screenshot
    where observation_id = old.id;
end;

-- States and the one that each ended up in after merges: itself, or the one it was merged into.
create view state_root as
with recursive chain as (
    select
        id,
        id as root  -- noqa: AL08
    from state
    where merged_into is null
    union all
    select
        state.id,
        chain.root
    from state
    inner join chain on state.merged_into = chain.id
)

select
    id,
    root
from chain;

-- Components that define each living state. A provisional state is defined by all that
-- was on it; a confirmed one by what was seen again (seen_count >= 2).
create view state_definition as
select distinct
    root.id as state_id,
    component.id as component_id,
    component.name as component_name
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join state as root on state_root.root = root.id
inner join component on state_component.component_id = component.id
where
    state_component.defining = 1
    and component.forgotten_at is null
    and root.forgotten_at is null
    and (root.status = 'provisional' or component.seen_count >= 2);

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

-- The graph of states: committed transitions between living ones, merges added up.
create view state_graph as
select
    from_root.root as from_state,
    transition.action,
    transition.component_id,
    component.name as component_name,
    transition.detail,
    to_root.root as to_state,
    sum(transition.successes + transition.failures) as count,
    sum(transition.successes) as successes,
    sum(transition.failures) as failures,
    round(
        1.0 * sum(transition.successes) / sum(transition.successes + transition.failures), 4
    ) as success_rate,
    round(1.0 * sum(transition.total_ms) / nullif(sum(transition.timed), 0), 1) as mean_ms,
    max(transition.last_used_at) as last_used_at
from transition
inner join state_root as from_root on transition.from_state = from_root.id
inner join state_root as to_root on transition.to_state = to_root.id
inner join state as from_living on from_root.root = from_living.id
inner join state as to_living on to_root.root = to_living.id
left join component on transition.component_id = component.id
where
    transition.status = 'committed'
    and from_root.root <> to_root.root
    and from_living.forgotten_at is null
    and to_living.forgotten_at is null
    and component.forgotten_at is null
group by
    from_root.root, transition.action, transition.component_id, transition.detail, to_root.root;

-- Components and how long each has been missed; the stalest first.
create view component_health as
select
    component.id as component_id,
    component.name,
    component.type,
    component.page,
    component.seen_count,
    component.consecutive_misses,
    component.last_seen_at,
    component.pinned,
    component.forgotten_at,
    component.forgotten_why,
    case
        when component.forgotten_at is not null then 'forgotten'
        when component.consecutive_misses > 0 then 'stale'
        else 'fresh'
    end as health,
    (
        select count(*)
        from template
        where template.component_id = component.id
    ) as looks
from component
order by
    component.forgotten_at is not null,
    component.consecutive_misses desc,
    component.last_seen_at,
    component.id;
