-- A fact is added without touching its word index: the newest wait in a list, and reach the
-- index many at a time. Words of Chinese, Japanese and Korean are cut in linear time. Claims in
-- plain sentences (who likes, uses, lives in what) are looked up by what they have in common.

drop trigger fact_insert;
drop trigger fact_update;
drop trigger fact_delete;
drop trigger fact_edit;
drop view fact_words;
drop index fact_underived;

-- Derived by memctl: claims of one key could contradict each other; null: it claims nothing that
-- memctl can read; '': not read yet, after a hand edit or by an older memctl.
alter table fact add column claim_key text default '';

create index fact_claim on fact (claim_key)
where claim_key is not null;
create index fact_underived on fact (number)
where claim_key = '';

-- The words to index: what is written and, where it holds Chinese, Japanese or Korean, the same
-- with its characters and pairs of characters apart (their order does not matter to the index).
-- It is read in blocks of 400 characters: reaching far into a text costs as much as the text.
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

-- Short facts whose words are not in fact_fts yet, at most 63: a search reads them beside it.
create table fact_unindexed (
    number integer primary key  -- as in fact
) strict;

-- Many at once cost the index little more than one; a long one is not worth reading twice.
create trigger fact_unindexed_full after insert on fact_unindexed
when
    (select count(*) from fact_unindexed) >= 64
    or exists (
        select 1 from fact
        where fact.number = new.number and length(fact.text) > 1000
    )
begin
    insert into fact_index (number, words)
    select
        fact_words.number,
        fact_words.words
    from fact_words
    where fact_words.number in (
        select fact_unindexed.number
        from fact_unindexed
    );
    delete from fact_unindexed;
end;

-- Whatever is typed in sqlite3 reaches the index; replacing a row fires no delete trigger,
-- hence the delete before each insert.
create trigger fact_insert after insert on fact begin
    delete from fact_index
    where number = new.number;
    insert or ignore into fact_unindexed (number) values (new.number);
end;

create trigger fact_update after update of number, text, subject, attribute, value, folded
on fact begin
    delete from fact_index
    where number in (old.number, new.number);
    delete from fact_unindexed
    where number in (old.number, new.number);
    insert into fact_unindexed (number) values (new.number);
end;

create trigger fact_delete after delete on fact begin
    delete from fact_index
    where number = old.number;
    delete from fact_unindexed
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
        equal_key = null, subject_key = null, attribute_key = null, claim_key = '',
        folded = null, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where number = new.number;
    insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor)
    values (
        new.id, 'UPDATE', old.text, new.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3'
    );
end;
