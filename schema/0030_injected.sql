-- What was put into prompts, and what of it was of use: what memory costs, and brings.

-- One block that a hook, a context or a tool of MCP put into a prompt.
create table injection (
    id integer primary key,
    session text not null,         -- of which conversation
    hook text not null,            -- what put it there: prompt, start, context, ...
    tokens integer not null check (tokens >= 0),  -- estimated, of the whole block
    injected_at text not null,
    forgotten_at text,  -- a compaction took it from the conversation; null: it is there
    user_id text not null default '',   -- who was told; '': nobody in particular
    agent_id text not null default '',  -- '': the main agent
    project text not null default ''    -- where; '': in no project
) strict;

create index injection_session on injection (session);

-- Rows that it told of, each by its name as feedback takes it: turn:12, or the id of a fact.
create table injected_row (
    injection_id integer not null references injection (id) on delete cascade,
    name text not null,            -- turn:12, episode:3, or the id of a fact
    used_at text,                  -- when a reply said it again, or feedback named it
    primary key (injection_id, name)
) strict, without rowid;

create index injected_row_name on injected_row (name);

-- Nothing is left of a row that is erased.
create trigger injected_turn_gone after delete on log begin
    delete from injected_row
    where name = 'turn:' || old.id;
end;

create trigger injected_episode_gone after delete on episode begin
    delete from injected_row
    where name = 'episode:' || old.id;
end;

create trigger injected_fact_gone after delete on fact begin
    delete from injected_row
    where name = old.id;
end;
