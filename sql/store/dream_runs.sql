-- Runs of the dream, and what they changed.

-- name: begin
insert into dream_run (kind, as_of, profile, status, owner, beat_at, started_at)
values (:kind, :now, :profile, 'running', :owner, :beat, :now);

-- name: going
-- The run that is at work, or was killed at it.
select *
from dream_run
where status = 'running';

-- name: take
update dream_run
set owner = :owner, beat_at = :beat
where id = :id;

-- name: note
-- What a run has to report so far, written with what it did.
update dream_run
set owner = :owner, beat_at = :beat, report = :report
where id = :id;

-- name: finish
update dream_run
set
    status = :status, owner = '', report = :report, diary = :diary, ended_at = :now,
    beat_at = :beat
where id = :id;

-- name: run
select *
from dream_run
where id = :id;

-- name: runs
select *
from dream_run
order by id desc;

-- name: note_row
insert or ignore into dream_row (run_id, relation, row_id)
values (:run, :relation, :row);

-- name: last_rows
-- Behind which a step writes: the last change of a fact, and the last episode.
select
    (select coalesce(max(fact_history.id), 0) from fact_history) as change,
    (select coalesce(max(main.episode.id), 0) from main.episode) as episode;

-- name: note_new_rows
insert or ignore into dream_row (run_id, relation, row_id)
select
    :run as run_id,
    'fact_history' as relation,
    fact_history.id as row_id
from fact_history
where fact_history.id > :change
union all
select
    :run as run_id,
    'episode' as relation,
    main.episode.id as row_id
from main.episode
where main.episode.id > :episode;

-- name: built_on
-- Later runs that stand and changed a fact, or an entry, that this run changed, the last first.
select later.run_id as later_run
from dream_row as mine
inner join fact_history as changed on mine.row_id = changed.id
inner join fact_history as changed_again
    on changed.fact_id = changed_again.fact_id and changed.id < changed_again.id
inner join dream_row as later
    on changed_again.id = later.row_id and mine.relation = later.relation
inner join dream_run on later.run_id = dream_run.id
where
    mine.run_id = :run
    and mine.relation = 'fact_history'
    and later.run_id > :run
    and dream_run.status <> 'rolled back'
union
select later.run_id as later_run
from dream_row as mine
inner join dream_row as later on mine.relation = later.relation and mine.row_id = later.row_id
inner join dream_run on later.run_id = dream_run.id
where
    mine.run_id = :run
    and mine.relation = 'knowledge'
    and later.run_id > :run
    and dream_run.status <> 'rolled back'
order by later_run desc;

-- name: changes_of_facts
-- What runs changed of facts, the last first; erased ones have left nothing.
select
    fact_history.id as line,
    fact_history.fact_id,
    fact_history.event,
    fact_history.old_text,
    fact_history.new_text,
    fact.text,
    fact.superseded_by,
    fact.user_id,
    fact.agent_id,
    fact.project
from dream_row
inner join fact_history on dream_row.row_id = fact_history.id
inner join fact on fact_history.fact_id = fact.id
where
    dream_row.relation = 'fact_history'
    and dream_row.run_id in (select asked_for.value from json_each(:runs) as asked_for)
order by fact_history.id desc;

-- name: changed_since
-- Facts that runs changed, and that somebody else has changed after that; a doubt is no change.
select distinct fact_history.fact_id
from dream_row
inner join fact_history on dream_row.row_id = fact_history.id
inner join fact_history as later
    on fact_history.fact_id = later.fact_id and fact_history.id < later.id
where
    dream_row.relation = 'fact_history'
    and dream_row.run_id in (select asked_for.value from json_each(:runs) as asked_for)
    and later.event <> 'DOUBT'
    and later.id not in (
        select ours.row_id
        from dream_row as ours
        where
            ours.relation = 'fact_history'
            and ours.run_id in (select asked_for.value from json_each(:runs) as asked_for)
    )
order by fact_history.fact_id;

-- name: forget_fact
update fact
set status = 'forgotten', status_why = :why, updated_at = :now, revision = revision + 1
where id = :id and status in ('active', 'pending');

-- name: reopen_fact
update fact
set
    status = 'active', status_why = '', valid_to = null, superseded_by = null,
    updated_at = :now, revision = revision + 1
where id = :id and status in ('superseded', 'forgotten');

-- name: unarchive_fact
update fact
set archived_at = null, updated_at = :now, revision = revision + 1
where id = :id and archived_at is not null;


-- name: rows_of
-- What some runs wrote, as a list a kind.
select
    relation,
    json_group_array(row_id) as numbers
from dream_row
where run_id in (select asked_for.value from json_each(:runs) as asked_for)
group by relation;

-- name: unarchive_turns
update main.log
set archived_at = null, archived_why = null
where
    archived_at is not null
    and id in (select asked_for.value from json_each(:archived) as asked_for);


-- name: set_candidates_back
-- Candidates that became facts, but those whose facts are left, and those that became none.
update main.candidate
set status = 'staged', fact_id = null, why = '', due = 1
where
    id in (
        select promotion.candidate_id
        from promotion
        where
            promotion.run_id in (select asked_for.value from json_each(:runs) as asked_for)
            and promotion.fact_id not in (select kept.value from json_each(:left) as kept)
    )
    or id in (select asked_for.value from json_each(:dropped) as asked_for);

-- name: forget_support
-- That a candidate said so, too, of a fact that was there before.
delete from fact_support
where
    source in (
        select 'dream:candidate ' || promotion.candidate_id
        from promotion
        where promotion.run_id in (select asked_for.value from json_each(:runs) as asked_for)
    );

-- name: forget_promotions
delete from promotion
where
    run_id in (select asked_for.value from json_each(:runs) as asked_for)
    and fact_id not in (select kept.value from json_each(:left) as kept);

-- name: part_merged
-- Candidates that are one with a candidate which rests on the turns that will be read again.
update main.candidate
set status = 'staged', merged_into = null, why = '', due = 1
where
    status = 'merged'
    and merged_into in (
        select candidate_source.candidate_id
        from candidate_source
        where candidate_source.log_id in (select asked_for.value from json_each(:read) as asked_for)
    );

-- name: forget_turn_signals
delete from dream_signal
where
    source in (
        select 'turn:' || asked_for.value from json_each(:read) as asked_for
    )
    and candidate_id in (
        select waiting.id
        from main.candidate as waiting
        where waiting.status = 'staged'
    );

-- name: forget_turn_sources
-- A candidate that rests on nothing else goes with them, but one that is a fact.
delete from candidate_source
where
    log_id in (select asked_for.value from json_each(:read) as asked_for)
    and candidate_id in (
        select waiting.id
        from main.candidate as waiting
        where waiting.status = 'staged'
    );

-- name: part_turns
-- What the turns that are read again were found to say otherwise.
delete from turn_change
where new_id in (select asked_for.value from json_each(:read) as asked_for);

-- name: read_turns_again
update main.log
set processed_at = null
where id in (select asked_for.value from json_each(:read) as asked_for);

-- name: read_recalls_again
update dream_mark
set
    upto = min(
        upto, coalesce((select min(asked_for.value) from json_each(:recall) as asked_for), upto)
    )
where name = 'recall';

-- name: bring_entries_back
-- Entries of earlier runs that these retired, where no other run's entry took their place since.
update main.knowledge
set retired_at = null, superseded_by = null
where
    run_id not in (select asked_for.value from json_each(:runs) as asked_for)
    and id in (select asked_for.value from json_each(:knowledge) as asked_for);

-- name: forget_entries
delete from main.knowledge
where run_id in (select asked_for.value from json_each(:runs) as asked_for);

-- name: forget_rows
delete from dream_row
where run_id in (select asked_for.value from json_each(:runs) as asked_for);

-- name: roll_back
update dream_run
set status = 'rolled back', rolled_back_at = :now
where id in (select asked_for.value from json_each(:runs) as asked_for);
