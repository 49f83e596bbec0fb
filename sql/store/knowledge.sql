-- Entries of knowledge, and the facts that they are made of.

-- name: facts
-- Facts that hold, or held of a project, in the order of their arrival.
select
    id,
    text,
    category,
    coalesce(subject, '') as subject,
    coalesce(subject_key, '') as subject_key,
    attribute_key,
    value,
    status,
    doubt,
    valid_from
from fact
where
    session_id = ''
    and valid_from <= :now
    and (
        (
            status = 'active'
            and archived_at is null
            and (expires_at is null or expires_at > :now or pinned = 1 or immutable = 1)
        )
        or (category = 'project' and status in ('active', 'superseded') and subject_key is not null)
    )
order by number;

-- name: present
select *
from knowledge
where retired_at is null
order by kind, subject;

-- name: sources
select fact_id
from knowledge_source
where knowledge_id = :id
order by fact_id;

-- name: add
insert into main.knowledge (kind, subject, title, body, made_at, run_id)
values (:kind, :subject, :title, :body, :now, :run);

-- name: cite
insert into knowledge_source (knowledge_id, fact_id)
values (:id, :fact);

-- name: retire
update main.knowledge
set retired_at = :now
where id = :id;

-- name: supersede
update main.knowledge
set superseded_by = :by
where id = :id;
