-- Knowledge: entries made of several memories, each line of which cites where it comes from.

-- Entries, one version a row; made anew when what they rest on has changed.
create table knowledge (
    id integer primary key autoincrement,
    kind text not null
    check (kind in ('post-mortem', 'tracker', 'work style', 'playbook')),
    subject text not null default '',  -- key of the project; '': of the user
    title text not null,           -- as its first line says it
    body text not null,            -- Markdown, each line with the ids that it cites
    made_at text not null,
    run_id integer,                -- the run that made it
    superseded_by integer references knowledge (id) on delete set null,  -- its next version
    retired_at text                -- when that, or nothing, took its place; null: present
) strict;

create unique index knowledge_present on knowledge (kind, subject)
where retired_at is null;

-- Facts that an entry cites.
create table knowledge_source (
    knowledge_id integer not null references knowledge (id) on delete cascade,
    fact_id text not null,
    primary key (knowledge_id, fact_id)
) strict, without rowid;

create index knowledge_source_fact on knowledge_source (fact_id);

-- What is erased, is erased from every entry that cites it: the entry goes, and the next run makes
-- it anew from what is left.
create trigger knowledge_cited_deleted after delete on fact begin
    delete from knowledge
    where
        id in (
            select knowledge_source.knowledge_id
            from knowledge_source
            where knowledge_source.fact_id = old.id
        );
end;
