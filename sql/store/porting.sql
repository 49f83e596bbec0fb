-- Records of other systems that were taken.

-- name: was_imported
-- What a record became, if it was taken before.
select
    kind,
    item
from imported
where source = :source and digest = :digest;

-- name: note_imported
insert into imported (source, digest, kind, item, imported_at)
values (:source, :digest, :kind, :item, :imported_at);
