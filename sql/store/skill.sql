-- Skills, their steps and their runs.

-- name: add
insert into skill (
    name, description, status, origin, shape, url, triggers, facts, verify, aliases,
    support, expected, p_value, chance_rate, shown_looks, shown_seconds, created_at
)
values (
    :name, :description, 'draft', :origin, :shape, :url, :triggers, :facts, :verify, :aliases,
    :support, :expected, :p_value, :chance_rate, :shown_looks, :shown_seconds, :now
)
returning id;

-- name: add_step
insert into skill_step (
    skill_id, number, action, component_id, target, beside, detail,
    from_state, to_state, output, irreversible, mean_ms, place, onto, effects, page, tool
)
values (
    :skill, :number, :action, :component_id, :target, :beside, :detail,
    :from_state, :to_state, :output, :irreversible, :mean_ms, :place, :onto, :effects, :page, :tool
);

-- name: set_place
-- What a repaired step is done to.
update skill_step
set place = :place, onto = :onto, target = :target, component_id = null
where skill_id = :skill and number = :number;

-- name: add_parameter
insert into skill_parameter (skill_id, name, example, kind, description, required)
values (:skill, :name, :example, :kind, :description, :required);

-- name: add_source
insert or ignore into skill_source (skill_id, kind, item_id)
values (:skill, :kind, :item);

-- name: acts
-- Acts in the order of their sessions, with what they were done to.
select
    act.id,
    act.session,
    act.from_state,
    act.action,
    act.component_id,
    act.detail,
    act.to_state,
    act.done_at,
    component.name as component_name
from act
left join component on act.component_id = component.id
order by act.session, act.id;

-- name: calls
-- Calls of tools that went well, or of which nobody said how, in the order of their sessions.
select
    id,
    session,
    tool,
    input,
    called_at as done_at
from tool_call
where coalesce(ok, 1) = 1
order by session, id;

-- name: listed
-- Ids of skills of some statuses, the newest first.
select id
from skill
where
    status in (select asked_for.value from json_each(:statuses) as asked_for)
order by created_at desc, id;

-- name: details
-- Skills of a list of ids with how their runs went.
select
    skill.*,
    skill_record.runs,
    skill_record.done,
    skill_record.stopped,
    skill_record.last_run_at
from skill
inner join skill_record on skill.id = skill_record.id
where
    skill.id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: named
-- One skill by its id, or the living one of a name, or else of an alias.
select
    skill.*,
    skill_record.runs,
    skill_record.done,
    skill_record.stopped,
    skill_record.last_run_at
from skill
inner join skill_record on skill.id = skill_record.id
where
    skill.id = :key
    or (
        skill.status in ('draft', 'active')
        and (
            skill.name = :key
            or :key in (
                select alias.value
                from json_each(skill.aliases) as alias
            )
        )
    )
order by skill.id = :key desc, skill.name = :key desc
limit 1;

-- name: steps
-- Steps in order; a component that was forgotten is none any more.
select
    skill_step.*,
    component.name as component_name
from skill_step
left join component
    on skill_step.component_id = component.id and component.forgotten_at is null
where skill_step.skill_id = :skill
order by skill_step.number;

-- name: parameters
select *
from skill_parameter
where skill_id = :skill
order by name;

-- name: sources
select *
from skill_source
where skill_id = :skill
order by kind, item_id;

-- name: of_shape
-- The skill that does the same: living, or rejected.
select
    id,
    name,
    status
from skill
where shape = :shape and status <> 'archived'
order by created_at
limit 1;

-- name: any_active
select exists(
    select 1
    from skill
    where status = 'active'
);

-- name: decide
update skill
set status = :status, why = :why, url = coalesce(:url, url), decided_at = :now
where id = :id;

-- name: change
update skill
set
    name = :name,
    description = :description,
    triggers = :triggers,
    verify = :verify,
    aliases = :aliases
where id = :id;

-- name: begin_run
insert into skill_run (skill_id, status, params, predicted, owner, started_at)
values (:skill, 'running', :params, :predicted, :owner, :now);

-- name: add_run_step
insert or replace into skill_run_step (
    run_id, number, outcome, why, seconds, look, before_png, after_png, proposal
)
values (
    :run, :number, :outcome, :why, :seconds, :look, :before_png, :after_png, :proposal
);

-- name: advance
update skill_run
set step = :step, looks = :looks, seconds = :seconds, outputs = :outputs
where id = :id;

-- name: end_run
update skill_run
set status = :status, why = :why, ended_at = :now, owner = ''
where id = :id;

-- name: set_feedback
update skill_run
set feedback = :feedback
where id = :id;

-- name: runs
select *
from skill_run
where skill_id = :skill
order by id desc
limit :limit;

-- name: run
select *
from skill_run
where id = :id;

-- name: run_steps
select *
from skill_run_step
where run_id = :run
order by number;

-- name: going
-- The run that is at work, or was killed at it.
select *
from skill_run
where status = 'running'
order by id desc
limit 1;
