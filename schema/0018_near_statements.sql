-- Candidates that tell of one thing in other words, and those of which the later says otherwise.

-- Each pair stands twice, once from either side.
create table candidate_near (
    candidate_id integer not null references candidate (id) on delete cascade,
    other_id integer not null references candidate (id) on delete cascade,
    relation text not null check (relation in ('kin', 'rival')),  -- kin: speaks for the other
    why text not null default '',  -- what tells rivals apart, for people
    primary key (candidate_id, other_id)
) strict, without rowid;

-- Share of a recall's words that the candidate holds, by rareness, 0 to 1; 1 for other signals.
alter table dream_signal add column cover real not null default 1 check (cover between 0 and 1);

create index candidate_near_other on candidate_near (other_id);
