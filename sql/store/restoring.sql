-- Rows of an export, as they were, put into a store.

-- name: erased_fact
-- Whether history knows a fact whose row is gone.
select count(*)
from fact_history
where fact_id = :id;

-- name: erased_row
-- Whether a turn or an episode was erased.
select count(*)
from erasure
where kind = :kind and item_id = :id;

-- name: noted
-- What a row of another store became here, or that an edit was taken.
select item
from imported
where source = 'memctl' and digest = :digest;

-- name: note
insert into imported (source, digest, kind, item, imported_at)
values ('memctl', :digest, :kind, :item, :now);

-- name: like_turn
-- Turns at the same place of the same thread.
select id
from log
where session = :session and seq = :seq
order by id;

-- name: like_episode
select id
from episode
where happened_at = :happened_at and summary = :summary
order by id;

-- name: says_same
-- Whether a fact of the same owner holds and says the same.
select count(*)
from fact
where
    equal_key = :equal_key
    and user_id = :user_id
    and agent_id = :agent_id
    and project = :project
    and session_id = :session_id
    and status = 'active';

-- name: turn
-- A turn under its own id where that is free.
insert into main.log (
    id, session, seq, role, speaker, text, details, logged_at, utc_offset, recorded_at,
    processed_at, archived_at, archived_why, later, user_id, agent_id, project
)
select
    case
        when
            exists (
                select 1 from main.log
                where log.id = :id
            ) or exists (
                select 1 from main.episode
                where episode.id = :id
            )
            then 1 + max(
                (select coalesce(max(log.id), 0) from main.log),
                (select coalesce(max(episode.id), 0) from main.episode)
            )
        else :id
    end as id,
    :session as session,
    :seq as seq,
    :role as role,
    :speaker as speaker,
    :text as text,
    :details as details,
    :logged_at as logged_at,
    :utc_offset as utc_offset,
    :recorded_at as recorded_at,
    :processed_at as processed_at,
    :archived_at as archived_at,
    :archived_why as archived_why,
    2 as later,
    :user_id as user_id,
    :agent_id as agent_id,
    :project as project;

-- name: episode
-- An episode, likewise.
insert into main.episode (
    id, summary, details, tags, participants, confidence, source, thread, seq, happened_at,
    utc_offset, remembered_at, archived_at, archived_why, user_id, agent_id, project
)
select
    case
        when
            exists (
                select 1 from main.log
                where log.id = :id
            ) or exists (
                select 1 from main.episode
                where episode.id = :id
            )
            then 1 + max(
                (select coalesce(max(log.id), 0) from main.log),
                (select coalesce(max(episode.id), 0) from main.episode)
            )
        else :id
    end as id,
    :summary as summary,
    :details as details,
    :tags as tags,
    :participants as participants,
    :confidence as confidence,
    :source as source,
    :thread as thread,
    :seq as seq,
    :happened_at as happened_at,
    :utc_offset as utc_offset,
    :remembered_at as remembered_at,
    :archived_at as archived_at,
    :archived_why as archived_why,
    :user_id as user_id,
    :agent_id as agent_id,
    :project as project;

-- name: fact
insert into fact (
    id, text, subject, attribute, value, category, importance, confidence, source,
    user_id, agent_id, project, session_id, metadata, status, status_why, immutable, pinned,
    valid_from, valid_to, expires_at, expires_by, archived_at, superseded_by, conflicts_with,
    may_replace, doubt, doubted_by, about, created_at, updated_at, revision,
    equal_key, subject_key, attribute_key, folded
)
values (
    :id, :text, :subject, :attribute, :value, :category, :importance, :confidence, :source,
    :user_id, :agent_id, :project, :session_id,
    :metadata, :status, :status_why, :immutable, :pinned,
    :valid_from, :valid_to, :expires_at, :expires_by, :archived_at, :superseded_by,
    :conflicts_with, :may_replace, :doubt, :doubted_by, :about, :created_at, :updated_at, :revision,
    :equal_key, nullif(:subject_key, ''), nullif(:attribute_key, ''), nullif(:folded, '')
);

-- name: change
insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor, why)
values (:fact_id, :event, :old_text, :new_text, :changed_at, :actor, :why);

-- name: support
insert into fact_support (fact_id, source, supported_at)
values (:fact_id, :source, :supported_at);

-- name: alias
insert into alias (term, synonym, added_at)
values (:term, :synonym, :added_at);

-- name: knowledge
insert into main.knowledge (kind, subject, title, body, made_at)
values (:about, :subject, :title, :body, :made_at);

-- name: cite
insert into knowledge_source (knowledge_id, fact_id)
values (:knowledge_id, :fact_id);
