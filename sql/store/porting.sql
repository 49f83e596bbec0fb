-- Records of other systems that were taken.

-- name: known_digests
-- Those of some records that were taken before.
select digest
from imported
where source = :source and digest in (select value from json_each(:digests));

-- name: note_imported
insert into imported (source, digest, kind, item, imported_at)
values (:source, :digest, :kind, :item, :imported_at);
