-- The seal of the file: sums of its pages, by which memctl sees a byte that nobody wrote. The last
-- who writes seals the file as he closes it, and whoever opens it compares. A change of any row
-- breaks the seal, with sqlite3 as well: three triggers at each table, of which the model stands
-- below. A change of the schema and VACUUM break it by SQLite's own count of such changes.

-- The seal: one row. While sums are null the file is open, or was left by a process that was
-- killed, and nothing is compared. [local]
create table seal (
    id integer primary key check (id = 1),
    -- pragma schema_version at that moment; another now: the seal is broken
    schema_cookie integer,
    pages integer,             -- of the file, as SQLite counts them
    -- CRC-32 of each piece of the file, 4 bytes each; this table's own page counts as zeros [plain]
    sums blob,
    sealed_at text
) strict;

insert into seal (id) values (1);

-- The model of the triggers; each table that an earlier step made gets one for each kind of change.
create trigger setting_unseals_insert after insert on setting
when (select seal.sums from seal) is not null
begin
    update seal
    set sums = null;
end;
