-- Episodic memory: what was said (log), what happened (episode), and how it is found again.
-- Nothing is destroyed by housekeeping: what is archived is marked with when and why.
-- Whatever is typed here by hand, INSERT OR REPLACE included, is reflected in search: the
-- triggers below compute the indexed words in SQL. So neither table may ever get a second
-- UNIQUE constraint: OR REPLACE would remove the other row without a trigger to see it.

-- Raw turns, as they were said.
create table log (
    id integer primary key,
    session text not null,         -- the thread; a turn without one belongs to its day
    seq integer not null default 0,  -- its place in the thread, from 1
    role text not null default 'user',  -- user, assistant, system, tool, ...
    speaker text,                  -- who said it, where the role does not tell
    text text not null,
    details text not null default '',   -- what came along: a caption, a tool's output
    logged_at text not null,       -- when it was said
    recorded_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    processed_at text,             -- when consolidation last read it; null: still to read
    archived_at text,              -- null: living
    archived_why text,
    check ((archived_at is null) = (archived_why is null))
) strict;

create index log_session on log (session, seq);
create index log_time on log (logged_at);

-- What happened, in one sentence and what belongs to it.
create table episode (
    id integer primary key,
    summary text not null,
    details text not null default '',
    tags text not null default '[]',         -- ["flight", "booking"]
    participants text not null default '[]',  -- ["Ann", "Bob"]
    confidence text not null default 'medium' check (confidence in ('low', 'medium', 'high')),
    source text,                   -- where it comes from: a person, a session, a file
    thread text,                   -- what it belongs to; null: it stands alone
    seq integer not null default 0,  -- its place in the thread, from 1
    happened_at text not null,
    remembered_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    archived_at text,              -- null: living
    archived_why text,
    check (json_valid(tags) and json_type(tags) = 'array'),
    check (json_valid(participants) and json_type(participants) = 'array'),
    check ((archived_at is null) = (archived_why is null))
) strict;

create index episode_thread on episode (thread, seq)
where thread is not null;
create index episode_time on episode (happened_at);

-- Which turns an episode was made from.
create table episode_source (
    episode_id integer not null references episode (id) on delete cascade,
    log_id integer not null references log (id) on delete cascade,
    primary key (episode_id, log_id)
) strict, without rowid;

create index episode_source_log on episode_source (log_id);

-- Who was ever named as a speaker or participant: how a question's names are known.
create table participant (
    name text primary key collate nocase
) strict, without rowid;

-- Words that mean the same; recall follows them both ways and through each other.
create table alias (
    term text not null collate nocase,
    synonym text not null collate nocase,
    added_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    primary key (term, synonym),
    check (term <> synonym)
) strict, without rowid;

create index alias_synonym on alias (synonym);

-- One question that was asked.
create table recall (
    id integer primary key,
    asked_at text not null,
    question text not null,        -- secrets masked
    hits integer not null check (hits >= 0),
    unknown_words text not null default '[]',  -- words found nowhere
    fallback text,                 -- which vectors were asked as well; null: none
    duration_ms real not null,     -- without the writing of this row
    outcome text check (outcome in ('ok', 'failed')),
    outcome_at text,
    check (json_valid(unknown_words)),
    check ((outcome is null) = (outcome_at is null))
) strict;

create index recall_time on recall (asked_at);

-- What it brought back. Ids are those of log, episode or fact.
create table recall_hit (
    recall_id integer not null references recall (id) on delete cascade,
    rank integer not null check (rank >= 1),
    kind text not null check (kind in ('turn', 'episode', 'fact')),
    item_id integer not null,
    score real not null,
    fallback integer not null default 0 check (fallback in (0, 1)),
    used_at text,                  -- when somebody said that it helped
    primary key (recall_id, rank)
) strict, without rowid;

create index recall_hit_item on recall_hit (kind, item_id);

-- What made the vectors: 'store' is the store's own text, else a sentence model.
create table embedding_model (
    id integer primary key,
    name text not null unique,
    fingerprint text not null,     -- changes whenever the same text would get another vector
    dims integer not null check (dims > 0),
    made_at text not null
) strict;

-- Vectors of turns and episodes: float32, little-endian, of unit length.
create table embedding (
    id integer primary key,
    model_id integer not null references embedding_model (id) on delete cascade,
    kind text not null check (kind in ('turn', 'episode')),
    item_id integer not null,
    vector blob not null
) strict;

create unique index embedding_item on embedding (kind, item_id, model_id);

-- Vectors of words, of the model 'store' only: how a question gets its vector.
create table embedding_word (
    model_id integer not null references embedding_model (id) on delete cascade,
    word text not null,            -- stemmed, as the index has it
    vector blob not null,
    primary key (model_id, word)
) strict, without rowid;

-- What a person had erased: that, when and why; never a word of it.
create table erasure (
    id integer primary key,
    kind text not null check (kind in ('turn', 'episode')),
    item_id integer not null,
    erased_at text not null,
    why text not null
) strict;

-- The word index over both: row 2 * id is a turn, 2 * id + 1 an episode. Where a word stands
-- is not kept (detail=none); what is read is which rows hold it and how many words each has.
create virtual table episode_fts using fts5 (
    words,
    detail = none,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- What is said of each turn and episode, in one piece. Zero-width characters are taken out.
create view memory_text as
select
    'turn' as kind,
    id,
    replace(replace(replace(
        text || char(10) || details || char(10) || coalesce(speaker, ''),
        char(8203), ''
    ), char(65279), ''), char(173), '') as text
from log
union all
select
    'episode' as kind,
    id,
    replace(replace(replace(
        summary || char(10) || details || char(10) || tags || char(10) || participants,
        char(8203), ''
    ), char(65279), ''), char(173), '') as text
from episode;

-- The words that are indexed for it: the text; and where a script is written without spaces,
-- each of its characters and pairs of neighbours (their order is of no account), for the
-- first 100,000 characters. The statement `pieces` in sql/store/episodic.sql splits a
-- question in the same way.
create view memory_words as
select
    kind,
    id,
    case
        when text not glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿]*' then text
        else text || ' ' || (
            with recursive whole (body) as materialized (
                select substr(text, 1, 100000)
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

            place (body, at_char) as (
                select
                    block.body,
                    1
                from block
                union all
                select
                    place.body,
                    place.at_char + 1
                from place
                where place.at_char < min(400, length(place.body))
            )

            select
                group_concat(
                    substr(place.body, place.at_char, 1)
                    || ' '
                    || substr(place.body, place.at_char, 2),
                    ' '
                )
            from place
            where
                substr(place.body, place.at_char, 1)
                glob '[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿]'
        )
    end as words
from memory_text;

-- What keeps index, names and vectors in step with the rows, whoever writes them. A text of
-- ASCII alone is indexed as it is: it needs nothing of what the view does.
create trigger log_inserted after insert on log begin
    delete from episode_fts
    where rowid = 2 * new.id;
    delete from embedding
    where kind = 'turn' and item_id = new.id;
    insert into episode_fts (rowid, words)
    select
        2 * new.id as index_id,
        case
            when length(said.plain) = length(cast(said.plain as blob)) then said.plain
            else (
                select memory_words.words
                from memory_words
                where memory_words.kind = 'turn' and memory_words.id = new.id
            )
        end as words
    from (
        select new.text || char(10) || new.details || char(10) || coalesce(new.speaker, '') as plain
    ) as said;
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
end;

create trigger log_updated after update of id, text, details, speaker on log begin
    delete from episode_fts
    where rowid in (2 * old.id, 2 * new.id);
    delete from embedding
    where kind = 'turn' and item_id in (old.id, new.id);
    insert into episode_fts (rowid, words)
    select
        2 * new.id as index_id,
        case
            when length(said.plain) = length(cast(said.plain as blob)) then said.plain
            else (
                select memory_words.words
                from memory_words
                where memory_words.kind = 'turn' and memory_words.id = new.id
            )
        end as words
    from (
        select new.text || char(10) || new.details || char(10) || coalesce(new.speaker, '') as plain
    ) as said;
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
end;

create trigger log_deleted after delete on log begin
    delete from episode_fts
    where rowid = 2 * old.id;
    delete from embedding
    where kind = 'turn' and item_id = old.id;
    delete from recall_hit
    where kind = 'turn' and item_id = old.id;
end;

create trigger episode_inserted after insert on episode begin
    delete from episode_fts
    where rowid = 2 * new.id + 1;
    delete from embedding
    where kind = 'episode' and item_id = new.id;
    insert into episode_fts (rowid, words)
    select
        2 * new.id + 1 as index_id,
        case
            when length(said.plain) = length(cast(said.plain as blob)) then said.plain
            else (
                select memory_words.words
                from memory_words
                where memory_words.kind = 'episode' and memory_words.id = new.id
            )
        end as words
    from (
        select
            new.summary || char(10) || new.details || char(10) || new.tags
            || char(10) || new.participants as plain
    ) as said;
    insert or ignore into participant
    select present.value
    from json_each(new.participants) as present
    where present.type = 'text' and trim(present.value) <> '';
end;

create trigger episode_updated after update of id, summary, details, tags, participants
on episode begin
    delete from episode_fts
    where rowid in (2 * old.id + 1, 2 * new.id + 1);
    delete from embedding
    where kind = 'episode' and item_id in (old.id, new.id);
    insert into episode_fts (rowid, words)
    select
        2 * new.id + 1 as index_id,
        case
            when length(said.plain) = length(cast(said.plain as blob)) then said.plain
            else (
                select memory_words.words
                from memory_words
                where memory_words.kind = 'episode' and memory_words.id = new.id
            )
        end as words
    from (
        select
            new.summary || char(10) || new.details || char(10) || new.tags
            || char(10) || new.participants as plain
    ) as said;
    insert or ignore into participant
    select present.value
    from json_each(new.participants) as present
    where present.type = 'text' and trim(present.value) <> '';
end;

create trigger episode_deleted after delete on episode begin
    delete from episode_fts
    where rowid = 2 * old.id + 1;
    delete from embedding
    where kind = 'episode' and item_id = old.id;
    delete from recall_hit
    where kind = 'episode' and item_id = old.id;
end;

-- What was said and what happened, the newest first.
create view memory_timeline as
select
    'turn' as kind,
    id,
    logged_at as happened_at,
    session as thread,
    coalesce(speaker, role) as who,
    text,
    archived_at
from log
union all
select
    'episode' as kind,
    id,
    happened_at,
    thread,
    (
        select group_concat(present.value, ', ')
        from json_each(episode.participants) as present
    ) as who,
    summary as text,
    archived_at
from episode
order by happened_at desc, id desc;

-- How often each turn or episode came back, and how often somebody said that it helped.
create view recall_worth as
select
    recall_hit.kind,
    recall_hit.item_id,
    count(*) as recalled,
    count(recall_hit.used_at) as used,
    max(recall.asked_at) as last_recalled_at
from recall_hit
inner join recall on recall_hit.recall_id = recall.id
group by recall_hit.kind, recall_hit.item_id;
