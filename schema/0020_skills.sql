-- Skills: how things are done, what that is known from, how it went; and acts that keep a state.

-- An act that keeps its state (an open submenu, a folder, a typed word) is an edge, too.
create table transition_kept as
select *
from transition;

drop view state_graph;
drop table transition;

-- Acts on one screen, and the screen that they led to.
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
    last_used_at text not null
) strict;

insert into transition
select *
from transition_kept;

drop table transition_kept;

create unique index transition_key
on transition (from_state, action, coalesce(component_id, 0), coalesce(detail, ''), to_state)
where status = 'committed';
create index transition_to on transition (to_state);
create index transition_component on transition (component_id);

-- The graph of states: committed transitions between living ones, merges added up. What led from
-- one state to another that it was merged with since, leads nowhere.
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
    and (from_root.root <> to_root.root or transition.from_state = transition.to_state)
    and from_living.forgotten_at is null
    and to_living.forgotten_at is null
    and component.forgotten_at is null
group by
    from_root.root, transition.action, transition.component_id, transition.detail, to_root.root;

-- Acts in the order in which they were done: habits are mined from them.
create table act (
    id integer primary key,
    session text not null default '',            -- whose they are; '': nobody said
    from_state text not null,
    action text not null,          -- click, type, key, drag, scroll, ...
    component_id integer,          -- acted on
    detail text,                   -- what was typed or pressed
    to_state text not null,
    done_at text not null
) strict;

create index act_order on act (session, id);

-- Skills: a draft waits for a person; what was rejected stays rejected, by its shape.
create table skill (
    id text primary key default ('k_' || lower(hex(randomblob(6)))),  -- what callers use
    name text not null,            -- small letters, digits and hyphens, as SKILL.md wants it
    description text not null default '',
    status text not null check (status in ('draft', 'active', 'rejected', 'archived')),
    -- From a demonstration, from what was done again and again, or from a file.
    origin text not null check (origin in ('recorded', 'mined', 'imported')),
    shape text not null,           -- a digest of what its steps do: equal ones are one skill
    url text,                      -- where it begins; null: not in a browser
    -- What people ask for it with.
    triggers text not null default '[]' check (json_valid(triggers)),
    facts text not null default '[]' check (json_valid(facts)),  -- what must be known, as texts
    support integer,               -- mined: sequences that hold it
    expected real,                 -- mined: how many would by chance
    p_value real,                  -- mined: the chance of that many
    chance_rate real,              -- mined: drafts that the miner finds in a shuffled log
    why text not null default '',  -- why it was rejected or archived
    created_at text not null,
    decided_at text                -- when a person decided; null: nobody has
) strict;

create unique index skill_name on skill (name)
where status in ('draft', 'active');
create index skill_shape on skill (shape);

-- Steps, in order.
create table skill_step (
    skill_id text not null references skill (id) on delete cascade,
    number integer not null check (number >= 1),
    action text not null,          -- click, double click, right click, hover, drag, type, key, ...
    component_id integer references component (id) on delete set null,  -- acted on
    target text,                   -- what it was called; null: the page, or the field in focus
    beside text,                   -- what stands in its row, where others look the same
    detail text,                   -- what is typed or pressed, or where to; {name} is a parameter
    from_state text,               -- the screen before, and the one expected after
    to_state text,
    output text,                   -- the name under which what stands there is read
    -- 1: it cannot be undone: delete, send, pay.
    irreversible integer not null default 0 check (irreversible in (0, 1)),
    mean_ms real,                  -- how long it took until the screen was there
    primary key (skill_id, number)
) strict, without rowid;

create index skill_step_component on skill_step (component_id);

-- What proves that a step led where it leads: components that come with it, or go with it.
create table skill_step_proof (
    skill_id text not null,
    number integer not null,
    component_id integer not null references component (id) on delete cascade,
    appears integer not null check (appears in (0, 1)),  -- 1: it comes; 0: it goes
    primary key (skill_id, number, component_id),
    foreign key (skill_id, number) references skill_step (skill_id, number) on delete cascade
) strict, without rowid;

create index skill_step_proof_component on skill_step_proof (component_id);

-- What varies from time to time.
create table skill_parameter (
    skill_id text not null references skill (id) on delete cascade,
    name text not null,
    example text not null default '',            -- a value that it had
    primary key (skill_id, name)
) strict, without rowid;

-- Rows that a skill is known from.
create table skill_source (
    skill_id text not null references skill (id) on delete cascade,
    kind text not null check (kind in ('transition', 'act', 'tool call')),
    item_id integer not null,
    primary key (skill_id, kind, item_id)
) strict, without rowid;

-- Runs: what was predicted, and what happened.
create table skill_run (
    id integer primary key autoincrement,
    skill_id text not null references skill (id) on delete cascade,
    status text not null check (status in ('running', 'done', 'halted', 'failed', 'dropped')),
    step integer not null default 0,             -- the last step that was done
    params text not null default '{}' check (json_valid(params)),    -- values that it was given
    outputs text not null default '{}' check (json_valid(outputs)),  -- values that it read
    predicted real,                -- chance of success as the twin saw it, 0 to 1
    why text not null default '',  -- why it halted or failed
    looks integer not null default 0,            -- full looks
    seconds real not null default 0,             -- that it took
    owner text not null default '',              -- host and process, while it runs
    started_at text not null,
    ended_at text
) strict;

create index skill_run_skill on skill_run (skill_id);

-- Steps of a run, each as it went.
create table skill_run_step (
    run_id integer not null references skill_run (id) on delete cascade,
    number integer not null,
    -- Recovered: done, by another way than the one it had.
    outcome text not null check (outcome in ('done', 'recovered', 'halted', 'failed')),
    why text not null default '',  -- why it halted or failed, or what was mended
    seconds real not null default 0,             -- that it took
    -- What was looked at before it: nothing, its target, or the whole screen.
    look text not null check (look in ('none', 'target', 'full')),
    before_png blob,               -- the screen before and after, where the step failed
    after_png blob,                -- likewise
    primary key (run_id, number)
) strict;

-- Rows that a delete by hand takes along.
create trigger skill_deleted after delete on skill begin
    delete from skill_step_proof
    where skill_id = old.id;
    delete from skill_step
    where skill_id = old.id;
    delete from skill_parameter
    where skill_id = old.id;
    delete from skill_source
    where skill_id = old.id;
    delete from skill_run
    where skill_id = old.id;
end;

create trigger skill_run_deleted after delete on skill_run begin
    delete from skill_run_step
    where run_id = old.id;
end;

-- What an erased component or state was in, is erased with it.
create trigger component_deleted_act after delete on component begin
    delete from act
    where component_id = old.id;
    update skill_step
    set component_id = null
    where component_id = old.id;
end;

create trigger state_deleted_act after delete on state begin
    delete from act
    where from_state = old.id or to_state = old.id;
end;

-- Skills with how their runs went.
create view skill_record as
select
    skill.id,
    skill.name,
    skill.status,
    skill.origin,
    count(skill_run.id) as runs,
    count(skill_run.id) filter (where skill_run.status = 'done') as done,
    count(skill_run.id) filter (where skill_run.status in ('halted', 'failed')) as stopped,
    max(skill_run.started_at) as last_run_at
from skill
left join skill_run on skill.id = skill_run.skill_id and skill_run.status <> 'dropped'
group by skill.id;
