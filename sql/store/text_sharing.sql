-- Turns, episodes, aliases and facts that go from one store of a person into another.

-- name: turns
-- Every turn; when it was last brought back, if it was.
select
    log.*,
    (
        select max(row_change.changed_at)
        from row_change
        where
            row_change.kind = 'turn'
            and row_change.item_id = log.id
            and row_change.change = 'restored'
    ) as restored_at
from log
order by log.id;

-- name: episodes
select
    episode.*,
    (
        select max(row_change.changed_at)
        from row_change
        where
            row_change.kind = 'episode'
            and row_change.item_id = episode.id
            and row_change.change = 'restored'
    ) as restored_at
from episode
order by episode.id;

-- name: add_turn
-- Its words follow with the batch.
insert into main.log (
    session, seq, role, speaker, text, details, logged_at, utc_offset, recorded_at, processed_at,
    archived_at, archived_why, later, user_id, agent_id, project
)
values (
    :session, :seq, :role, :speaker, :text, :details, :logged_at, :utc_offset, :recorded_at,
    :processed_at, :archived_at, :archived_why, 2, :user_id, :agent_id, :project
);

-- name: set_turn
update main.log
set
    seq = :seq, recorded_at = :recorded_at, processed_at = :processed_at,
    archived_at = :archived_at, archived_why = :archived_why
where id = :id;

-- name: add_episode
insert into main.episode (
    summary, details, tags, participants, confidence, source, thread, seq, happened_at,
    utc_offset, remembered_at, archived_at, archived_why, user_id, agent_id, project
)
values (
    :summary, :details, :tags, :participants, :confidence, :source, :thread, :seq, :happened_at,
    :utc_offset, :remembered_at, :archived_at, :archived_why, :user_id, :agent_id, :project
);

-- name: set_episode
update main.episode
set
    seq = :seq, confidence = :confidence, source = :source, remembered_at = :remembered_at,
    archived_at = :archived_at, archived_why = :archived_why
where id = :id;

-- name: episode_sources
select
    episode_id,
    log_id
from episode_source
order by episode_id, log_id;

-- name: add_episode_source
insert into episode_source (episode_id, log_id)
values (:episode_id, :log_id)
on conflict do nothing;

-- name: aliases
select *
from alias
order by term, synonym;

-- name: add_alias
insert into alias (term, synonym, added_at)
values (:term, :synonym, :added_at)
on conflict do update set added_at = min(added_at, excluded.added_at);

-- name: facts
select *
from fact
order by number;

-- name: add_fact
insert into fact (
    id, text, subject, attribute, value, category, importance, confidence, source, user_id,
    agent_id, project, session_id, metadata, status, status_why,
    immutable, pinned, valid_from, valid_to,
    expires_at, expires_by, archived_at, superseded_by, conflicts_with, created_at, updated_at,
    equal_key, subject_key, attribute_key, folded, about
)
values (
    :id, :text, :subject, :attribute, :value, :category, :importance, :confidence, :source,
    :user_id, :agent_id, :project, :session_id,
    :metadata, :status, :status_why, :immutable, :pinned,
    :valid_from, :valid_to, :expires_at, :expires_by, :archived_at, :superseded_by,
    :conflicts_with, :created_at, :updated_at, :equal_key, :subject_key, :attribute_key,
    :folded, :about
);

-- name: set_fact
-- The revision says that it is no edit by hand.
update fact
set
    text = :text, subject = :subject, attribute = :attribute, value = :value,
    category = :category, importance = :importance, confidence = :confidence, source = :source,
    user_id = :user_id, agent_id = :agent_id, project = :project,
    session_id = :session_id, metadata = :metadata,
    status = :status, status_why = :status_why, immutable = :immutable, pinned = :pinned,
    valid_from = :valid_from, valid_to = :valid_to, expires_at = :expires_at,
    expires_by = :expires_by, archived_at = :archived_at, superseded_by = :superseded_by,
    conflicts_with = :conflicts_with, created_at = :created_at,
    updated_at = :updated_at, equal_key = :equal_key, subject_key = :subject_key,
    attribute_key = :attribute_key, folded = :folded, about = :about, revision = revision + 1
where id = :id;

-- name: may_replace
-- A fact waits for one decision at a time.
update fact
set may_replace = :older
where id = :id and may_replace is null;

-- name: fact_supports
select *
from fact_support
order by fact_id, source;

-- name: add_fact_support
insert into fact_support (fact_id, source, supported_at)
values (:fact_id, :source, :supported_at)
on conflict do update set supported_at = min(supported_at, excluded.supported_at);

-- name: fact_changes
select *
from fact_history
order by id;

-- name: add_fact_change
insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor, why)
values (:fact_id, :event, :old_text, :new_text, :changed_at, :actor, :why);
