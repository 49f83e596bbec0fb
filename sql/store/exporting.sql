-- Rows as they leave a store, in batches and in their order: those after the last one's place.

-- name: turn
select
    log.*,
    log.id as place
from log
where
    log.id > :after
    and (:id is null or log.id = :id)
    and (:since is null or log.logged_at >= :since)
    and (:until is null or log.logged_at < :until)
    and (:states is null or iif(log.archived_at is null, 'active', 'forgotten') in (
        select asked_for.value
        from json_each(:states) as asked_for
    ))
    and :tags is null
order by log.id
limit :most;

-- name: episode
select
    episode.*,
    episode.id as place,
    (
        select json_group_array(episode_source.log_id)
        from episode_source
        where episode_source.episode_id = episode.id
    ) as turns
from episode
where
    episode.id > :after
    and (:id is null or episode.id = :id)
    and (:since is null or episode.happened_at >= :since)
    and (:until is null or episode.happened_at < :until)
    and (:states is null or iif(episode.archived_at is null, 'active', 'forgotten') in (
        select asked_for.value
        from json_each(:states) as asked_for
    ))
    and (:tags is null or exists (
        select 1
        from json_each(episode.tags) as present
        inner join json_each(:tags) as asked_for
            on lower(present.value) = lower(asked_for.value)
    ))
order by episode.id
limit :most;

-- name: fact
-- Facts of a scope, each with all that changed of it and who else said so. What was archived is
-- forgotten.
select
    fact.*,
    fact.number as place,
    (
        select json_group_array(json(line.told))
        from (
            select
                json_object(
                    'event', fact_history.event,
                    'old_text', fact_history.old_text,
                    'new_text', fact_history.new_text,
                    'changed_at', fact_history.changed_at,
                    'actor', fact_history.actor,
                    'why', fact_history.why
                ) as told
            from fact_history
            where fact_history.fact_id = fact.id
            order by fact_history.id
        ) as line
    ) as history,
    (
        select json_group_array(json_array(fact_support.source, fact_support.supported_at))
        from fact_support
        where fact_support.fact_id = fact.id
    ) as support
from fact
where
    fact.number > :after
    and (:id is null or fact.id = :id)
    and (:scope_user is null or fact.user_id = :scope_user)
    and (:scope_agent is null or fact.agent_id = :scope_agent)
    and (:scope_project is null or fact.project in ('', :scope_project))
    and (:scope_session is null or fact.session_id in ('', :scope_session))
    and (:since is null or fact.valid_from >= :since)
    and (:until is null or fact.valid_from < :until)
    and (:states is null or iif(fact.archived_at is null, fact.status, 'forgotten') in (
        select asked_for.value
        from json_each(:states) as asked_for
    ))
    and (:tags is null or lower(fact.category) in (
        select lower(asked_for.value)
        from json_each(:tags) as asked_for
    ))
order by fact.number
limit :most;

-- name: alias
-- Aliases in the order of their words; they have neither day nor tag.
select
    alias.*,
    alias.rowid_of as place
from (
    select
        term,
        synonym,
        added_at,
        row_number() over (
            order by term, synonym
        ) as rowid_of
    from alias
) as alias
where
    alias.rowid_of > :after
    and (:id is null or alias.term || char(9) || alias.synonym = :id)
    and coalesce(:since, :until, :tags) is null
    and (:states is null or 'active' in (
        select asked_for.value
        from json_each(:states) as asked_for
    ))
order by alias.rowid_of
limit :most;

-- name: knowledge
-- What is known by now of projects and of the user, with the facts that it cites.
select
    knowledge.*,
    knowledge.id as place,
    (
        select json_group_array(knowledge_source.fact_id)
        from knowledge_source
        where knowledge_source.knowledge_id = knowledge.id
    ) as sources
from knowledge
where
    knowledge.id > :after
    and knowledge.retired_at is null
    and (:id is null or knowledge.kind || char(9) || knowledge.subject = :id)
    and (:since is null or knowledge.made_at >= :since)
    and (:until is null or knowledge.made_at < :until)
    and (:states is null or 'active' in (
        select asked_for.value
        from json_each(:states) as asked_for
    ))
    and :tags is null
order by knowledge.id
limit :most;

-- name: journals
-- The sessions whose journals hold something now.
select distinct
    journal.session,
    journal.channel
from journal
where journal.ended_at is null
order by journal.session, journal.channel;
