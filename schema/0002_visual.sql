-- Visual memory: what an app looks like and where its screens lead.
-- Lengths are image pixels. Nothing is destroyed by housekeeping: what is forgotten or
-- merged is marked with when and why, and the views leave it out.
-- autoincrement: an id that a person, an agent or another process holds is never given again.

-- Something that can be seen: a button, an icon, a text.
create table component (
    id integer primary key autoincrement,  -- [local]
    name text not null,            -- unique among the living, whatever the case [pack; own]
    type text not null,            -- icon, text, button, input, link, image, ... [pack; note]
    source text not null,          -- who found the box: proposer, ocr, dom, ax, ... [pack; note]
    label text,                    -- the text on it; null: unlabelled [pack; own]
    page text,  -- the page it was learned on, where the caller named it [pack; own]
    scale real not null check (scale > 0),  -- device-pixel ratio that the four below are in [pack]
    rel_x integer not null,        -- left edge where it was last seen, from the window's [pack]
    rel_y integer not null,        -- top edge, likewise [pack]
    w integer not null check (w > 0),  -- [pack]
    h integer not null check (h > 0),  -- [pack]
    confidence real not null check (confidence between 0 and 1),  -- of the box [pack]
    learned_at text not null,  -- [pack]
    last_seen_at text not null,  -- [pack]
    seen_count integer not null check (seen_count >= 1),  -- [pack]
    consecutive_misses integer not null default 0 check (consecutive_misses >= 0),  -- [local]
    pinned integer not null default 0 check (pinned in (0, 1)),  -- 1: never forgotten [store]
    forgotten_at text,             -- null: living [pack]
    forgotten_why text,  -- [store; note]
    -- How many other components on the screenshot that it was last learned from look like it. Where
    -- nothing beside them differs, they are found only while there are as many.
    -- Null: nobody looked, as it was learned from a picture of it alone.
    twins integer check (twins >= 0),  -- [pack]
    -- The name that memctl made; a name that differs from it was given by a person, and stays.
    -- Null: memctl made none.
    made_name text,  -- [local; own]
    -- Text that names its row of a table or list, as the source of its box says.
    row_text text,  -- [store; own]
    -- Title of the part of the page that it is in, likewise.
    section text,  -- [store; own]
    -- 1: the screen shows only the beginning of its label, and pixels cannot settle which it is.
    cut integer not null default 0 check (cut in (0, 1)),  -- [pack]
    -- 1: a person types or chooses its contents, which are never remembered.
    field integer not null default 0 check (field in (0, 1)),  -- [pack]
    -- When its place was first seen to show something else each time; null: it has not been.
    changing_at text,  -- [store]
    check ((forgotten_at is null) = (forgotten_why is null))
) strict;

create unique index component_living_name
on component (lower(name))
where forgotten_at is null;

-- Pictures of a component, one a variant: theme, scale, hover, disabled, ...
create table template (
    id integer primary key autoincrement,  -- [local]
    component_id integer not null references component (id) on delete cascade,  -- [local]
    png blob not null,             -- the crop, 8-bit colour [pack; note]
    sha256 text not null,          -- hex, of size and pixels [pack; plain]
    w integer not null check (w > 0),  -- [pack]
    h integer not null check (h > 0),  -- [pack]
    scale real not null check (scale > 0),  -- device-pixel ratio of its screenshot [pack]
    features blob,                 -- what matching needs, so that no PNG is decoded [local; note]
    feature_version integer,  -- [local]
    learned_at text not null,  -- [pack]
    -- Pixels without ink beyond the left edge of the picture, where it was cut out: a label that
    -- goes on there now is another one. Null: nobody knows, as the picture came alone.
    blank_left integer check (blank_left >= 0),  -- [pack]
    -- Likewise beyond its right edge.
    blank_right integer check (blank_right >= 0),  -- [pack]
    unique (component_id, sha256)
) strict;

create index template_sha256 on template (sha256);

-- Pictures of what is beside a component that has look-alikes, such as the name in its row of a
-- table: by them its place is found among equal ones.
create table row_key (
    id integer primary key autoincrement,  -- [local]
    component_id integer not null references component (id) on delete cascade,  -- [local]
    position integer not null check (position >= 0),  -- in the order they are asked in [store]
    -- 1: it distinguished its component from look-alikes on that screenshot; 0: there were none.
    twin integer not null check (twin in (0, 1)),  -- [store]
    -- Device-pixel ratio of the lengths and the picture.
    scale real not null check (scale > 0),  -- [store]
    dx integer not null,           -- left edge of the picture, from the component's [store]
    dy integer not null,           -- top edge, likewise [store]
    x integer not null,            -- the picture's place on the screenshot it was cut from [store]
    y integer not null,  -- [store]
    w integer not null check (w > 0),  -- [store]
    h integer not null check (h > 0),  -- [store]
    -- Where its row or card began, from the component's left edge.
    reach_left integer not null,  -- [store]
    reach_right integer not null,  -- where it ended, likewise [store]
    png blob not null,             -- gray, 8 bit [store; note]
    -- Of the screenshot that it was cut from, as in observation.
    img_sha256 text not null,  -- [store; plain]
    learned_at text not null,  -- [store]
    -- The template that it is beside, by its sha256.
    look text not null check (look <> ''),  -- [store; plain]
    -- 1: the other keys of the template distinguish the component without this one.
    may_change integer not null default 0 check (may_change in (0, 1)),  -- [store]
    -- Pixels that it may be higher or lower by, as the heading of a column is.
    reach_up integer not null default 0 check (reach_up >= 0),  -- [store]
    unique (component_id, position)
) strict;

-- Screens of the app, known by the components on them.
create table state (
    id text primary key,  -- 's_' and hex digits of the hash of its first set [local; plain]
    name text,  -- [pack; own]
    page text,  -- [pack; own]
    status text not null check (status in ('provisional', 'confirmed')),  -- [pack]
    visit_count integer not null check (visit_count >= 1),  -- [pack]
    first_seen_at text not null,  -- [pack]
    last_seen_at text not null,  -- [pack]
    img_w integer not null check (img_w > 0),  -- the window it was first seen in, at scale 1 [pack]
    img_h integer not null check (img_h > 0),  -- [pack]
    merged_into text references state (id),    -- the same screen as this one [local]
    merged_at text,  -- [local]
    merge_similarity real,  -- [local]
    forgotten_at text,  -- [local]
    forgotten_why text,  -- [local; note]
    -- Words of the screen that the state was first seen on, 32 bytes each: a shape of 24 x 8 bits,
    -- then x, y, w and h, two bytes each. Null: it came without them, and was not seen here yet.
    words blob,  -- [store; note]
    -- 0: they were read from pictures of its components: what stood outside of these is unknown.
    words_whole integer not null default 1 check (words_whole in (0, 1)),  -- [store]
    -- What the state was made of: a screen without components is known by its words alone, and is
    -- not forgotten for want of components.
    known_by text not null default 'components' check (  -- [pack]
        known_by in ('components', 'words')
    ),
    -- Title of the window or document that the screen was last learned with; null: unknown.
    title text,  -- [store; own]
    -- Mean gray of each 8 x 8 pixel cell at device-pixel ratio 1, row by row, 1 to 255; 0: hidden.
    -- Compressed by zlib; null: the whole screen was never seen.
    look blob check (look is null or length(look) > 0),  -- [store; note]
    -- Areas that are not compared, as JSON: [[x, y, w, h], ...] in pixels at device-pixel ratio 1.
    ignored text not null default '[]' check (json_valid(ignored)),  -- [store; plain]
    check (merged_into is null or merged_into <> id),
    check ((merged_into is null) = (merged_at is null)),
    check ((forgotten_at is null) = (forgotten_why is null))
) strict;

create unique index state_living_name
on state (lower(name))
where name is not null and merged_into is null and forgotten_at is null;

-- Components of a state, and where they were when it was first seen (at scale 1).
create table state_component (
    state_id text not null references state (id) on delete cascade,  -- [local]
    component_id integer not null references component (id) on delete cascade,  -- [pack]
    defining integer not null check (defining in (0, 1)),  -- 0: met there later [pack]
    x integer not null,  -- [pack]
    y integer not null,  -- [pack]
    primary key (state_id, component_id)
) strict, without rowid;

create index state_component_component on state_component (component_id);

-- Texts that were readable on a state.
create table state_text (
    state_id text not null references state (id) on delete cascade,  -- [local]
    text text not null,  -- [store; own]
    primary key (state_id, text)
) strict, without rowid;

-- Acts on one screen, and the screen that they led to.
create table transition (
    id integer primary key autoincrement,  -- [local]
    from_state text not null references state (id) on delete cascade,  -- [pack]
    action text not null,          -- click, type, key, drag, scroll, ... [pack; plain]
    component_id integer references component (id) on delete cascade,  -- acted on [pack]
    detail text,                   -- what was typed or pressed, where it matters [pack; row]
    to_state text not null references state (id) on delete cascade,  -- [pack]
    status text not null check (status in ('pending', 'committed', 'discarded')),  -- [local]
    successes integer not null default 0 check (successes >= 0),  -- [pack]
    failures integer not null default 0 check (failures >= 0),  -- [pack]
    total_ms integer not null default 0 check (total_ms >= 0),  -- of the timed successes [pack]
    timed integer not null default 0 check (timed >= 0),        -- how many were timed [pack]
    recorded_at text not null,  -- [pack]
    last_used_at text not null  -- [pack]
) strict;

create unique index transition_key
on transition (from_state, action, coalesce(component_id, 0), coalesce(detail, ''), to_state)
where status = 'committed';
create index transition_to on transition (to_state);
create index transition_component on transition (component_id);

-- Screenshots that were learned, matched or searched for one component. [local]
create table observation (
    id integer primary key,
    kind text not null check (kind in ('learn', 'match', 'locate')),
    observed_at text not null,
    img_sha256 text not null,      -- hex, of its size and gray values [plain]
    img_w integer not null,
    img_h integer not null,
    scale real not null,
    page text,  -- [null]
    window_box text check (window_box is null or json_valid(window_box)),  -- [x, y, w, h] [plain]
    state_id text references state (id) on delete set null,
    similarity real,
    found integer not null check (found >= 0),
    absent integer not null check (absent >= 0),
    learned integer not null default 0,
    duration_ms real not null,
    stages text check (stages is null or json_valid(stages)),  -- {"decode": 18.2, ...} [plain]
    -- Version of the app, as the caller named it: reports compare how often things are missed from
    -- one version to the next.
    app_version text  -- [note]
) strict;

create index observation_state on observation (state_id);
create index observation_time on observation (observed_at);

-- Components looked for on a screenshot: found somewhere, or expected and absent. [local]
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
    how text,                      -- which stage found it, or why it is absent [null]
    primary key (observation_id, component_id),
    check (found = 0 or (x is not null and score is not null))
) strict, without rowid;

create index sighting_component on sighting (component_id);
create index sighting_template on sighting (template_id);

-- Full screenshots, kept only where the setting keep_screenshots says so. [local]
create table screenshot (
    observation_id integer primary key references observation (id) on delete cascade,
    png blob not null  -- [note]
) strict;

-- One erasure: a component that a person erased. [local]
create table erased_component (
    id integer primary key autoincrement,
    erased_at text not null
) strict;

-- Places where an erased component was. Nothing is learned there, and no picture is taken. [local]
create table erased_place (
    erased_id integer not null references erased_component (id) on delete cascade,
    state_id text not null references state (id) on delete cascade,
    x integer not null,            -- in pixels at scale 1, as in state_component
    y integer not null,
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    primary key (erased_id, state_id)
) strict, without rowid;

create index erased_place_state on erased_place (state_id);

-- By what its pixels are known where they appear again: a keyed digest (HMAC-SHA-256) of each of
-- its pictures. The pixels cannot be computed from it. But the key stands beside it: whoever has
-- the file and can guess the picture (a known name in a known font) can tell that the guess is
-- right, as memctl does. It protects from reading what was erased, not from checking a suspicion.
-- [local]
create table erased_pixels (
    erased_id integer not null references erased_component (id) on delete cascade,
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    key blob not null,             -- 32 random bytes [plain]
    -- 16 bits of a keyed sum of its gray values: only places of the same sum are digested.
    mark integer not null check (mark between 0 and 65535),
    digest blob not null,          -- of size and pixels, 32 bytes [plain]
    primary key (erased_id, key)
) strict, without rowid;

-- Components as another store knows them. Counts of one origin only grow, so merging takes the
-- larger one; a component's own seen_count is the sum of these and of what was seen here.
create table component_share (
    origin_id text not null references origin (id),  -- [pack]
    number integer not null,       -- the component's id there [pack]
    -- Here; null: erased here.
    component_id integer references component (id) on delete set null,  -- [local]
    name text,                     -- as somebody there named it; null: nobody did [pack; null]
    seen_count integer not null check (seen_count >= 0),  -- [pack]
    -- 1: it came in a pack: whoever made that let it out of his hands.
    packed integer not null default 0 check (packed in (0, 1)),  -- [local]
    primary key (origin_id, number)
) strict, without rowid;

create index component_share_component on component_share (component_id);

-- States as another store knows them.
create table state_share (
    origin_id text not null references origin (id),  -- [pack]
    state_there text not null,     -- the state's id there [pack; plain]
    state_id text references state (id) on delete set null,  -- here; null: erased here [local]
    name text,                     -- as somebody there named it; null: nobody did [pack; null]
    visit_count integer not null check (visit_count >= 0),  -- [pack]
    primary key (origin_id, state_there)
) strict, without rowid;

create index state_share_state on state_share (state_id);

-- What another store counted of a transition.
create table transition_share (
    transition_id integer not null references transition (id) on delete cascade,  -- [local]
    origin_id text not null references origin (id),  -- [pack]
    successes integer not null check (successes >= 0),  -- [pack]
    failures integer not null check (failures >= 0),  -- [pack]
    total_ms integer not null check (total_ms >= 0),  -- of the timed successes [pack]
    timed integer not null check (timed >= 0),        -- how many were timed [pack]
    primary key (transition_id, origin_id)
) strict, without rowid;

-- States that were merged into a deleted one are separate again. A foreign key cannot do it: three
-- columns change.
create trigger state_deleted after delete on state begin
    update state
    set merged_into = null, merged_at = null, merge_similarity = null
    where merged_into = old.id;
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
    coalesce(root.name, root.page) as state_name,
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
    root.name,
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

-- The graph of states: committed transitions between living ones, merges added up. What led from
-- one state to another that it was merged with since, leads nowhere. States are called by their
-- names, as in state_summary, or else by their pages.
create view state_graph as
with living as (
    select
        state.id,
        coalesce(state.name, min(member.name), state.page) as name
    from state
    inner join state_root on state.id = state_root.root
    inner join state as member on state_root.id = member.id
    where state.forgotten_at is null
    group by state.id
)

select
    from_root.root as from_state,
    from_living.name as from_name,
    transition.action,
    transition.component_id,
    component.name as component_name,
    transition.detail,
    to_root.root as to_state,
    to_living.name as to_name,
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
inner join living as from_living on from_root.root = from_living.id
inner join living as to_living on to_root.root = to_living.id
left join component on transition.component_id = component.id
where
    transition.status = 'committed'
    and (from_root.root <> to_root.root or transition.from_state = transition.to_state)
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

-- Components and what each one looks like, the last seen first; one row for each of its looks.
create view component_picture as
select
    component.id as component_id,
    component.name,
    template.png,
    component.type,
    component.page,
    component.seen_count,
    component.last_seen_at,
    template.id as template_id
from component
inner join template on component.id = template.component_id
where component.forgotten_at is null
order by component.last_seen_at desc, component.id, template.id;
