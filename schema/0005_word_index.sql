-- One word index over turns, episodes and facts, in the same words: the same tokenizer, the same
-- scripts. A row of the index is the id of its turn, 2^48 (281474976710656) and the id of its
-- episode, or 2^49 (562949953421312) and the number of its fact: a search for one kind reads one
-- range. Whatever is typed by hand, INSERT OR REPLACE included, is reflected in search: the
-- triggers compute the indexed words. So log and episode may never get a second UNIQUE constraint:
-- OR REPLACE would remove the other row without a trigger to see it.
--
-- Turns and facts that memctl adds leave the index alone: at most 63 of the newest of each wait,
-- and reach it in one statement, which costs FTS5 little more than one of them. What is typed by
-- hand is in the index at once, and brings those that wait along.

-- Words of turns, episodes and facts: which rows a word is in and how many words each row has, not
-- where in the row (detail=none).
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

-- Words that are indexed of each: the text with letters folded that the tokenizer does not fold,
-- such as the accents of Greek, the dots of the Russian yo, the vowel signs of Hebrew and Arabic;
-- C++ as Cplusplus, C# as Csharp, .NET as dotnet, too; each character of a script that is written
-- without spaces and each pair of neighbours as a word (their order is of no account), and a word
-- for each emoji, in the first 100,000 characters. A text of ASCII without such signs is indexed as
-- it is. `memctl.text.splitting` folds and splits a question in the same way. Each step stands here
-- once: what is written twice is compiled into each trigger twice.
create view memory_words as
select
    said.kind,
    said.id,
    case
        when
            length(said.text) = length(cast(said.text as blob))
            and not instr(said.text, '++')
            and not instr(said.text, '.net')
            and not instr(said.text, '.NET')
            and not instr(said.text, '.Net')
            and (not instr(said.text, '#') or said.text not glob '*[A-Za-z]#*')
            then said.text
        else (
            with recursive sharp (letters, body) as (
                select
                    iif(
                        said.text glob '*[A-Za-z]#*',
                        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
                        ''
                    ),
                    replace(replace(replace(replace(replace(
                        ' ' || said.text,
                        ' .net', ' dotnet net'
                    ), '(.net', '(dotnet net'),
                    '.NET', ' dotnet NET'), '.Net', ' dotnet Net'), '++', 'plusplus ')
                union all
                select
                    substr(sharp.letters, 2),
                    case
                        when
                            not instr(sharp.body, substr(sharp.letters, 1, 1) || '#')
                            or sharp.body
                            glob '*[A-Za-z0-9]' || substr(sharp.letters, 1, 1) || '#*'
                            or sharp.body glob '*' || substr(sharp.letters, 1, 1) || '#[A-Za-z]*'
                            then sharp.body
                        else
                            replace(
                                sharp.body,
                                substr(sharp.letters, 1, 1) || '#',
                                substr(sharp.letters, 1, 1) || 'sharp '
                            )
                    end
                from sharp
                where sharp.letters <> ''
            ),

            signed (body) as materialized (
                select sharp.body
                from sharp
                where sharp.letters = ''
            ),

            letters_1 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            signed.body,
                            char(65039), ' '
                        ), char(127995), ' '
                    ), char(127996), ' '), char(127997), ' '),
                    char(127998), ' '), char(127999), ' '), char(8203), ''), char(65279), ''),
                    char(173), ''), 'ł', 'l') as body
                from signed
            ),

            letters_2 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_1.body,
                            'Ł', 'l'
                        ), 'ø', 'o'
                    ), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'),
                    'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't') as body
                from letters_1
            ),

            letters_3 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_2.body,
                            'Ŧ', 't'
                        ), 'ı', 'i'
                    ), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ß', 'ss'),
                    'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th') as body
                from letters_2
            ),

            letters_4 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_3.body,
                            'ﬀ', 'ff'
                        ), 'ﬁ', 'fi'
                    ), 'ﬂ', 'fl'), 'Ё', 'е'), 'ё', 'е'), 'Ά', 'α'), 'Έ', 'ε'),
                    'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο') as body
                from letters_3
            ),

            letters_5 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_4.body,
                            'Ύ', 'υ'
                        ), 'Ώ', 'ω'
                    ), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'),
                    'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ') as body
                from letters_4
            ),

            letters_6 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_5.body,
                            'ϊ', 'ι'
                        ), 'ϋ', 'υ'
                    ), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), char(1456), ''),
                    char(1457), ''), char(1458), ''), char(1459), ''), char(1460), '') as body
                from letters_5
            ),

            letters_7 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_6.body,
                            char(1461), ''
                        ), char(1462), ''
                    ), char(1463), ''), char(1464), ''), char(1465), ''),
                    char(1466), ''), char(1467), ''), char(1468), ''), char(1469), ''),
                    char(1471), '') as body
                from letters_6
            ),

            letters_8 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_7.body,
                            char(1473), ''
                        ), char(1474), ''
                    ), char(1479), ''), 'آ', 'ا'), 'أ', 'ا'), 'إ', 'ا'),
                    'ٱ', 'ا'), 'ؤ', 'و'), 'ئ', 'ي'), 'ى', 'ي') as body
                from letters_7
            ),

            letters_9 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_8.body,
                            'ی', 'ي'
                        ), 'ک', 'ك'
                    ), 'ة', 'ه'), char(1600), ''), char(1611), ''), char(1612), ''),
                    char(1613), ''), char(1614), ''), char(1615), ''), char(1616), '') as body
                from letters_8
            ),

            letters_10 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(
                        letters_9.body,
                        char(1617), ''
                    ), char(1618), ''), char(1619), ''), char(1620), ''), char(1621), ''),
                    char(1648), '') as body
                from letters_9
            ),

            folded (body) as materialized (
                select letters_10.body
                from letters_10
            )

            select
                case
                    when
                        said.text not glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*'
                        then folded.body
                    else (
                        with recursive whole (body) as materialized (
                            select substr(folded.body, 1, 100000)
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
                                    when
                                        block.body
                                        glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*'
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
                                                ' emoji%x ',
                                                unicode(substr(part.body, place.at_char, 1))
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

                        select group_concat(piece.found, '') || substr(folded.body, 100001)
                        from piece
                    )
                end
            from folded
        )
    end as words
from memory_text as said;

-- Turns and facts whose words are not in the index yet: those after all that are in it of their
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

-- Words of the waiting rows, as they are to be indexed.
create view memory_waiting_words as
select
    waiting.kind,
    waiting.index_row,
    (
        select memory_words.words
        from memory_words
        where memory_words.kind = waiting.kind and memory_words.id = waiting.id
    ) as words
from memory_waiting as waiting;

-- Facts that an insert or replace by their id may take away: that fires no delete trigger. [local]
create table fact_replaced (
    number integer primary key  -- as in fact
) strict;

-- Changes of rows that a recall may have depended on: which, how and when, never what. A row that
-- is added is none: what is kept of rows stays true until the highest id here is another. [local]
create table row_change (
    id integer primary key,
    kind text not null check (kind in ('turn', 'episode', 'fact')),  -- what was changed
    item_id integer not null,  -- as in log, episode or fact (number)
    -- How it was changed; a fact is also changed when it ends, or is another's.
    change text not null check (
        change in ('added', 'edited', 'erased', 'archived', 'restored', 'changed')
    ),
    changed_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) strict;

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

-- A row is indexed anew, with those of its kind that wait: it would put them behind it.
create trigger memory_row_indexed instead of insert on memory_waiting_words begin
    delete from memory_fts
    where rowid = new.index_row;
    insert into memory_fts (rowid, words)
    select
        waiting.index_row,
        waiting.words
    from memory_waiting_words as waiting
    where waiting.kind = new.kind;
    insert into memory_fts (rowid, words)
    select
        new.index_row,
        memory_words.words
    from memory_words
    where
        memory_words.kind = new.kind
        and memory_words.id = new.index_row % 281474976710656
        and not exists (
            select 1
            from memory_fts_docsize as docsize
            where docsize.id = new.index_row
        );
end;

-- Nothing is left of a row that is erased.
create trigger row_erased after insert on row_change
when new.change = 'erased'
begin
    delete from memory_fts
    where
        rowid = new.item_id
        + iif(new.kind = 'episode', 281474976710656, iif(new.kind = 'fact', 562949953421312, 0));
    delete from embedding
    where kind = new.kind and item_id = new.item_id;
    delete from recall_hit
    where kind = new.kind and item_id = new.item_id;
end;

create trigger log_deleted after delete on log begin
    delete from injected_row
    where name = 'turn:' || old.id;
    insert into row_change (kind, item_id, change) values ('turn', old.id, 'erased');
end;

create trigger episode_deleted after delete on episode begin
    delete from injected_row
    where name = 'episode:' || old.id;
    insert into row_change (kind, item_id, change) values ('episode', old.id, 'erased');
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
    delete from embedding
    where kind = 'turn' and item_id = new.id;
    insert into memory_waiting_words (kind, index_row) values ('turn', new.id);
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
    update log
    set later = 0
    where id = new.id and later <> 0;
end;

create trigger log_updated after update of id, text, details, speaker on log begin
    delete from memory_fts
    where rowid = old.id;
    delete from embedding
    where kind = 'turn' and item_id in (old.id, new.id);
    insert into memory_waiting_words (kind, index_row) values ('turn', new.id);
    insert or ignore into participant
    select new.speaker as name
    where new.speaker is not null and trim(new.speaker) <> '';
end;

create trigger episode_inserted after insert on episode begin
    delete from embedding
    where kind = 'episode' and item_id = new.id;
    insert into memory_waiting_words (kind, index_row)
    values ('episode', 281474976710656 + new.id);
    insert or ignore into participant
    select present.value
    from json_each(new.participants) as present
    where present.type = 'text' and trim(present.value) <> '';
end;

create trigger episode_updated after update of id, summary, details, tags, participants
on episode begin
    delete from memory_fts
    where rowid = 281474976710656 + old.id;
    delete from embedding
    where kind = 'episode' and item_id in (old.id, new.id);
    insert into memory_waiting_words (kind, index_row)
    values ('episode', 281474976710656 + new.id);
    insert or ignore into participant
    select present.value
    from json_each(new.participants) as present
    where present.type = 'text' and trim(present.value) <> '';
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
    delete from memory_fts
    where
        rowid in (
            select fact_replaced.number + 562949953421312
            from fact_replaced
            where fact_replaced.number not in (select fact.number from fact)
        );
    delete from fact_replaced;
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
    where
        rowid in (
            select fact_replaced.number + 562949953421312
            from fact_replaced
            where fact_replaced.number not in (select fact.number from fact)
        );
    delete from fact_replaced;
    insert into memory_waiting_words (kind, index_row)
    values ('fact', 562949953421312 + new.number);
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
    where rowid = 562949953421312 + old.number;
    insert into memory_waiting_words (kind, index_row)
    values ('fact', 562949953421312 + new.number);
end;

create trigger fact_vector_updated after update of number, text on fact
when new.number is not old.number or new.text is not old.text
begin
    delete from embedding
    where kind = 'fact' and item_id = old.number;
end;

create trigger fact_delete after delete on fact begin
    delete from injected_row
    where name = old.id;
    insert into row_change (kind, item_id, change) values ('fact', old.number, 'erased');
    insert into fact_history (fact_id, event, old_text, changed_at, actor)
    values (old.id, 'DELETE', old.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3');
end;

create trigger log_edited after update of id, text, details, speaker, role, session, seq, logged_at
on log
when
    new.id is not old.id
    or new.text is not old.text
    or new.details is not old.details
    or new.speaker is not old.speaker
    or new.role is not old.role
    or new.session is not old.session
    or new.seq is not old.seq
    or new.logged_at is not old.logged_at
begin
    insert into row_change (kind, item_id, change) values ('turn', old.id, 'edited');
end;

create trigger episode_edited after update of
id, summary, details, tags, participants, thread, seq, happened_at
on episode
when
    new.id is not old.id
    or new.summary is not old.summary
    or new.details is not old.details
    or new.tags is not old.tags
    or new.participants is not old.participants
    or new.thread is not old.thread
    or new.seq is not old.seq
    or new.happened_at is not old.happened_at
begin
    insert into row_change (kind, item_id, change) values ('episode', old.id, 'edited');
end;

create trigger fact_edited after update of
id, number, text, folded, subject, attribute, value, valid_from
on fact
when
    new.id is not old.id
    or new.number is not old.number
    or new.folded is not old.folded
    or new.text is not old.text
    or new.subject is not old.subject
    or new.attribute is not old.attribute
    or new.value is not old.value
    or new.valid_from is not old.valid_from
begin
    insert into row_change (kind, item_id, change) values ('fact', old.number, 'edited');
end;

create trigger log_put_away after update of archived_at
on log
when (new.archived_at is null) is not (old.archived_at is null)
begin
    insert into row_change (kind, item_id, change)
    values ('turn', old.id, iif(new.archived_at is null, 'restored', 'archived'));
end;

create trigger episode_put_away after update of archived_at
on episode
when (new.archived_at is null) is not (old.archived_at is null)
begin
    insert into row_change (kind, item_id, change)
    values ('episode', old.id, iif(new.archived_at is null, 'restored', 'archived'));
end;

create trigger fact_ended after update of
status, valid_to, expires_at, archived_at, superseded_by, user_id, agent_id, session_id
on fact
begin
    insert into row_change (kind, item_id, change) values ('fact', old.number, 'changed');
end;

-- By hand, a row may be put among those that were there; replacing one fires no other trigger.
create trigger log_put_between before insert on log
when
    new.id > 0
    and new.id <= (
        select max(log.id) from log
    )
begin
    insert into row_change (kind, item_id, change)
    values (
        'turn',
        new.id,
        iif(new.id in (select log.id from log), 'edited', 'added')
    );
end;

create trigger episode_put_between before insert on episode
when
    new.id > 0
    and new.id <= (
        select max(episode.id) from episode
    )
begin
    insert into row_change (kind, item_id, change)
    values (
        'episode',
        new.id,
        iif(new.id in (select episode.id from episode), 'edited', 'added')
    );
end;

create trigger fact_put_between before insert on fact
when
    new.number > 0
    and new.number <= (
        select max(fact.number) from fact
    )
begin
    insert into row_change (kind, item_id, change)
    values (
        'fact',
        new.number,
        iif(new.number in (select fact.number from fact), 'edited', 'added')
    );
end;
