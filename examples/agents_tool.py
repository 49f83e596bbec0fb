"""Function tools for the OpenAI Agents SDK, over a memory for asyncio.

Run it: pip install memctl-engine openai-agents, then python agents_tool.py. No model is asked here: a tool
is called as the SDK calls it. An agent takes them so: Agent(name="...", tools=tools_of(memory)).
"""

import asyncio
import json
from typing import Any

from agents import FunctionTool, function_tool
from agents.tool_context import ToolContext

import memctl


def tools_of(memory: memctl.AsyncMemory) -> list[FunctionTool]:
    """Return a tool that recalls and one that remembers."""

    @function_tool
    async def recall(question: str) -> str:
        """Search the memory for what was said, what happened and what is true."""
        rows = await memory.recall(question, 5)
        return "\n".join(row.text for row in rows) or rows.note

    @function_tool
    async def remember(fact: str) -> str:
        """Store a fact that lasts, as one sentence."""
        try:
            return (await memory.facts.store(fact)).ids[0]
        except memctl.RefusedError as error:
            return f"refused: {error.message}; {error.hint}"

    return [recall, remember]


async def call(tool: FunctionTool, **given: Any) -> Any:
    """Call a tool as the SDK does once a model has asked for it."""
    arguments = json.dumps(given)
    context = ToolContext(
        None, tool_name=tool.name, tool_call_id="call_1", tool_arguments=arguments
    )
    return await tool.on_invoke_tool(context, arguments)


async def main() -> None:
    """Remember a fact and recall it."""
    async with memctl.aopen("notes") as memory:
        recall, remember = tools_of(memory)
        print(await call(remember, fact="Ann lives in Porto"))
        print(await call(recall, question="Where does Ann live?"))


if __name__ == "__main__":
    asyncio.run(main())
