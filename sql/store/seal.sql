-- name: seal
-- What the seal says, where its page lies, and what SQLite says of the file.
select
    seal.sums,
    seal.schema_cookie,
    seal.pages,
    seal.sealed_at,
    placed.rootpage,
    cookie.schema_version,
    counted.page_count,
    sized.page_size
from seal
cross join pragma_schema_version as cookie
cross join pragma_page_count as counted
cross join pragma_page_size as sized
inner join sqlite_schema as placed on placed.type = 'table' and placed.name = 'seal';

-- name: set_seal
update seal
set schema_cookie = :cookie, pages = :pages, sums = :sums, sealed_at = :now;

-- name: unseal
-- Breaks the seal before something is changed. Where SQLite has to read the schema anew, since
-- another process has changed it, it does so here: inside of a write whose triggers write into a
-- word index, SQLite 3.40 would miss its own tables.
update seal
set sums = null
where sums is not null;

-- name: page_of_seal
select rootpage from sqlite_schema
where type = 'table' and name = 'seal';
