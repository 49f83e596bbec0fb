-- Changes of rows that a recall may have depended on: which, how and when, never what. A row that
-- is added is none: what is kept of rows stays true until the highest id here is another.
create table row_change (
    id integer primary key,
    kind text not null check (kind in ('turn', 'episode', 'fact')),  -- what was changed
    item_id integer not null,  -- as in log, episode or fact (number)
    -- How it was changed; a fact is also changed when it ends, or is another's.
    change text not null check (change in ('edited', 'erased', 'archived', 'restored', 'changed')),
    changed_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) strict;

create trigger log_edited after update of text, details, speaker, role, session, seq, logged_at
on log
when
    new.text is not old.text
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
summary, details, tags, participants, thread, seq, happened_at
on episode
when
    new.summary is not old.summary
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

create trigger fact_edited after update of text, subject, attribute, value, valid_from
on fact
when
    new.text is not old.text
    or new.subject is not old.subject
    or new.attribute is not old.attribute
    or new.value is not old.value
    or new.valid_from is not old.valid_from
begin
    insert into row_change (kind, item_id, change) values ('fact', old.number, 'edited');
end;

create trigger fact_gone after delete on fact begin
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

-- Replacing a row fires no delete trigger, nor one of an update.
create trigger log_replaced before insert on log
when
    exists (
        select 1 from log
        where log.id = new.id
    )
begin
    insert into row_change (kind, item_id, change) values ('turn', new.id, 'edited');
end;

create trigger episode_replaced before insert on episode
when
    exists (
        select 1 from episode
        where episode.id = new.id
    )
begin
    insert into row_change (kind, item_id, change) values ('episode', new.id, 'edited');
end;

-- What a recall depended on, so that it can be replayed: settings, filters, the highest rows, and a
-- digest of the answer; null: it cannot.
alter table recall add column receipt text check (receipt is null or json_valid(receipt));
