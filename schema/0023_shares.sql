-- Merging with other stores of the same app: what each counted, and what was erased here.

-- Components as another store knows them. Counts of one origin only grow, so merging takes the
-- larger one; a component's own seen_count is the sum of these and of what was seen here.
create table component_share (
    origin_id text not null references origin (id),
    number integer not null,       -- the component's id there
    component_id integer references component (id) on delete set null,  -- here; null: erased here
    name text,                     -- as somebody there named it; null: nobody did
    seen_count integer not null check (seen_count >= 0),
    -- 1: it came in a pack: whoever made that let it out of his hands.
    packed integer not null default 0 check (packed in (0, 1)),
    primary key (origin_id, number)
) strict, without rowid;

create index component_share_component on component_share (component_id);

-- States as another store knows them.
create table state_share (
    origin_id text not null references origin (id),
    state_there text not null,     -- the state's id there
    state_id text references state (id) on delete set null,  -- here; null: erased here
    name text,                     -- as somebody there named it; null: nobody did
    visit_count integer not null check (visit_count >= 0),
    primary key (origin_id, state_there)
) strict, without rowid;

create index state_share_state on state_share (state_id);

-- What another store counted of a transition.
create table transition_share (
    transition_id integer not null references transition (id) on delete cascade,
    origin_id text not null references origin (id),
    successes integer not null check (successes >= 0),
    failures integer not null check (failures >= 0),
    total_ms integer not null check (total_ms >= 0),  -- of the timed successes
    timed integer not null check (timed >= 0),        -- how many were timed
    primary key (transition_id, origin_id)
) strict, without rowid;

-- Rows that a delete by hand takes along, or that stay to say that it is gone.
create trigger component_deleted_share after delete on component begin
    update component_share
    set component_id = null
    where component_id = old.id;
end;

create trigger state_deleted_share after delete on state begin
    update state_share
    set state_id = null
    where state_id = old.id;
end;

create trigger transition_deleted_share after delete on transition begin
    delete from transition_share
    where transition_id = old.id;
end;

-- 32 random bytes: what digests of erased texts are made with. Null: none was erased.
alter table store add column erasure_key blob;

-- Turns, episodes and facts that a person erased, so that no merge brings them back: keyed digests
-- (HMAC-SHA-256). The text cannot be computed from one. But the key stands in this file: whoever
-- has it and can guess the whole text, its time and its speaker can tell that the guess is right.
create table erased_text (
    digest blob primary key,       -- of the whole row: its text, its time and who said it
    erased_at text not null
) strict, without rowid;
