-- Whose each row is, and of which project: a store that was opened for a user, an agent or a
-- project reads its own rows alone. Rows of no project hold in all of them.

alter table log add column user_id text not null default '' /* '': nobody in particular */;
alter table log add column agent_id text not null default '' /* '': the main agent */;
alter table log add column project text not null default '' /* '': of none, read in all */;

alter table episode add column user_id text not null default '' /* '': nobody in particular */;
alter table episode add column agent_id text not null default '' /* '': the main agent */;
alter table episode add column project text not null default '' /* '': of none, read in all */;

alter table fact add column project text not null default '' /* '': holds in all of them */;

-- The journal, the cache and the calls of tools are their session's.
alter table session add column user_id text not null default '' /* '': nobody in particular */;
alter table session add column agent_id text not null default '' /* '': the main agent */;
alter table session add column project text not null default '' /* '': of none, read in all */;

alter table recall add column user_id text not null default '' /* who asked */;
alter table recall add column agent_id text not null default '' /* '': the main agent */;
alter table recall add column project text not null default '' /* where it was asked */;

alter table candidate add column user_id text not null default '' /* as its turns */;
alter table candidate add column agent_id text not null default '' /* as its turns */;
alter table candidate add column project text not null default '' /* as its turns */;

-- The same statement of two people is two candidates.
drop index candidate_equal;
create unique index candidate_equal on candidate (equal_key, user_id, agent_id, project)
where status <> 'merged';

-- What was said last in a project, or for somebody.
create index log_project on log (project, logged_at)
where project <> '';
