-- What a demonstration took: what doing it anew would take, where no memory is.

-- Full looks of the demonstration: one first, one after each act; null: it was never shown here.
alter table skill add column shown_looks integer check (shown_looks >= 0);

-- Its seconds: waiting until the app had settled, taking the looks and learning them. What the
-- person took is not in it.
alter table skill add column shown_seconds real check (shown_seconds >= 0);
