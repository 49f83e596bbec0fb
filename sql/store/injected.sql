-- What was put into prompts.

-- name: record
insert into main.injection (
    session, hook, tokens, injected_at, user_id, agent_id, project
)
values (
    :session, :hook, :tokens, :injected_at, :user_id, :agent_id, :project
);

-- name: record_rows
insert into injected_row (injection_id, name)
select
    :injection as injection_id,
    told.value as name
from json_each(:names) as told;

-- name: told
-- Names of the rows that a session of this owner was told and still knows, in any project.
select distinct injected_row.name
from injected_row
inner join main.injection as injection on injected_row.injection_id = injection.id
where
    injection.session = :session
    and injection.forgotten_at is null
    and injection.user_id = :user_id
    and injection.agent_id = :agent_id
    and (:hook is null or injection.hook = :hook);

-- name: forget
update main.injection
set forgotten_at = :now
where
    session = :session
    and forgotten_at is null
    and user_id = :user_id
    and agent_id = :agent_id;

-- name: unused
-- Rows that a session was told and has not used yet, with their texts.
select
    injected_row.injection_id,
    injected_row.name,
    coalesce(log.text, episode.summary, fact.text) as text
from injected_row
inner join injection on injected_row.injection_id = injection.id
left join log
    on
        injected_row.name like 'turn:%'
        and log.id = cast(substr(injected_row.name, 6) as integer)
left join episode
    on
        injected_row.name like 'episode:%'
        and episode.id = cast(substr(injected_row.name, 9) as integer)
left join fact on injected_row.name = fact.id
where
    injection.session = :session
    and injection.forgotten_at is null
    and injected_row.used_at is null
    and coalesce(log.text, episode.summary, fact.text) is not null;

-- name: last_prompt
select text
from log
where session = :session and role = 'user'
order by seq desc, id desc
limit 1;

-- name: mark_used
update injected_row
set used_at = :now
where
    used_at is null
    and injection_id = :injection
    and name = :name;
