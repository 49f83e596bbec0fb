"""Foreign formats, one file each: whether a path is one, and the records in it."""

# Names as they are typed, with the module of each; in the order in which a path is tried:
# what is recognised by more stands first.
FORMATS = {
    "memctl": "memctl_folder",
    "memoryclaw": "memoryclaw",
    "gui-memory": "gui_memory",
    "openadapt": "openadapt_flow",
    "claude-code": "chats.claude_code",
    "claude-memory": "chats.claude_memory",
    "openclaw": "openclaw_workspace",
    "claude-ai": "chats.claude_ai",
    "chatgpt": "chats.chatgpt",
    "open-webui": "chats.open_webui",
    "librechat": "chats.librechat",
    "memory-graph": "memory_graph",
    "mem0": "mem0",
    "basic-memory": "basic_memory",
    "jsonl": "json_lines",
    "csv": "tables.csv_files",
    "sqlite": "tables.sqlite_tables",
    "json": "tables.json_arrays",
    "markdown": "markdown_notes",
}
