-- Semantic memory: what is true. Nothing is destroyed by housekeeping: a fact that another
-- replaces, or that is forgotten, is marked; only an erasure removes it.

-- One fact.
create table fact (
    number integer primary key,    -- the order of arrival; the search index points here
    id text not null unique default ('f_' || lower(hex(randomblob(6)))),  -- what callers use
    text text not null check (text <> ''),       -- as it was given
    subject text,                  -- who or what it is about: 'Falcon'
    attribute text,                -- which of its properties: 'deadline'
    value text,                    -- and what that is: '2026-12-01'
    category text,                 -- identity, rule, decision, ...; null: none was named
    importance real not null default 0.5 check (importance between 0 and 1),
    confidence text not null default 'medium' check (confidence in ('low', 'medium', 'high')),
    source text not null default '',             -- where it comes from; '': not told
    user_id text not null default '',            -- '': nobody in particular
    agent_id text not null default '',           -- '': the main agent
    session_id text not null default '',         -- '': long-term
    metadata text not null default '{}' check (json_valid(metadata)),
    status text not null default 'active'
    check (status in ('active', 'pending', 'superseded', 'forgotten')),
    status_why text not null default '',         -- why it waits, was replaced or forgotten
    immutable integer not null default 0 check (immutable in (0, 1)),
    pinned integer not null default 0 check (pinned in (0, 1)),
    valid_from text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    valid_to text,                 -- null: it still holds
    expires_at text,               -- hidden from then on; null: never
    expires_by text check (expires_by in ('given', 'category')),
    archived_at text,              -- put away by decay; null: in use
    superseded_by text,            -- id of the fact that replaced it
    conflicts_with text,           -- id of the fact that it contradicts, while it waits
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    revision integer not null default 1,         -- counts memctl's own changes, not hand edits
    -- Derived by memctl, null after a hand edit until its next write fills them in:
    equal_key text,                -- equal facts have equal keys
    subject_key text,
    attribute_key text,
    folded text,                   -- the text in compatibility form, where that differs
    -- A time typed by hand has the one shape too, or is refused.
    check (strftime('%Y-%m-%dT%H:%M:%SZ', created_at) is created_at),
    check (strftime('%Y-%m-%dT%H:%M:%SZ', updated_at) is updated_at),
    check (strftime('%Y-%m-%dT%H:%M:%SZ', valid_from) is valid_from),
    check (strftime('%Y-%m-%dT%H:%M:%SZ', valid_to) is valid_to),
    check (strftime('%Y-%m-%dT%H:%M:%SZ', expires_at) is expires_at),
    check (valid_to is null or valid_to >= valid_from),
    check ((expires_at is null) = (expires_by is null))
) strict;

create index fact_equal on fact (equal_key);
create index fact_slot on fact (subject_key, attribute_key)
where subject_key is not null;
create index fact_successor
on fact (superseded_by)
where superseded_by is not null;
create index fact_underived on fact (number)
where equal_key is null;

-- Another source that said the same as a fact.
create table fact_support (
    fact_id text not null references fact (id) on delete cascade on update cascade,
    source text not null,
    supported_at text not null,
    primary key (fact_id, source)
) strict, without rowid;

-- Every change of every fact, deletions included. An erased fact leaves its rows without texts.
create table fact_history (
    id integer primary key,
    fact_id text not null,         -- no reference: it outlives the fact
    event text not null,           -- ADD, UPDATE, SUPERSEDE, PENDING, DELETE, RESTORE, ...
    old_text text,
    new_text text,
    changed_at text not null,
    actor text not null,           -- which agent or user; 'sqlite3' for an edit by hand
    why text not null default ''
) strict;

create index fact_history_fact on fact_history (fact_id, id);

-- The words to index: what is written and, where it holds Chinese, Japanese or Korean, the same
-- with its characters and pairs of characters apart (their order does not matter to the index).
create view fact_words as
select
    number,
    words || case
        when
            words glob '*[' || char(0x3005) || char(0x3040) || '-' || char(0x30ff)
            || char(0x3400) || '-' || char(0x9fff) || char(0xac00) || '-' || char(0xd7af)
            || char(0xf900) || '-' || char(0xfaff) || char(0x20000) || '-' || char(0x323af) || ']*'
            then (
                with recursive pair (rest, found) as (
                    select
                        written.words,
                        ''
                    union all
                    select
                        substr(pair.rest, 2),
                        case
                            when
                                unicode(pair.rest) between 0x3040 and 0x30ff
                                or unicode(pair.rest) between 0x3400 and 0x9fff
                                or unicode(pair.rest) between 0xac00 and 0xd7af
                                or unicode(pair.rest) between 0xf900 and 0xfaff
                                or unicode(pair.rest) between 0x20000 and 0x323af
                                or unicode(pair.rest) = 0x3005
                                then
                                    ' '
                                    || substr(pair.rest, 1, 1)
                                    || ' '
                                    || substr(pair.rest, 1, 2)
                                    || ' '
                            else substr(pair.rest, 1, 1)
                        end
                    from pair
                    where pair.rest <> ''
                )

                select group_concat(pair.found, '')
                from pair
            )
        else ''
    end as words
from (
    select
        number,
        coalesce(folded, text) || ' ' || coalesce(subject, '') || ' '
        || coalesce(attribute, '') || ' ' || coalesce(value, '') as words
    from fact
) as written;

-- What the index holds, word for word, so that it can be taken out again exactly.
create table fact_index (
    number integer primary key references fact (number) on delete cascade on update cascade,
    words text not null
) strict;

create virtual table fact_fts using fts5 (
    words,
    content = 'fact_index',
    content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2',
    detail = 'none',
    columnsize = 0
);

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

-- Whatever is typed in sqlite3 reaches the index; replacing a row fires no delete trigger,
-- hence the delete before each insert.
create trigger fact_insert after insert on fact begin
    delete from fact_index
    where number = new.number;
    insert into fact_index (number, words)
    select
        fact_words.number,
        fact_words.words
    from fact_words
    where fact_words.number = new.number;
end;

create trigger fact_update after update of number, text, subject, attribute, value, folded
on fact begin
    delete from fact_index
    where number in (old.number, new.number);
    insert into fact_index (number, words)
    select
        fact_words.number,
        fact_words.words
    from fact_words
    where fact_words.number = new.number;
end;

create trigger fact_delete after delete on fact begin
    delete from fact_index
    where number = old.number;
    insert into fact_history (fact_id, event, old_text, changed_at, actor)
    values (old.id, 'DELETE', old.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3');
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
        equal_key = null, subject_key = null, attribute_key = null, folded = null,
        updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where number = new.number;
    insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor)
    values (
        new.id, 'UPDATE', old.text, new.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3'
    );
end;

-- What holds now: the newest first. A category's expiry spares what is pinned or immutable.
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
    status = 'active'
    and archived_at is null
    and valid_to is null
    and (
        expires_at is null
        or expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
        or (expires_by = 'category' and (pinned = 1 or immutable = 1))
    )
order by updated_at desc, number desc;

-- What waits for a person: the oldest first, beside what it contradicts.
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
