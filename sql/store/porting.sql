-- Records of other systems that were taken.

-- name: known_digests
-- Those of some records that were taken before, and what each became.
select
    imported.digest,
    imported.item
from imported
where
    imported.source = :source
    and imported.digest in (select asked.value from json_each(:digests) as asked);

-- name: note_imported
insert into imported (source, digest, kind, item, imported_at)
values (:source, :digest, :kind, :item, :imported_at);

-- name: keep_no_journal
pragma journal_mode = off;

-- name: make_equal
-- Records without a key, in a file that lasts as long as the import.
create table "temp".equal (place integer primary key, met integer not null) strict;

-- name: count_equal
insert into "temp".equal (place, met) values (:place, 1)
on conflict (place) do update set met = equal.met + 1
returning equal.met;
