-- What tools an agent called, as its host's hooks tell it: skills are mined from their order.
create table tool_call (
    id integer primary key autoincrement,
    session text not null,                          -- whose agent called it
    tool text not null,                             -- its name, as the host says it
    input text not null check (json_valid(input)),  -- secrets masked, long values cut
    ok integer check (ok in (0, 1)),                -- null: nobody said
    told text not null default '',                  -- the beginning of what it answered
    called_at text not null
) strict;

create index tool_call_session on tool_call (session, id);
