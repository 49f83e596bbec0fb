-- A fact whose id is given to another by hand (insert or replace, update or replace) leaves
-- nothing of it in the word index.

drop trigger fact_insert;

-- Facts that an insert or replace by their id may take away: that fires no delete trigger.
create table fact_replaced (
    number integer primary key  -- as in fact
) strict;

create trigger fact_replace before insert on fact begin
    insert or ignore into fact_replaced (number)
    select fact.number
    from fact
    where fact.id = new.id;
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

-- Whatever is typed in sqlite3 reaches the index; what was replaced by its number or its id is
-- taken out of it.
create trigger fact_insert after insert on fact begin
    delete from fact_index
    where number = new.number;
    delete from fact_index
    where
        number in (select fact_replaced.number from fact_replaced)
        and number not in (select fact.number from fact);
    delete from fact_replaced;
    insert or ignore into fact_unindexed (number) values (new.number);
end;
