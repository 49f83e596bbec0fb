-- What a screen and the things on it are called.

-- Title of the window or document that the screen was last learned with; null: not told.
alter table state add column title text;

-- The name that memctl made; a name that differs from it was given by a person, and stays.
-- Null: learned by an earlier memctl.
alter table component add column made_name text;

-- Text that names its row of a table or list, as the source of its box says.
alter table component add column row_text text;
-- Title of the part of the page that it stands in, likewise.
alter table component add column section text;

-- 1: the screen shows only the beginning of its label, and pixels cannot settle which it is.
alter table component add column cut integer not null default 0 check (cut in (0, 1));

-- 1: a person types or chooses its contents, which are never remembered.
alter table component add column field integer not null default 0 check (field in (0, 1));

-- When its place was first seen to show something else each time; null: it has not been.
alter table component add column changing_at text;
