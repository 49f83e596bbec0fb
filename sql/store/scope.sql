-- Tables of a scoped connection: for each that has owners, a temporary view of the same name stands
-- before it and shows the rows in reach alone, so that no statement can forget whose rows it may
-- read. Statements that write name the table itself: main.log.

-- name: scope
create temp table if not exists memctl_scope as
select
    :user as user_id,
    :agent as agent_id,
    :project as project;

-- name: log
-- The view of a table with owners; those of the others differ in the table's name alone.
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

-- name: journal
-- The view of a table whose rows are a session's, likewise.
create temp view journal as
select *
from main.journal
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

-- name: lifted
-- The view of a table with owners goes; those of the others likewise.
drop view if exists "temp".log;
