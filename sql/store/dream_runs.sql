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

-- name: changes
-- What a run changed, the last first.
select
    relation,
    row_key,
    old_values,
    new_values
from dream_change
where run_id = :run
order by id desc;

-- name: fact_id
select id
from fact
where number = :number;

-- name: built_on
-- Later runs that stand and changed a row that this run changed, the last first.
select distinct later.run_id
from dream_change as mine
inner join dream_change as later
    on mine.relation = later.relation and mine.row_key = later.row_key
inner join dream_run on later.run_id = dream_run.id
where mine.run_id = :run and later.run_id > :run and dream_run.status <> 'rolled back'
order by later.run_id desc;

-- name: roll_back
update dream_run
set status = 'rolled back', rolled_back_at = :now
where id = :id;

-- name: forget_changes
delete from dream_change
where run_id = :run;
