-- What tells components that look alike from each other.

-- Pictures of what stands beside a component that has look-alikes, such as the name in its
-- row of a table: at another time they tell which of equal places is this one's.
create table row_key (
    id integer primary key autoincrement,
    component_id integer not null references component (id) on delete cascade,
    position integer not null check (position >= 0),  -- in the order they are asked in
    twin integer not null check (twin in (0, 1)),  -- 1: it tells its component from look-alikes
    -- that stood on the same screenshot; 0: there were none
    scale real not null check (scale > 0),  -- device-pixel ratio of the lengths and the picture
    dx integer not null,           -- left edge of the picture, from the component's
    dy integer not null,           -- top edge, likewise
    x integer not null,            -- the picture's place on the screenshot it was cut from
    y integer not null,
    w integer not null check (w > 0),
    h integer not null check (h > 0),
    reach_left integer not null,   -- where its row or card began, from the component's left edge
    reach_right integer not null,  -- where it ended, likewise
    png blob not null,             -- gray, 8 bit
    img_sha256 text not null,      -- of the screenshot that it was cut from, as in observation
    learned_at text not null,
    unique (component_id, position)
) strict;

create trigger component_deleted_row_key after delete on component begin
    delete from row_key
    where component_id = old.id;
end;

-- How many components of its look stood on the screenshot that it was last learned from; where
-- nothing beside them tells them apart, they are believed only while that many stand there.
-- Null: learned by an earlier memctl, which did not look.
alter table component add column twins integer check (twins >= 0);

-- Pixels without ink beyond the left edge of the picture, where it was cut out: a label that goes
-- on there now is another one. Null: learned by an earlier memctl.
alter table template add column blank_left integer check (blank_left >= 0);
-- Likewise beyond its right edge.
alter table template add column blank_right integer check (blank_right >= 0);
