-- A fact is added for less: the list of those whose words are not in the index yet becomes one
-- number, written once for 64 facts, and what is rare is looked for before it is written. Claims
-- that say that something has ended are found by that.

drop trigger fact_insert;
drop trigger fact_update;
drop trigger fact_delete;
drop trigger fact_replace;
drop trigger fact_unindexed_full;

-- fact_claim finds them as well; and a partial index of one value lets SQLite plan every look-up
-- of that column anew, to see whether it looks for that value.
drop index fact_underived;

-- How far fact_fts has got: it holds every fact up to a number. The newer ones, at most 63 and
-- short ones, are read beside it by a search.
create table fact_indexed (
    id integer primary key check (id = 1),   -- one row
    upto integer not null check (upto >= 0)  -- as number in fact
) strict;

insert into fact_index (number, words)
select
    fact_words.number,
    fact_words.words
from fact_words
where fact_words.number in (
    select fact_unindexed.number
    from fact_unindexed
);

insert into fact_indexed (id, upto)
select
    1 as id,
    max(coalesce(max(fact.number), 0), 0) as upto
from fact;

drop table fact_unindexed;

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

-- Derived by memctl: the key of claims that could say what this one says has ended: it switched,
-- or moved, from that to something else. Read anew from every claim by the next write.
alter table fact add column ended_key text;

create index fact_ended on fact (ended_key)
where ended_key is not null;

update fact
set claim_key = ''
where claim_key is not null;
