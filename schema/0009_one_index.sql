-- One word index over turns, episodes and facts, in the same words: the same tokenizer, the same
-- scripts. A row of the index is the id of its turn, 2^48 (281474976710656) and the id of its
-- episode, or 2^49 (562949953421312) and the number of its fact: a search for one kind reads one
-- range. Turns and facts that memctl adds leave the index alone: at most 63 of the newest of each
-- wait, and reach it in one statement.

drop trigger log_deleted;
drop trigger episode_deleted;
drop trigger log_added;
drop trigger log_added_full;
drop trigger log_inserted;
drop trigger log_updated;
drop trigger episode_inserted;
drop trigger episode_updated;
drop trigger fact_index_insert;
drop trigger fact_index_delete;
drop trigger fact_index_update;
drop trigger fact_renamed;
drop trigger fact_indexed_kept;
drop trigger fact_indexed_more;
drop trigger fact_insert;
drop trigger fact_update;
drop trigger fact_delete;
drop view log_waiting;
drop view log_words;
drop view memory_words;
drop view memory_text;
drop view fact_words;
drop table episode_fts;
drop table fact_fts;
drop table fact_index;
drop table fact_indexed;

-- Where a word stands is not kept (detail=none); what is read is which rows hold it and how many
-- words each has.
create virtual table memory_fts using fts5 (
    words,
    detail = none,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- Texts of turns, episodes and facts, each in one piece.
create view memory_text as
select
    'turn' as kind,
    id,
    text || char(10) || details || char(10) || coalesce(speaker, '') as text
from log
union all
select
    'episode' as kind,
    id,
    summary || char(10) || details || char(10) || tags || char(10) || participants as text
from episode
union all
select
    'fact' as kind,
    number as id,
    coalesce(folded, text) || char(10) || coalesce(subject, '') || char(10)
    || coalesce(attribute, '') || char(10) || coalesce(value, '') as text
from fact;

-- Words that are indexed of each: the text without what is not seen, with letters folded that the
-- tokenizer does not fold; each
-- character of a script that is written without spaces and each pair of neighbours as a word (their
-- order is of no account), and a word for each emoji, in the first 100,000 characters.
-- `memctl.text.splitting` splits a question in the same way. A text of ASCII alone is indexed as
-- it is.
create view memory_words as
select
    said.kind,
    said.id,
    case
        when said.plain is not null then said.plain
        when said.text not glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*' then said.text
        else (
            with recursive whole (body) as materialized (
                select substr(said.text, 1, 100000)
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

            part (start, body, places) as materialized (
                select
                    block.start,
                    block.body,
                    case
                        when block.body glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*'
                            then length(block.body)
                        else 1
                    end
                from block
            ),

            piece (found) as materialized (
                select
                    case
                        when part.places = 1 then substr(part.body, 1, 400)
                        when substr(part.body, place.at_char, 1) glob '[←-⯿🀀-🫿]'
                            then
                                printf(
                                    ' emoji%x ', unicode(substr(part.body, place.at_char, 1))
                                )
                        when
                            substr(part.body, place.at_char, 1)
                            glob '[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿]'
                            then
                                ' '
                                || substr(part.body, place.at_char, 1)
                                || ' '
                                || substr(part.body, place.at_char, 2)
                                || ' '
                        else substr(part.body, place.at_char, 1)
                    end
                from part
                inner join place on part.places >= place.at_char
                order by part.start, place.at_char
            )

            select group_concat(piece.found, '') || substr(said.text, 100001)
            from piece
        )
    end as words
from (
    select
        kind,
        id,
        plain,
        replace(replace(replace(replace(replace(replace(
            text,
            'œ', 'oe'
        ), 'Œ', 'oe'), 'ß', 'ss'),
        'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th') as text
    from (
        select
            kind,
            id,
            plain,
            replace(replace(replace(replace(replace(replace(
                text,
                'Ħ', 'h'
            ), 'ŧ', 't'), 'Ŧ', 't'),
            'ı', 'i'), 'æ', 'ae'), 'Æ', 'ae') as text
        from (
            select
                kind,
                id,
                plain,
                replace(replace(replace(replace(replace(replace(
                    text,
                    'Ø', 'o'
                ), 'đ', 'd'), 'Đ', 'd'),
                'ð', 'd'), 'Ð', 'd'), 'ħ', 'h') as text
            from (
                select
                    kind,
                    id,
                    plain,
                    replace(replace(replace(replace(replace(replace(
                        text,
                        char(8203), ''
                    ), char(65279), ''), char(173), ''),
                    'ł', 'l'), 'Ł', 'l'), 'ø', 'o') as text
                from (
                    select
                        kind,
                        id,
                        plain,
                        -- What says how the emoji before it looks: a variation, a tone of skin.
                        replace(replace(replace(replace(replace(replace(
                            text,
                            char(65039), ' '
                        ), char(127995), ' '), char(127996), ' '),
                        char(127997), ' '), char(127998), ' '), char(127999), ' ') as text
                    from (
                        select
                            kind,
                            id,
                            iif(length(text) = length(cast(text as blob)), text, null) as plain,
                            text
                        from memory_text
                    ) as kept
                ) as folded_0
            ) as folded_1
        ) as folded_2
    ) as folded_3
) as said;

-- Turns and facts whose words are not in the index yet: those after all that it holds of their
-- kind. So whatever puts a later row into the index has to put these there first.
create view memory_waiting as
select
    'turn' as kind,
    id,
    id as index_row
from log
where
    id > (
        select coalesce(max(docsize.id), 0)
        from memory_fts_docsize as docsize
        where docsize.id < 281474976710656
    )
union all
select
    'fact' as kind,
    number as id,
    number + 562949953421312 as index_row
from fact
where
    number > (
        select coalesce(max(docsize.id), 562949953421312) - 562949953421312
        from memory_fts_docsize as docsize
        where docsize.id > 562949953421312
    );

-- Rows of the waiting ones, as the index is to hold them.
create view memory_waiting_words as
select
    waiting.index_row,
    (
        select memory_words.words
        from memory_words
        where memory_words.kind = waiting.kind and memory_words.id = waiting.id
    ) as words
from memory_waiting as waiting;

insert into memory_fts (rowid, words)
select
    id,
    words
from memory_words
where kind = 'turn';

insert into memory_fts (rowid, words)
select
    id + 281474976710656 as index_row,
    words
from memory_words
where kind = 'episode';

insert into memory_fts (rowid, words)
select
    id + 562949953421312 as index_row,
    words
from memory_words
where kind = 'fact';

-- The triggers keep index, names and vectors in step with the rows, whoever writes them.
create trigger log_numbered before insert on log
when new.id is not null and new.id not between -1 and 281474976710655
begin
    select raise(abort, 'the id of a turn is 1 or more, and less than 2^48') as refused;
end;

create trigger episode_numbered before insert on episode
when new.id is not null and new.id not between -1 and 281474976710655
begin
    select raise(abort, 'the id of an episode is 1 or more, and less than 2^48') as refused;
end;

create trigger fact_numbered before insert on fact
when new.number is not null and new.number not between -1 and 281474976710655
begin
    select raise(abort, 'the number of a fact is 1 or more, and less than 2^48') as refused;
end;

create trigger log_deleted after delete on log begin
    delete from memory_fts
    where rowid = old.id;
    delete from embedding
    where kind = 'turn' and item_id = old.id;
    delete from recall_hit
    where kind = 'turn' and item_id = old.id;
end;

create trigger episode_deleted after delete on episode begin
    delete from memory_fts
    where rowid = 281474976710656 + old.id;
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
    insert into memory_fts (rowid, words)
    select
        index_row,
        words
    from memory_waiting_words
    where index_row < 281474976710656;
end;

-- Replacing a row fires no delete trigger, hence the delete before the insert.
create trigger log_inserted after insert on log
when new.later = 0 or new.id < (select max(id) from log)
begin
    delete from memory_fts
    where rowid = new.id;
    delete from embedding
    where kind = 'turn' and item_id = new.id;
    insert into memory_fts (rowid, words)
    select
        index_row,
        words
    from memory_waiting_words
    where index_row < 281474976710656;
    insert into memory_fts (rowid, words)
    select
        memory_words.id,
        memory_words.words
    from memory_words
    where
        memory_words.kind = 'turn'
        and memory_words.id = new.id
        and not exists (
            select 1
            from memory_fts_docsize as docsize
            where docsize.id = new.id
        );
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
    update log
    set later = 0
    where id = new.id and later <> 0;
end;

create trigger log_updated after update of id, text, details, speaker on log begin
    delete from memory_fts
    where rowid in (old.id, new.id);
    delete from embedding
    where kind = 'turn' and item_id in (old.id, new.id);
    insert into memory_fts (rowid, words)
    select
        index_row,
        words
    from memory_waiting_words
    where index_row < 281474976710656;
    insert into memory_fts (rowid, words)
    select
        memory_words.id,
        memory_words.words
    from memory_words
    where
        memory_words.kind = 'turn'
        and memory_words.id = new.id
        and not exists (
            select 1
            from memory_fts_docsize as docsize
            where docsize.id = new.id
        );
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
end;

create trigger episode_inserted after insert on episode begin
    delete from memory_fts
    where rowid = 281474976710656 + new.id;
    delete from embedding
    where kind = 'episode' and item_id = new.id;
    insert into memory_fts (rowid, words)
    select
        memory_words.id + 281474976710656 as index_row,
        memory_words.words
    from memory_words
    where memory_words.kind = 'episode' and memory_words.id = new.id;
    insert or ignore into participant
    select present.value
    from json_each(new.participants) as present
    where present.type = 'text' and trim(present.value) <> '';
end;

create trigger episode_updated after update of id, summary, details, tags, participants
on episode begin
    delete from memory_fts
    where rowid in (281474976710656 + old.id, 281474976710656 + new.id);
    delete from embedding
    where kind = 'episode' and item_id in (old.id, new.id);
    insert into memory_fts (rowid, words)
    select
        memory_words.id + 281474976710656 as index_row,
        memory_words.words
    from memory_words
    where memory_words.kind = 'episode' and memory_words.id = new.id;
    insert or ignore into participant
    select present.value
    from json_each(new.participants) as present
    where present.type = 'text' and trim(present.value) <> '';
end;

create trigger fact_renamed after update of id on fact
when new.id is not old.id
begin
    delete from memory_fts
    where
        rowid in (
            select fact_replaced.number + 562949953421312
            from fact_replaced
            where fact_replaced.number not in (select fact.number from fact)
        );
    delete from fact_replaced;
end;

-- Every 64th fact brings those before it along, as a turn does; a long one does not wait. What is
-- replaced by its id is noted before the insert (trigger fact_replace), by its number here.
create trigger fact_insert after insert on fact
when
    new.number % 64 = 0
    or length(new.text) > 1000
    or new.number < (select max(fact.number) from fact)
    or exists (select 1 from fact_replaced)
    or exists (
        select 1
        from memory_fts_docsize as docsize
        where docsize.id >= 562949953421312 + new.number
    )
    or (
        select count(*) from memory_waiting
        where index_row > 562949953421312
    ) > 63
begin
    delete from memory_fts
    where rowid = 562949953421312 + new.number;
    delete from memory_fts
    where
        rowid in (
            select fact_replaced.number + 562949953421312
            from fact_replaced
            where fact_replaced.number not in (select fact.number from fact)
        );
    delete from fact_replaced;
    insert into memory_fts (rowid, words)
    select
        index_row,
        words
    from memory_waiting_words
    where index_row > 562949953421312;
    insert into memory_fts (rowid, words)
    select
        memory_words.id + 562949953421312 as index_row,
        memory_words.words
    from memory_words
    where
        memory_words.kind = 'fact'
        and memory_words.id = new.number
        and not exists (
            select 1
            from memory_fts_docsize as docsize
            where docsize.id = 562949953421312 + new.number
        );
end;

create trigger fact_update after update of number, text, subject, attribute, value, folded
on fact
when
    (
        new.number is not old.number or new.text is not old.text or new.subject is not old.subject
        or new.attribute is not old.attribute or new.value is not old.value
        or new.folded is not old.folded
    )
    and exists (
        select 1
        from memory_fts_docsize as docsize
        where docsize.id >= 562949953421312 + min(old.number, new.number)
    )
begin
    delete from memory_fts
    where rowid in (562949953421312 + old.number, 562949953421312 + new.number);
    insert into memory_fts (rowid, words)
    select
        index_row,
        words
    from memory_waiting_words
    where index_row > 562949953421312;
    insert into memory_fts (rowid, words)
    select
        memory_words.id + 562949953421312 as index_row,
        memory_words.words
    from memory_words
    where
        memory_words.kind = 'fact'
        and memory_words.id = new.number
        and not exists (
            select 1
            from memory_fts_docsize as docsize
            where docsize.id = 562949953421312 + new.number
        );
end;

create trigger fact_delete after delete on fact begin
    delete from memory_fts
    where rowid = 562949953421312 + old.number;
    insert into fact_history (fact_id, event, old_text, changed_at, actor)
    values (old.id, 'DELETE', old.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3');
end;
