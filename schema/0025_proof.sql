-- Proof of an act: what it is done to, what it changed when it was shown, and how each run ended.

-- How a step's target is known on its page, as JSON: its kind, its label, and the texts that stand
-- with it; null: by its picture alone.
alter table skill_step add column place text check (place is null or json_valid(place));

-- How the place is known where a drag is let go, likewise.
alter table skill_step add column onto text check (onto is null or json_valid(onto));

-- What the step changed when it was shown, as JSON: it is done when the same change is seen again.
alter table skill_step add column effects text not null default '{}' check (json_valid(effects));

-- The path of the page that it was shown on; null: nobody saw one.
alter table skill_step add column page text;

-- The tool of a host that does the step; null: it is done on the screen.
alter table skill_step add column tool text;

-- Checks apart from the screen: reload, http, sql, command, each with what it needs.
alter table skill add column verify text not null default '[]' check (json_valid(verify));

-- Names under which it is known as well, such as the one that a file gave it.
alter table skill add column aliases text not null default '[]' check (json_valid(aliases));

-- What kind of value it takes: text, number, email, date, url or boolean.
alter table skill_parameter add column kind text not null default 'text';

-- What it is, for people.
alter table skill_parameter add column description text not null default '';

-- 0: a run may leave it out.
alter table skill_parameter add column required integer not null default 1
check (required in (0, 1));

-- What proves a step are its effects; pictures of components prove nothing any more.
drop trigger skill_deleted;
drop trigger skill_run_deleted;
drop view skill_record;
drop table skill_step_proof;

create table skill_run_step_kept as
select *
from skill_run_step;

create table skill_run_kept as
select *
from skill_run;

drop table skill_run_step;
drop table skill_run;

-- Runs: what was predicted, and what happened.
create table skill_run (
    id integer primary key autoincrement,
    skill_id text not null references skill (id) on delete cascade,
    -- done: every effect was seen. failed: the app refused, or what had to change did not.
    -- uncertain: nobody can tell. halted: it stopped before an act. dropped: given up after it was
    -- killed.
    status text not null check (
        status in ('running', 'done', 'failed', 'uncertain', 'halted', 'dropped')
    ),
    step integer not null default 0,             -- the last step that was done
    params text not null default '{}' check (json_valid(params)),    -- values that it was given
    outputs text not null default '{}' check (json_valid(outputs)),  -- values that it read
    predicted real,                -- chance of success as the twin saw it, 0 to 1
    why text not null default '',  -- why it is not done
    looks integer not null default 0,            -- full looks
    seconds real not null default 0,             -- that it took
    owner text not null default '',              -- host and process, while it runs
    started_at text not null,
    ended_at text,
    feedback text check (feedback in ('right', 'wrong'))  -- what a person said of it afterwards
) strict;

create index skill_run_skill on skill_run (skill_id);

-- Steps of a run, each as it went.
create table skill_run_step (
    run_id integer not null references skill_run (id) on delete cascade,
    number integer not null,
    -- Recovered: done, by another way than the one it had.
    outcome text not null check (
        outcome in ('done', 'recovered', 'failed', 'uncertain', 'halted')
    ),
    why text not null default '',  -- why it is not done, or what was mended
    seconds real not null default 0,             -- that it took
    -- What was looked at before it: nothing, its target, or the whole screen.
    look text not null check (look in ('none', 'target', 'full')),
    before_png blob,               -- the screen before and after, where the step failed
    after_png blob,                -- likewise
    -- Where exactly one other thing fits all but its label or place: that, as JSON, for a person.
    proposal text check (proposal is null or json_valid(proposal)),
    primary key (run_id, number)
) strict;

insert into skill_run (
    id, skill_id, status, step, params, outputs, predicted, why, looks, seconds, owner, started_at,
    ended_at
)
select
    id,
    skill_id,
    status,
    step,
    params,
    outputs,
    predicted,
    why,
    looks,
    seconds,
    owner,
    started_at,
    ended_at
from skill_run_kept;

insert into skill_run_step (run_id, number, outcome, why, seconds, look, before_png, after_png)
select
    run_id,
    number,
    outcome,
    why,
    seconds,
    look,
    before_png,
    after_png
from skill_run_step_kept;

drop table skill_run_step_kept;
drop table skill_run_kept;

-- Skills with how their runs went.
create view skill_record as
select
    skill.id,
    skill.name,
    skill.status,
    skill.origin,
    count(skill_run.id) as runs,
    count(skill_run.id) filter (
        where skill_run.status = 'done' and coalesce(skill_run.feedback, 'right') = 'right'
    ) as done,
    count(skill_run.id) filter (
        where
        skill_run.status in ('halted', 'failed', 'uncertain')
        or (skill_run.status = 'done' and skill_run.feedback = 'wrong')
    ) as stopped,
    max(skill_run.started_at) as last_run_at
from skill
left join skill_run on skill.id = skill_run.skill_id and skill_run.status <> 'dropped'
group by skill.id;
