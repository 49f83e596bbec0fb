-- Areas of screens that do not count. They were a list in a column of state, without a word of
-- what is there.

-- Areas of a screen that do not count, such as a clock: nothing is learned there, and nothing there
-- is missed, or speaks for or against the state.
create table ignored_area (
    state_id text not null references state (id) on delete cascade,  -- [local]
    x integer not null,  -- at device-pixel ratio 1, from the window's corner [store]
    y integer not null,  -- [store]
    w integer not null check (w > 0),  -- [store]
    h integer not null check (h > 0),  -- [store]
    label text check (label <> ''),  -- what is there; null: nobody said [store; own]
    primary key (state_id, x, y, w, h)
) strict, without rowid;

insert or ignore into ignored_area (state_id, x, y, w, h)
select
    state.id,
    cast(json_extract(area.value, '$[0]') as integer) as x,
    cast(json_extract(area.value, '$[1]') as integer) as y,
    cast(json_extract(area.value, '$[2]') as integer) as w,
    cast(json_extract(area.value, '$[3]') as integer) as h
from state, json_each(state.ignored) as area
where json_extract(area.value, '$[2]') >= 1 and json_extract(area.value, '$[3]') >= 1;

alter table state drop column ignored;
