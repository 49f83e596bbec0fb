-- What every store has, whatever it remembers.
-- Times are UTC text, '2026-11-20T16:33:04Z'; booleans are 0 or 1.

-- Which steps of the schema this file has taken (pragma user_version is the last number).
create table migration (
    number integer primary key,
    name text not null unique,
    applied_at text not null
) strict;

-- Who this file is: one row.
create table store (
    id integer primary key check (id = 1),
    address text not null,     -- 'chromium/united.com'
    created_at text not null,
    learn_count integer not null default 0 check (learn_count >= 0)  -- screenshots learned
) strict;

-- What was set away from the default (memctl config list shows all that can be).
create table setting (
    key text primary key,
    value text not null,
    changed_at text not null
) strict, without rowid;

-- How often each rule refused a text, by day: a count, never the text.
create table guard_refusal (
    rule text not null,        -- which rule refused
    tier text not null,        -- which part of the memory was being written
    day text not null,         -- '2026-11-20'
    refusals integer not null check (refusals > 0),
    primary key (rule, tier, day)
) strict, without rowid;
