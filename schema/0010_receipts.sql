-- Changes of rows that a recall may have depended on: which, how and when, never what. A row that
-- is added is none: what is kept of rows stays true until the highest id here is another.
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

create trigger log_gone after delete on log begin
    insert into row_change (kind, item_id, change) values ('turn', old.id, 'erased');
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

create trigger episode_gone after delete on episode begin
    insert into row_change (kind, item_id, change) values ('episode', old.id, 'erased');
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

create trigger fact_gone after delete on fact begin
    delete from recall_hit
    where kind = 'fact' and item_id = old.number;
    insert into row_change (kind, item_id, change) values ('fact', old.number, 'erased');
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
    select
        'turn' as kind,
        new.id as item_id,
        iif(
            exists (
                select 1 from log
                where log.id = new.id
            ),
            'edited',
            'added'
        ) as change;
end;

create trigger episode_put_between before insert on episode
when
    new.id > 0
    and new.id <= (
        select max(episode.id) from episode
    )
begin
    insert into row_change (kind, item_id, change)
    select
        'episode' as kind,
        new.id as item_id,
        iif(
            exists (
                select 1 from episode
                where episode.id = new.id
            ),
            'edited',
            'added'
        ) as change;
end;

create trigger fact_put_between before insert on fact
when
    new.number > 0
    and new.number <= (
        select max(fact.number) from fact
    )
begin
    insert into row_change (kind, item_id, change)
    select
        'fact' as kind,
        new.number as item_id,
        iif(
            exists (
                select 1 from fact
                where fact.number = new.number
            ),
            'edited',
            'added'
        ) as change;
end;

-- What a recall depended on, so that it can be replayed: settings, filters, the highest rows, and a
-- digest of the answer; null: it cannot.
alter table recall add column receipt text check (receipt is null or json_valid(receipt));
