-- What a person erased is not learned again. Nothing of what stood there is kept.

-- One erasure: a component that a person erased.
create table erased_component (
    id integer primary key autoincrement,
    erased_at text not null
) strict;

-- Places where it stood. Nothing is learned there, and no picture is taken.
create table erased_place (
    erased_id integer not null references erased_component (id) on delete cascade,
    state_id text not null references state (id) on delete cascade,
    x integer not null,            -- in pixels at scale 1, as in state_component
    y integer not null,
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    primary key (erased_id, state_id)
) strict, without rowid;

create index erased_place_state on erased_place (state_id);

-- By what its pixels are known where they appear again: a keyed digest (HMAC-SHA-256) of each of
-- its pictures. The pixels cannot be computed from it. But the key stands beside it: whoever has
-- the file and can guess the picture (a known name in a known font) can tell that the guess is
-- right, as memctl does. It protects from reading what was erased, not from checking a suspicion.
create table erased_pixels (
    erased_id integer not null references erased_component (id) on delete cascade,
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    key blob not null,             -- 32 random bytes
    -- 16 bits of a keyed sum of its gray values: only places of the same sum are digested.
    mark integer not null check (mark between 0 and 65535),
    digest blob not null,          -- of size and pixels, 32 bytes
    primary key (erased_id, key)
) strict, without rowid;

create trigger erased_component_deleted after delete on erased_component begin
    delete from erased_place
    where erased_id = old.id;
    delete from erased_pixels
    where erased_id = old.id;
end;

create trigger state_deleted_erased_place after delete on state begin
    delete from erased_place
    where state_id = old.id;
end;
