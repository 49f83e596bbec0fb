-- What came from elsewhere.

-- Records of other systems that were taken: importing them again adds nothing, also where what
-- they became was erased since. Digests only, never a text.
create table imported (
    source text not null,          -- the format: 'memoryclaw', 'chatgpt', ...
    digest text not null,          -- of the record's kind, its name there, and its content
    kind text not null,            -- turn, episode, fact, alias, skill, component, state, ...
    item text,                     -- the id that it has here; null: it was here already
    imported_at text not null,
    primary key (source, digest)
) strict, without rowid;
