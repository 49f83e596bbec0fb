-- Conditions that several statements share: `:fact_holds` in a statement stands for the one of that
-- name here.

-- name: fact_in_scope
-- Whose facts are asked for, and whether a session's own are.
select 1
from fact
where
    (:scope_user is null or fact.user_id = :scope_user)
    and (:scope_agent is null or fact.agent_id = :scope_agent)
    and (:scope_project is null or fact.project in ('', :scope_project))
    and (
        (:scope_reach <> 'session' and fact.session_id = '')
        or (
            :scope_reach <> 'long-term'
            and fact.session_id <> ''
            and (:scope_session is null or fact.session_id = :scope_session)
        )
    );

-- name: fact_of_owner
select 1
from fact
where fact.user_id = :user_id and fact.agent_id = :agent_id and fact.project = :project;

-- name: fact_holds
-- It holds at a time, or now where none is asked for.
select 1
from fact
where
    fact.status in ('active', 'superseded')
    and fact.valid_from <= coalesce(:as_of, max(:now, fact.created_at))
    and (
        fact.valid_to is null
        or fact.valid_to > coalesce(:as_of, max(:now, fact.updated_at, fact.valid_from))
    )
    and (fact.archived_at is null or :as_of is not null)
    and (
        fact.expires_at is null
        or fact.expires_at > coalesce(:as_of, :now)
        or (fact.expires_by = 'category' and (fact.pinned = 1 or fact.immutable = 1))
    );

-- name: fact_is_present
-- It holds now, and is not put away.
select 1
from fact
where
    fact.status in ('active', 'superseded')
    and fact.archived_at is null
    and fact.valid_from <= max(:now, fact.created_at)
    and (
        (fact.valid_to is null and fact.status = 'active')
        or fact.valid_to > max(:now, fact.updated_at, fact.valid_from)
    )
    and (
        fact.expires_at is null
        or fact.expires_at > :now
        or (fact.expires_by = 'category' and (fact.pinned = 1 or fact.immutable = 1))
    );

-- name: turn_in_reach
select 1
from log
where
    (:thread is null or log.session = :thread)
    and (:as_of is null or log.logged_at <= :as_of)
    and (
        :status = 'all'
        or (log.archived_at is null or log.archived_at > coalesce(:as_of, '9'))
        = (:status = 'living')
    );

-- name: turn_asked_for
select 1
from log
where
    (:since is null or log.logged_at >= :since)
    and (:until is null or log.logged_at <= :until)
    and (
        :participants = '[]'
        or lower(coalesce(log.speaker, log.role)) in (
            select asked.value from json_each(:participants) as asked
        )
    )
    and (:tags = '[]');

-- name: episode_in_reach
select 1
from episode
where
    (:thread is null or episode.thread = :thread)
    and (:as_of is null or episode.happened_at <= :as_of)
    and (
        :status = 'all'
        or (episode.archived_at is null or episode.archived_at > coalesce(:as_of, '9'))
        = (:status = 'living')
    );

-- name: episode_asked_for
select 1
from episode
where
    (:since is null or episode.happened_at >= :since)
    and (:until is null or episode.happened_at <= :until)
    and (
        :participants = '[]'
        or exists (
            select 1
            from json_each(episode.participants) as present
            inner join json_each(:participants) as asked
                on lower(present.value) = asked.value
        )
    )
    and (:tags = '[]' or not exists (
        select 1
        from json_each(:tags) as asked
        where asked.value not in (
            select lower(present.value) from json_each(episode.tags) as present
        )
    ));
