-- Tables of the store itself: its schema, its identity, its settings, and what it took from others.
-- Times are UTC text, '2026-11-20T16:33:04Z'; booleans are 0 or 1. Foreign keys are on in every
-- connection of memctl's; in the sqlite3 shell, type: pragma foreign_keys = on.
--
-- Brackets behind a column say how far it travels and how it is erased: [store; own]. It travels
-- into packs, other stores of the same person and exports (pack), into the last two (store), into
-- exports alone (export), into other stores alone (derived), or nowhere (local, also of a whole
-- table). memctl.store.schema_text reads them, and says what the words of an erasure mean.

-- Migrations that this file has been through (pragma user_version is the last number). [local]
create table migration (
    number integer primary key,
    name text not null unique,  -- [plain]
    applied_at text not null
) strict;

-- The app or site that this file is the memory of: one row. [local]
create table store (
    id integer primary key check (id = 1),
    address text not null,     -- 'chromium/united.com' [plain]
    created_at text not null,
    learn_count integer not null default 0 check (learn_count >= 0),  -- screenshots learned
    -- 32 random bytes: what digests of erased texts are made with. Null: none was erased.
    erasure_key blob  -- [plain]
) strict;

-- Stores that the rows of this file come from: the store itself, inserted when it is made, and
-- each one that was merged into it.
create table origin (
    id text primary key            -- 32 random hex digits, made with the store [pack; plain]
    check (length(id) = 32 and id not glob '*[^0-9a-f]*'),
    own integer not null check (own in (0, 1)),  -- 1: this store itself [local]
    address text not null,         -- 'chromium/united.com' [pack; plain]
    merged_at text,                -- null: it is its own [local]
    check ((own = 1) = (merged_at is null))
) strict, without rowid;

create unique index origin_own on origin (own)
where own = 1;

-- Settings with another value than their default (memctl config list shows all of them). [local]
create table setting (
    key text primary key,  -- [plain]
    value text not null,  -- [note]
    changed_at text not null
) strict, without rowid;

-- Texts that the guard refused, counted by rule and day: never the text. [local]
create table guard_refusal (
    rule text not null,        -- which rule refused [plain]
    tier text not null,        -- which part of the memory was being written [plain]
    day text not null,         -- '2026-11-20' [plain]
    refusals integer not null check (refusals > 0),
    primary key (rule, tier, day)
) strict, without rowid;

-- Records of other systems that were taken: importing them again adds nothing, also where what
-- they became was erased since. Digests only, never a text. [local]
create table imported (
    source text not null,          -- the format: 'memoryclaw', 'chatgpt', ... [plain]
    digest text not null,          -- of the record's kind, its name there, and its content [plain]
    kind text not null,  -- turn, episode, fact, alias, skill, component, state, ... [plain]
    item text,                     -- the id that it has here; null: it was here already [null]
    imported_at text not null,
    primary key (source, digest)
) strict, without rowid;

-- Turns, episodes and facts that a person erased, so that no merge brings them back: keyed digests
-- (HMAC-SHA-256). The text cannot be computed from one. But the key stands in this file: whoever
-- has it and can guess the whole text, its time and its speaker can tell that the guess is right.
-- [local]
create table erased_text (
    digest blob primary key,       -- of the whole row: its text, its time and who said it [plain]
    erased_at text not null
) strict, without rowid;
