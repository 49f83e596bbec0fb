-- What tells of one thing in other words, and of what a later statement says otherwise.

-- Each pair stands twice, once from either side.
create table candidate_near (
    candidate_id integer not null references candidate (id) on delete cascade,
    other_id integer not null references candidate (id) on delete cascade,
    relation text not null check (relation in ('kin', 'rival')),  -- kin: speaks for the other
    primary key (candidate_id, other_id)
) strict, without rowid;

-- Share of a recall's words that the candidate holds, by rareness, 0 to 1; 1 for other signals.
alter table dream_signal add column cover real not null default 1 check (cover between 0 and 1);

create index candidate_near_other on candidate_near (other_id);

-- Turns of which a later one says otherwise: another value, or the opposite.
create table turn_change (
    new_id integer not null references log (id) on delete cascade,
    old_id integer not null references log (id) on delete cascade,
    kind text not null check (kind in ('replaced', 'update', 'contradiction')),
    score real not null,           -- of its kind's own scale; see docs/dreaming.md
    said text not null,            -- the earlier turn's value, or 'never'; '' else
    why text not null,             -- for people
    primary key (new_id, old_id)
) strict, without rowid;

create index turn_change_old on turn_change (old_id);

-- What somebody erases, leaves the doubts that it raised and the record of what runs changed, too.
create trigger turn_change_deleted after delete on turn_change begin
    delete from dream_change
    where relation = 'turn_change' and row_key = json_array(old.new_id, old.old_id);
end;

create trigger doubting_turn_deleted after delete on log begin
    delete from dream_change
    where
        (relation = 'fact' and json_extract(new_values, '$.doubted_by') = 'turn:' || old.id)
        or (
            relation = 'fact_history'
            and json_extract(new_values, '$.why') glob 'is earlier than turn ' || old.id || ',*'
        );
    update fact_history
    set why = 'what raised the doubt was erased'
    where event = 'DOUBT' and why glob 'is earlier than turn ' || old.id || ',*';
    update fact
    set doubt = null, doubted_by = null
    where doubted_by = 'turn:' || old.id;
end;
