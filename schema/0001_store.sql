-- Tables that every store has: its schema, its identity, its settings.
-- Times are UTC text, '2026-11-20T16:33:04Z'; booleans are 0 or 1.

-- Migrations that this file has been through (pragma user_version is the last number).
create table migration (
    number integer primary key,
    name text not null unique,
    applied_at text not null
) strict;

-- The app or site that this file is the memory of: one row.
create table store (
    id integer primary key check (id = 1),
    address text not null,     -- 'chromium/united.com'
    created_at text not null,
    learn_count integer not null default 0 check (learn_count >= 0)  -- screenshots learned
) strict;

-- Stores that the rows of this file come from: the store itself, inserted when it is made, and
-- each one that was merged into it.
create table origin (
    id text primary key            -- 32 random hex digits, made with the store
    check (length(id) = 32 and id not glob '*[^0-9a-f]*'),
    own integer not null check (own in (0, 1)),  -- 1: this store itself
    address text not null,         -- 'chromium/united.com'
    merged_at text,                -- null: it is its own
    check ((own = 1) = (merged_at is null))
) strict, without rowid;

create unique index origin_own on origin (own)
where own = 1;

-- Settings with another value than their default (memctl config list shows all of them).
create table setting (
    key text primary key,
    value text not null,
    changed_at text not null
) strict, without rowid;

-- Texts that the guard refused, counted by rule and day: never the text.
create table guard_refusal (
    rule text not null,        -- which rule refused
    tier text not null,        -- which part of the memory was being written
    day text not null,         -- '2026-11-20'
    refusals integer not null check (refusals > 0),
    primary key (rule, tier, day)
) strict, without rowid;
