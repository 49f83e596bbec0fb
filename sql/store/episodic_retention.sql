-- Archiving, restoring, erasing.

-- name: archive_turns
update main.log
set archived_at = :now, archived_why = :why
where archived_at is null and id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: archive_episodes
update main.episode
set archived_at = :now, archived_why = :why
where archived_at is null and id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: archive_turns_before
update main.log
set archived_at = :now, archived_why = :why
where archived_at is null and logged_at < :before and id in (select log.id from log);

-- name: restore_turns
-- A restored turn is read again by consolidation.
update main.log
set archived_at = null, archived_why = null, processed_at = null
where archived_at is not null and id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: restore_episodes
update main.episode
set archived_at = null, archived_why = null
where archived_at is not null and id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: turns_that_exist
select id
from log
where id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: episodes_that_exist
select id
from episode
where id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: episodes_of_turns
select distinct episode_id
from episode_source
where log_id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: sources_of_episodes
select distinct log_id
from episode_source
where episode_id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: turns_to_erase
select *
from log
where id in (select asked_for.value from json_each(:turns) as asked_for);

-- name: episodes_to_erase
select *
from episode
where id in (select asked_for.value from json_each(:episodes) as asked_for);

-- name: record_erasure
insert into erasure (kind, item_id, erased_at, why)
values (:kind, :item_id, :erased_at, :why);

-- name: delete_turns
delete from main.log
where id in (select asked_for.value from json_each(:turns) as asked_for);

-- name: delete_episodes
delete from main.episode
where id in (select asked_for.value from json_each(:episodes) as asked_for);

-- name: names_without_rows
select participant.name
from participant
where
    not exists (
        select 1
        from log
        where participant.name = log.speaker
    )
    and participant.name not in (
        select present.value
        from episode
        cross join json_each(episode.participants) as present
    )
order by participant.name;

-- name: delete_name
delete from participant
where name = :name;
