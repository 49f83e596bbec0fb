-- Digests of texts that a person erased: no merge brings them back.

-- name: key
select erasure_key
from store;

-- name: set_key
update store
set erasure_key = :key
where erasure_key is null;

-- name: note
insert into erased_text (digest, erased_at)
values (:digest, :now)
on conflict do nothing;

-- name: digests
select digest
from erased_text;
