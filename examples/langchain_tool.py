"""LangChain tools over a memory: the package makes them of memctl's own methods.

Run it: pip install memctl-engine langchain-core, then python langchain_tool.py
"""

from langchain_core.tools import StructuredTool

import memctl


def tools_of(memory: memctl.Memory) -> list[StructuredTool]:
    """Return a tool that recalls and one that remembers; names and arguments are the methods'."""

    def recall(question: str, limit: int = 5) -> str:
        """Search the memory for what was said, what happened and what is true."""
        rows = memory.recall(question, limit)
        return "\n".join(f"[{row.kind} {row.id}] {row.text}" for row in rows) or rows.note

    return [
        StructuredTool.from_function(recall),
        StructuredTool.from_function(
            memory.facts.store, name="remember", description="Store facts that last."
        ),
    ]


if __name__ == "__main__":
    with memctl.open("notes") as memory:
        recall, remember = tools_of(memory)
        remember.invoke({"facts": ["Ann lives in Porto"]})
        print(recall.invoke({"question": "Where does Ann live?"}))
