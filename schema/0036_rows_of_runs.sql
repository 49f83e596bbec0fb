-- What a run wrote bears its number, by which it can be taken back.

-- Rows that runs wrote, by their numbers; no text is kept, so nothing that is erased stays in it.
create table dream_row (
    run_id integer not null references dream_run (id) on delete cascade,
    -- What was written: 'fact_history': a change of a fact; 'episode': a new one; 'read': a turn
    -- that was read; 'archived': a turn; 'knowledge': an entry that was made or retired;
    -- 'dropped': a candidate; 'recall': the recall up to which it had been read before.
    relation text not null
    /* what was written: a fact's change, an episode, a turn, an entry, a candidate */
    check (
        relation in (
            'fact_history', 'episode', 'read', 'archived', 'knowledge', 'dropped', 'recall'
        )
    ),
    row_id integer not null,       -- the number of that row
    primary key (run_id, relation, row_id)
) strict, without rowid;

create index dream_row_row on dream_row (relation, row_id);

insert into dream_row (run_id, relation, row_id)
select distinct
    run_id,
    case relation when 'log' then 'read' else relation end as relation,
    json_extract(row_key, '$[0]') as row_id
from dream_change
where
    relation in ('fact_history', 'episode', 'knowledge')
    or (relation = 'log' and json_extract(new_values, '$.processed_at') is not null);

drop trigger candidate_deleted;
drop trigger dreamt_fact_deleted;
drop trigger dreamt_episode_deleted;
drop trigger dreamt_name_deleted;
drop trigger turn_change_deleted;
drop trigger doubting_turn_deleted;
drop table dream_change;

-- A number may be given again once its row is gone.
create trigger row_of_run_unwritten after delete on fact_history begin
    delete from dream_row
    where relation = 'fact_history' and row_id = old.id;
end;

create trigger episode_of_run_deleted after delete on episode begin
    delete from dream_row
    where relation = 'episode' and row_id = old.id;
end;

create trigger turn_of_run_deleted after delete on log begin
    delete from dream_row
    where relation in ('read', 'archived') and row_id = old.id;
end;

-- What somebody erases, leaves the doubts that it raised, too.
create trigger doubting_turn_deleted after delete on log begin
    update fact_history
    set why = 'what raised the doubt was erased'
    where event = 'DOUBT' and why glob 'is earlier than turn ' || old.id || ',*';
    update fact
    set doubt = null, doubted_by = null
    where doubted_by = 'turn:' || old.id;
end;
