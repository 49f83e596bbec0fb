-- A page is known by the shapes of its words, wherever they stand.

-- Words of the screen that the state was first seen on, 32 bytes each. Null: learned by an
-- earlier memctl, and not described yet.
alter table state add column words blob;
