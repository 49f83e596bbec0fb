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
