-- Whose each row is, and of which project: a store that was opened for a user, an agent or a
-- project reads its own rows alone. Rows of no project hold in all of them.

alter table log add column user_id text /* '': nobody in particular */ not null default '';
alter table log add column agent_id text /* '': the main agent */ not null default '';
-- Of which project; '': of none, read in all.
alter table log add column project text /* '': of none, read in all */ not null default '';

alter table episode add column user_id text /* '': nobody in particular */ not null default '';
alter table episode add column agent_id text /* '': the main agent */ not null default '';
-- Of which project; '': of none, read in all.
alter table episode add column project text /* '': of none, read in all */ not null default '';

-- Of which project; '': holds in all of them.
alter table fact add column project text /* '': holds in all of them */ not null default '';

-- The journal, the cache and the calls of tools are their session's.
alter table session add column user_id text /* '': nobody in particular */ not null default '';
alter table session add column agent_id text /* '': the main agent */ not null default '';
-- Of which project; '': of none, read in all.
alter table session add column project text /* '': of none, read in all */ not null default '';

alter table recall add column user_id text /* who asked */ not null default '';
alter table recall add column agent_id text /* '': the main agent */ not null default '';
-- Of which project; where it was asked.
alter table recall add column project text /* where it was asked */ not null default '';

alter table candidate add column user_id text /* as its turns */ not null default '';
alter table candidate add column agent_id text /* as its turns */ not null default '';
-- Of which project; as its turns.
alter table candidate add column project text /* as its turns */ not null default '';

-- The same statement of two people is two candidates.
drop index candidate_equal;
create unique index candidate_equal on candidate (equal_key, user_id, agent_id, project)
where status <> 'merged';

-- What was said last in a project, or for somebody.
create index log_project on log (project, logged_at)
where project <> '';
