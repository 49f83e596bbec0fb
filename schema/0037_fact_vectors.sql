-- Facts have vectors, too, and a long text one a passage: what was meant is found in other words.

create table embedding_before as
select
    id,
    model_id,
    kind,
    item_id,
    vector
from embedding;

drop table embedding;

-- Vectors of turns, episodes and facts, one a passage: float32, little-endian, of unit length.
create table embedding (
    id integer primary key,
    model_id integer not null references embedding_model (id) on delete cascade,
    kind text not null check (kind in ('turn', 'episode', 'fact')),
    item_id integer not null,      -- of a fact, its number
    passage integer not null check (passage >= 0),  -- from 0, in the order of the text
    vector blob not null  -- dims x 4 bytes
) strict;

insert into embedding (id, model_id, kind, item_id, passage, vector)
select
    id,
    model_id,
    kind,
    item_id,
    0 as passage,
    vector
from embedding_before;

drop table embedding_before;

create unique index embedding_item on embedding (kind, item_id, model_id, passage);

create trigger fact_vector_deleted after delete on fact begin
    delete from embedding
    where kind = 'fact' and item_id = old.number;
end;

create trigger fact_vector_updated after update of number, text on fact
when new.number is not old.number or new.text is not old.text
begin
    delete from embedding
    where kind = 'fact' and item_id = old.number;
end;
