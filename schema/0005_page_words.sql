-- A page is known by the shapes of its words, wherever they stand.

-- Words of the screen that the state was first seen on, 32 bytes each: a shape of 24 x 8 bits, then
-- x, y, w and h, two bytes each. Null: learned by an earlier memctl, and not described yet.
alter table state add column words blob;

-- 0: described later, from the pictures of its components: what stood outside of them is unknown.
alter table state add column words_whole integer not null default 1 check (words_whole in (0, 1));

-- What the state was made of: a screen without components is known by its words alone, and is not
-- forgotten for want of components.
alter table state add column known_by text not null default 'components' check (
    known_by in ('components', 'words')
);

alter table state drop column ink;
