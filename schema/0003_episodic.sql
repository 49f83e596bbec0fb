-- Episodic memory: what was said (log), what happened (episode), and how it is found again.
-- Nothing is destroyed by housekeeping: what is archived is marked with when and why. Whatever
-- is typed here by hand, INSERT OR REPLACE included, is reflected in search: the triggers
-- below compute the indexed words in SQL. So neither table may ever get a second UNIQUE
-- constraint: OR REPLACE would remove the other row without a trigger to see it. A turn that
-- memctl adds leaves the word index alone: at most 63 of the newest wait, and reach it in one
-- statement, which costs FTS5 little more than one of them. What is typed by hand is in the
-- index at once, and brings those that wait along.

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
    archived_why text,  -- why it was put away
    -- How memctl says, while it adds a turn, that its words may follow: 1: soon; 2: with the batch
    -- that it is of. Always 0 afterwards.
    later integer not null default 0 check (later in (0, 1, 2)),
    check ((archived_at is null) = (archived_why is null))
) strict;

create index log_session on log (session, seq);

create index log_time on log (logged_at);

-- Episodes: something that happened, in one sentence, with its details.
create table episode (
    id integer primary key,
    summary text not null,  -- what happened, in one sentence
    details text not null default '',  -- all the rest
    tags text not null default '[]',         -- ["flight", "booking"]
    participants text not null default '[]',  -- ["Ann", "Bob"]
    -- How sure we are.
    confidence text not null default 'medium' check (confidence in ('low', 'medium', 'high')),
    source text,                   -- where it comes from: a person, a session, a file
    thread text,                   -- what it belongs to; null: it stands alone
    seq integer not null default 0,  -- its place in the thread, from 1
    happened_at text not null,
    remembered_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    archived_at text,              -- null: living
    archived_why text,  -- why it was put away
    check (json_valid(tags) and json_type(tags) = 'array'),
    check (json_valid(participants) and json_type(participants) = 'array'),
    check ((archived_at is null) = (archived_why is null))
) strict;

create index episode_thread on episode (thread, seq)
where thread is not null;

create index episode_time on episode (happened_at);

-- Turns that an episode was made from.
create table episode_source (
    episode_id integer not null references episode (id) on delete cascade,
    log_id integer not null references log (id) on delete cascade,
    primary key (episode_id, log_id)
) strict, without rowid;

create index episode_source_log on episode_source (log_id);

-- Names of all speakers and participants: how recall knows a name in a question.
create table participant (
    name text primary key collate nocase
) strict, without rowid;

-- Words that mean the same; recall follows them both ways and through each other.
create table alias (
    term text not null collate nocase,  -- a word
    synonym text not null collate nocase,  -- another word for it
    added_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    primary key (term, synonym),
    check (term <> synonym)
) strict, without rowid;

create index alias_synonym on alias (synonym);

-- Questions that were asked.
create table recall (
    id integer primary key,
    asked_at text not null,
    question text not null,        -- secrets masked
    hits integer not null check (hits >= 0),  -- rows that came back
    unknown_words text not null default '[]',  -- words found nowhere
    fallback text,                 -- which vectors were asked as well; null: none
    duration_ms real not null,     -- without the writing of this row
    outcome text check (outcome in ('ok', 'failed')),  -- as somebody reported it
    outcome_at text,
    check (json_valid(unknown_words)),
    check ((outcome is null) = (outcome_at is null))
) strict;

create index recall_time on recall (asked_at);

-- Results of a recall, by rank. Ids are those of log, episode or fact.
create table recall_hit (
    recall_id integer not null references recall (id) on delete cascade,
    rank integer not null check (rank >= 1),  -- 1 is the best
    kind text not null check (kind in ('turn', 'episode', 'fact')),
    item_id integer not null,
    score real not null,  -- the sum of what recall explains
    fallback integer not null default 0 check (fallback in (0, 1)),  -- 1: found by vectors
    used_at text,                  -- when somebody said that it helped
    primary key (recall_id, rank)
) strict, without rowid;

create index recall_hit_item on recall_hit (kind, item_id);

-- Models that made the vectors: 'store' is the store's own text, else a sentence model.
create table embedding_model (
    id integer primary key,
    name text not null unique,
    fingerprint text not null,     -- changes whenever the same text would get another vector
    dims integer not null check (dims > 0),  -- numbers in a vector
    made_at text not null
) strict;

-- Vectors of turns and episodes: float32, little-endian, of unit length.
create table embedding (
    id integer primary key,
    model_id integer not null references embedding_model (id) on delete cascade,
    kind text not null check (kind in ('turn', 'episode')),
    item_id integer not null,
    vector blob not null  -- dims x 4 bytes
) strict;

create unique index embedding_item on embedding (kind, item_id, model_id);

-- Vectors of words, of the model 'store' only: how a question gets its vector.
create table embedding_word (
    model_id integer not null references embedding_model (id) on delete cascade,
    word text not null,            -- stemmed, as the index has it
    vector blob not null,  -- dims x 4 bytes
    primary key (model_id, word)
) strict, without rowid;

-- Erasures that a person asked for: when and why; never a word of the text.
create table erasure (
    id integer primary key,
    kind text not null check (kind in ('turn', 'episode')),
    item_id integer not null,
    erased_at text not null,
    why text not null  -- as the person said
) strict;

-- The word index over turns and episodes: row 2 * id is a turn, 2 * id + 1 an episode. Where a
-- word stands is not kept (detail=none); what is read is which rows hold it and how many words
-- each has.
create virtual table episode_fts using fts5 (
    words,
    detail = none,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- Texts of turns and episodes, each in one piece. Zero-width characters are taken out.
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

-- Words that are indexed of each turn and episode: the text; and where a script is written
-- without spaces, each of its characters and pairs of neighbours (their order is of no
-- account), for the first 100,000 characters. The statement `pieces` in sql/store/episodic.sql
-- splits a question in the same way.
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

-- Words of each turn, as the index holds them or is to. A text of ASCII alone is indexed as it
-- is: it needs nothing of what the view memory_words does.
create view log_words as
select
    said.id,
    2 * said.id as index_id,
    case
        when length(said.plain) = length(cast(said.plain as blob)) then said.plain
        else (
            select memory_words.words
            from memory_words
            where memory_words.kind = 'turn' and memory_words.id = said.id
        )
    end as words
from (
    select
        id,
        text || char(10) || details || char(10) || coalesce(speaker, '') as plain
    from log
) as said;

-- Turns whose words are not in the index yet: those after all that it holds. So whatever puts a
-- later row into the index has to put these there first.
create view log_waiting as
select id
from log
where
    id > (
        select coalesce(max(docsize.id), 0) / 2
        from episode_fts_docsize as docsize
    );

-- The triggers keep index, names and vectors in step with the rows, whoever writes them.
create trigger log_deleted after delete on log begin
    delete from episode_fts
    where rowid = 2 * old.id;
    delete from embedding
    where kind = 'turn' and item_id = old.id;
    delete from recall_hit
    where kind = 'turn' and item_id = old.id;
end;

create trigger episode_deleted after delete on episode begin
    delete from episode_fts
    where rowid = 2 * old.id + 1;
    delete from embedding
    where kind = 'episode' and item_id = old.id;
    delete from recall_hit
    where kind = 'episode' and item_id = old.id;
end;

create trigger log_added after insert on log
when new.later > 0
begin
    delete from embedding
    where kind = 'turn' and item_id = new.id;
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
    update log
    set later = 0
    where id = new.id;
end;

-- Many at once cost the index little more than one: every 64th row brings those before it
-- along. A long turn does not wait: a recall that may not write would have to read it each
-- time.
create trigger log_added_full after insert on log
when new.later = 1 and (new.id % 64 = 0 or length(new.text) + length(new.details) > 1000)
begin
    insert into episode_fts (rowid, words)
    select
        index_id,
        words
    from log_words
    where id in (select log_waiting.id from log_waiting);
end;

-- Replacing a row fires no delete trigger, hence the delete before the insert.
create trigger log_inserted after insert on log
when
    new.later = 0
    or new.id < (select max(id) from log)
    or new.id <= (select max(id) from episode)
begin
    delete from episode_fts
    where rowid = 2 * new.id;
    delete from embedding
    where kind = 'turn' and item_id = new.id;
    insert into episode_fts (rowid, words)
    select
        index_id,
        words
    from log_words
    where
        id in (
            select log_waiting.id from log_waiting
            union
            select new.id
        );
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
    update log
    set later = 0
    where id = new.id and later <> 0;
end;

create trigger log_updated after update of id, text, details, speaker on log begin
    delete from episode_fts
    where rowid in (2 * old.id, 2 * new.id);
    delete from embedding
    where kind = 'turn' and item_id in (old.id, new.id);
    insert into episode_fts (rowid, words)
    select
        index_id,
        words
    from log_words
    where
        id in (
            select log_waiting.id from log_waiting
            union
            select new.id
        );
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
end;

create trigger episode_inserted after insert on episode begin
    delete from episode_fts
    where rowid = 2 * new.id + 1;
    delete from embedding
    where kind = 'episode' and item_id = new.id;
    insert into episode_fts (rowid, words)
    select
        index_id,
        words
    from log_words
    where id in (select log_waiting.id from log_waiting);
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
        index_id,
        words
    from log_words
    where id in (select log_waiting.id from log_waiting);
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

-- Turns and episodes in one list, the newest first.
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

-- Counts of how often each turn or episode was recalled, and how often that helped.
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
