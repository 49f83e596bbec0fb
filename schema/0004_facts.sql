-- Semantic memory: what is true. Nothing is destroyed by housekeeping: a fact that another
-- replaces, or that is forgotten, is marked; only an erasure removes it.
--
-- A fact is added without touching its word index: the newest, at most 63, wait, and reach it
-- many at a time. Claims in plain sentences (who likes, uses, lives in what) are looked up by
-- what they have in common.

-- Facts that are true, or were: the replaced and the forgotten ones too.
create table fact (
    number integer primary key,    -- the order of arrival; the search index points here
    id text not null unique default ('f_' || lower(hex(randomblob(6)))),  -- what callers use
    text text not null check (text <> ''),       -- as it was given
    subject text,                  -- who or what it is about: 'Falcon'
    attribute text,                -- which of its properties: 'deadline'
    value text,                    -- and what that is: '2026-12-01'
    category text,                 -- identity, rule, decision, ...; null: none was named
    -- 0 to 1; its category says which unless it was given.
    importance real not null default 0.5 check (importance between 0 and 1),
    -- How sure we are: a low one waits as pending.
    confidence text not null default 'medium'
    check (confidence = 'medium' or confidence = 'low' or confidence = 'high'),
    source text not null default '',             -- where it comes from; '': not told
    user_id text not null default '',            -- '': nobody in particular
    agent_id text not null default '',           -- '': the main agent
    session_id text not null default '',         -- '': long-term
    -- What the caller added, as JSON.
    metadata text not null default '{}' check (metadata = '{}' or json_valid(metadata)),
    status text not null default 'active'
    check (
        status = 'active' or status = 'pending' or status = 'superseded' or status = 'forgotten'
    ),
    status_why text not null default '',         -- why it waits, was replaced or forgotten
    -- 1: never changed, only erased.
    immutable integer not null default 0 check (immutable in (0, 1)),
    pinned integer not null default 0 check (pinned in (0, 1)),  -- 1: never expires or decays
    -- When it began to hold.
    valid_from text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    valid_to text,                 -- null: it still holds
    expires_at text,               -- hidden from then on; null: never
    -- Who set the end: the caller or the category.
    expires_by text check (expires_by in ('given', 'category')),
    archived_at text,              -- put away by decay; null: in use
    superseded_by text,            -- id of the fact that replaced it
    conflicts_with text,           -- id of the fact that it contradicts, while it waits
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    revision integer not null default 1,         -- counts memctl's own changes, not hand edits
    -- Derived by memctl, null after a hand edit until its next write fills them in:
    equal_key text,                -- equal facts have equal keys
    subject_key text,              -- equal subjects have equal keys
    attribute_key text,            -- likewise
    folded text,                   -- the text in compatibility form, where that differs
    -- Claims of one key could contradict each other; null: it claims nothing that memctl can
    -- read; '': not read yet.
    claim_key text default '',
    -- The key of claims that could say what this one says has ended: it switched, or moved, from
    -- that to something else.
    ended_key text,
    -- A time typed by hand has the one shape too, or is refused. What is compared first is cheap,
    -- and true of nearly every new fact.
    check (strftime('%Y-%m-%dT%H:%M:%SZ', created_at) is created_at),
    check (updated_at = created_at or strftime('%Y-%m-%dT%H:%M:%SZ', updated_at) is updated_at),
    check (valid_from = created_at or strftime('%Y-%m-%dT%H:%M:%SZ', valid_from) is valid_from),
    check (valid_to is null or strftime('%Y-%m-%dT%H:%M:%SZ', valid_to) is valid_to),
    check (expires_at is null or strftime('%Y-%m-%dT%H:%M:%SZ', expires_at) is expires_at),
    check (valid_to is null or valid_to >= valid_from),
    check ((expires_at is null) = (expires_by is null))
) strict;

create index fact_equal on fact (equal_key);
create index fact_slot on fact (subject_key, attribute_key)
where subject_key is not null;

create index fact_successor
on fact (superseded_by)
where superseded_by is not null;

-- The index holds facts that are not read yet as well: a partial index of that one value would
-- let SQLite plan every look-up of a claim anew, to see whether it looks for that value.
create index fact_claim on fact (claim_key)
where claim_key is not null;

create index fact_ended on fact (ended_key)
where ended_key is not null;

-- Further sources that said the same as a fact.
create table fact_support (
    fact_id text not null references fact (id) on delete cascade on update cascade,
    source text not null,  -- who said it too
    supported_at text not null,
    primary key (fact_id, source)
) strict, without rowid;

-- Changes of facts, deletions included. An erased fact leaves its rows without texts.
create table fact_history (
    id integer primary key,
    fact_id text not null,         -- no reference: it outlives the fact
    event text not null,           -- ADD, UPDATE, SUPERSEDE, PENDING, DELETE, RESTORE, ...
    old_text text,  -- before
    new_text text,  -- after
    changed_at text not null,
    actor text not null,           -- which agent or user; 'sqlite3' for an edit by hand
    why text not null default ''  -- as told, or the rule
) strict;

create index fact_history_fact on fact_history (fact_id, id);

-- Words of each fact to be indexed: its text and, where that holds Chinese, Japanese or
-- Korean, the same with its characters and pairs of characters apart (their order does not
-- matter to the index). The text is read in blocks of 400 characters: reaching far into a text
-- costs as much as the text.
create view fact_words as
select
    written.number,
    case
        when length(written.words) = length(cast(written.words as blob)) then written.words
        when written.words not glob '*[々぀-ヿ㐀-鿿가-힯豈-﫿𠀀-𲎯]*' then written.words
        else written.words || ' ' || (
            with recursive whole (body) as materialized (
                select written.words
            ),

            block (start, body) as (
                select
                    1,
                    substr(whole.body, 1, 401)
                from whole
                union all
                select
                    block.start + 400,
                    substr(whole.body, block.start + 400, 401)
                from block
                inner join whole on block.start + 400 <= length(whole.body)
            ),

            place (at_char) as (
                select 1
                union all
                select place.at_char + 1
                from place
                where place.at_char < 400
            ),

            piece (found) as materialized (
                select
                    case
                        when
                            substr(block.body, place.at_char, 1)
                            glob '[々぀-ヿ㐀-鿿가-힯豈-﫿𠀀-𲎯]'
                            then
                                ' '
                                || substr(block.body, place.at_char, 1)
                                || ' '
                                || substr(block.body, place.at_char, 2)
                                || ' '
                        else substr(block.body, place.at_char, 1)
                    end
                from block
                cross join place
                where place.at_char <= length(block.body)
                order by block.start, place.at_char
            )

            select group_concat(piece.found, '')
            from piece
        )
    end as words
from (
    select
        number,
        coalesce(folded, text) || ' ' || coalesce(subject, '') || ' '
        || coalesce(attribute, '') || ' ' || coalesce(value, '') as words
    from fact
) as written;

-- Words of each fact as the index holds them, so that they can be taken out again exactly.
create table fact_index (
    number integer primary key references fact (number) on delete cascade on update cascade,
    words text not null  -- as the view fact_words computes them
) strict;

-- The word index over facts, in the words of fact_index.
create virtual table fact_fts using fts5 (
    words,
    content = 'fact_index',
    content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2',
    detail = 'none',
    columnsize = 0
);

-- The last fact that fact_fts holds, and all before it. Newer ones, at most 63 and short ones,
-- are the unindexed rows, which a search reads as well.
create table fact_indexed (
    id integer primary key check (id = 1),   -- one row
    upto integer not null check (upto >= 0)  -- as number in fact
) strict;

insert into fact_indexed (id, upto) values (1, 0);

-- Facts that an insert or replace by their id may take away: that fires no delete trigger.
create table fact_replaced (
    number integer primary key  -- as in fact
) strict;

create trigger fact_index_insert after insert on fact_index begin
    insert into fact_fts (rowid, words) values (new.number, new.words);
end;

create trigger fact_index_delete after delete on fact_index begin
    insert into fact_fts (fact_fts, rowid, words) values ('delete', old.number, old.words);
end;

create trigger fact_index_update after update on fact_index begin
    insert into fact_fts (fact_fts, rowid, words) values ('delete', old.number, old.words);
    insert into fact_fts (rowid, words) values (new.number, new.words);
end;

create trigger fact_rename before update of id on fact
when new.id is not old.id
begin
    insert or ignore into fact_replaced (number)
    select fact.number
    from fact
    where fact.id = new.id;
end;

create trigger fact_renamed after update of id on fact
when new.id is not old.id
begin
    delete from fact_index
    where
        number in (select fact_replaced.number from fact_replaced)
        and number not in (select fact.number from fact);
    delete from fact_replaced;
end;

-- memctl raises `revision` with every change and writes the history itself; a change that
-- leaves it is an edit by hand.
create trigger fact_edit after update of text, subject, attribute, value on fact
when
    new.revision = old.revision and (
        new.text is not old.text or new.subject is not old.subject
        or new.attribute is not old.attribute or new.value is not old.value
    )
begin
    update fact
    set
        equal_key = null, subject_key = null, attribute_key = null, claim_key = '',
        folded = null, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where number = new.number;
    insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor)
    values (
        new.id, 'UPDATE', old.text, new.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3'
    );
end;

create trigger fact_indexed_kept before delete on fact_indexed begin
    select raise(abort, 'the index of facts needs the one row of fact_indexed') as refused;
end;

-- Many at once cost the index little more than one.
create trigger fact_indexed_more after update of upto on fact_indexed begin
    insert into fact_index (number, words)
    select
        fact_words.number,
        fact_words.words
    from fact_words
    where
        fact_words.number > old.upto
        and fact_words.number <= new.upto
        and fact_words.number not in (
            select fact_index.number
            from fact_index
        );
end;

-- Whatever is typed in sqlite3 reaches the index. Replacing a row fires no delete trigger: what
-- is replaced by its id is noted before the insert, by its number taken out after it.
create trigger fact_replace before insert on fact
when
    exists (
        select 1 from fact
        where fact.id = new.id
    )
begin
    insert or ignore into fact_replaced (number)
    select fact.number
    from fact
    where fact.id = new.id;
end;

-- A long fact is not worth reading twice: it does not wait for others.
create trigger fact_insert after insert on fact
when
    (
        select
            new.number <= fact_indexed.upto
            or new.number >= fact_indexed.upto + 64
            or length(new.text) > 1000 as due
        from fact_indexed
    )
    or exists (select 1 from fact_replaced)
begin
    delete from fact_index
    where number = new.number;
    delete from fact_index
    where
        number in (select fact_replaced.number from fact_replaced)
        and number not in (select fact.number from fact);
    delete from fact_replaced;
    insert into fact_index (number, words)
    select
        fact_words.number,
        fact_words.words
    from fact_words
    cross join fact_indexed
    where
        fact_words.number = new.number
        and fact_words.number <= fact_indexed.upto;
    update fact_indexed
    set upto = new.number
    where upto < new.number and (upto + 64 <= new.number or length(new.text) > 1000);
end;

create trigger fact_update after update of number, text, subject, attribute, value, folded
on fact
when
    new.number is not old.number or new.text is not old.text or new.subject is not old.subject
    or new.attribute is not old.attribute or new.value is not old.value
    or new.folded is not old.folded
begin
    delete from fact_index
    where number in (old.number, new.number);
    insert into fact_index (number, words)
    select
        fact_words.number,
        fact_words.words
    from fact_words
    cross join fact_indexed
    where
        fact_words.number = new.number
        and fact_words.number <= fact_indexed.upto;
    update fact_indexed
    set upto = new.number
    where upto < new.number and (upto + 64 <= new.number or length(new.text) > 1000);
end;

-- A number that is free again is given again: the facts beyond the last one wait as new ones do.
create trigger fact_delete after delete on fact begin
    delete from fact_index
    where number = old.number;
    update fact_indexed
    set upto = max(coalesce((select max(fact.number) from fact), 0), 0)
    where upto > coalesce((select max(fact.number) from fact), 0);
    insert into fact_history (fact_id, event, old_text, changed_at, actor)
    values (old.id, 'DELETE', old.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3');
end;

-- Facts that hold now, the newest first. One that another replaces from a later day on is
-- among them until then. A category's expiry spares what is pinned or immutable.
create view fact_current as
select
    id,
    text,
    category,
    importance,
    subject,
    attribute,
    value,
    confidence,
    source,
    pinned,
    immutable,
    valid_from,
    expires_at,
    user_id,
    agent_id,
    session_id,
    cast(julianday('now') - julianday(created_at) as integer) as age_days
from fact
where
    status in ('active', 'superseded')
    and archived_at is null
    and valid_from <= max(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), created_at)
    and (
        valid_to is null
        or valid_to > max(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), updated_at, valid_from)
    )
    and (
        expires_at is null
        or expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
        or (expires_by = 'category' and (pinned = 1 or immutable = 1))
    )
order by updated_at desc, number desc;

-- Facts that wait for a person, the oldest first, each beside the fact that it contradicts.
create view fact_pending as
select
    fact.id,
    fact.text,
    fact.category,
    fact.confidence,
    fact.source,
    fact.status_why as why,
    known.id as conflicts_with,
    known.text as known_text,
    (
        select count(*)
        from fact_support
        where fact_support.fact_id = fact.id
    ) as supports,
    fact.created_at
from fact
left join fact as known on fact.conflicts_with = known.id
where fact.status = 'pending'
order by fact.created_at, fact.number;
