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
