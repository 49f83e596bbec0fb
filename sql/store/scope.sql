-- Tables of a scoped connection: for each that has owners, a temporary view of the same name stands
-- before it and shows the rows in reach alone, so that no statement can forget whose rows it may
-- read. Statements that write name the table itself: main.log.

-- name: scope
create temp table memctl_scope as
select
    :user as user_id,
    :agent as agent_id,
    :project as project;

-- name: log
create temp view log as
select *
from main.log as held
where
    exists (
        select 1
        from memctl_scope as whose
        where
            (whose.user_id is null or held.user_id = whose.user_id)
            and (whose.agent_id is null or held.agent_id = whose.agent_id)
            and (whose.project is null or held.project in ('', whose.project))
    );

-- name: episode
create temp view episode as
select *
from main.episode as held
where
    exists (
        select 1
        from memctl_scope as whose
        where
            (whose.user_id is null or held.user_id = whose.user_id)
            and (whose.agent_id is null or held.agent_id = whose.agent_id)
            and (whose.project is null or held.project in ('', whose.project))
    );

-- name: session
create temp view session as
select *
from main.session as held
where
    exists (
        select 1
        from memctl_scope as whose
        where
            (whose.user_id is null or held.user_id = whose.user_id)
            and (whose.agent_id is null or held.agent_id = whose.agent_id)
            and (whose.project is null or held.project in ('', whose.project))
    );

-- name: recall
create temp view recall as
select *
from main.recall as held
where
    exists (
        select 1
        from memctl_scope as whose
        where
            (whose.user_id is null or held.user_id = whose.user_id)
            and (whose.agent_id is null or held.agent_id = whose.agent_id)
            and (whose.project is null or held.project in ('', whose.project))
    );

-- name: candidate
create temp view candidate as
select *
from main.candidate as held
where
    exists (
        select 1
        from memctl_scope as whose
        where
            (whose.user_id is null or held.user_id = whose.user_id)
            and (whose.agent_id is null or held.agent_id = whose.agent_id)
            and (whose.project is null or held.project in ('', whose.project))
    );

-- name: journal
create temp view journal as
select *
from main.journal
where session in (select session.id from session);

-- name: journal_snapshot
create temp view journal_snapshot as
select *
from main.journal_snapshot
where session in (select session.id from session);

-- name: cache
create temp view cache as
select *
from main.cache
where session in (select session.id from session);

-- name: tool_call
create temp view tool_call as
select *
from main.tool_call
where session in (select session.id from session);

-- name: knowledge
-- A page that is made of a fact out of reach is out of reach itself.
create temp view knowledge as
select *
from main.knowledge as held
where
    not exists (
        select 1
        from main.knowledge_source as source
        inner join main.fact as fact on source.fact_id = fact.id
        cross join memctl_scope as whose
        where
            source.knowledge_id = held.id
            and not (
                (whose.user_id is null or fact.user_id = whose.user_id)
                and (whose.agent_id is null or fact.agent_id = whose.agent_id)
                and (whose.project is null or fact.project in ('', whose.project))
            )
    );
