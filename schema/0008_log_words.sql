-- A turn that memctl adds leaves the word index alone: at most 63 of the newest wait, and reach it
-- in one statement, which costs FTS5 little more than one of them. What is typed by hand is in the
-- index at once, as before, and brings those that wait along.

drop trigger log_inserted;
drop trigger log_updated;
drop trigger episode_inserted;
drop trigger episode_updated;

-- How memctl says, while it adds a turn, that its words may follow: 1: soon; 2: with the batch that
-- it is of. Always 0 afterwards.
alter table log add column later integer not null default 0 check (later in (0, 1, 2));

-- What the index holds, or is to hold, of each turn. A text of ASCII alone is indexed as it is: it
-- needs nothing of what the view memory_words does.
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

-- The turns whose words wait: those after all that the index holds. So whatever puts a later row
-- into the index has to put these there first.
create view log_waiting as
select id
from log
where
    id > (
        select coalesce(max(docsize.id), 0) / 2
        from episode_fts_docsize as docsize
    );

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

-- Many at once cost the index little more than one: every 64th row brings those before it along. A
-- long turn does not wait: a recall that may not write would have to read it each time.
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
