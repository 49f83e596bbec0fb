// Calls `memctl hook EVENT` for OpenClaw, with the host's fields as JSON on standard input.
//
// Nothing here fails or holds up a turn: a call has a second (`timeoutMs`), and every error is silence. Types
// are left to inference, so that the file is JavaScript as it stands.

import { spawn } from "node:child_process";

const USUAL_MS = 1000;
// After these a session goes on: it is the same one behind a compaction or a restart.
const GOES_ON = ["compaction", "shutdown", "restart"];
const NOT_A_PERSON = ["inter_session", "internal_system"];

export default {
  id: "memctl",
  name: "memctl",
  description: "Memory of an agent: context for each prompt, turns, tools, journal.",

  register(api) {
    const { command = ["memctl"], timeoutMs = USUAL_MS } = api.pluginConfig ?? {};
    const call = (event, named, context, fields) =>
      answered([...command, "hook", event], timeoutMs, {
        host: "openclaw",
        hook_event_name: named,
        session_id: context?.sessionId ?? context?.sessionKey,
        ...fields,
      });

    api.on("before_prompt_build", async (event, context) => {
      if (!asksAPerson(context)) return undefined;
      const prompt = event.currentUserMessage ?? event.prompt;
      const answer = await call("prompt", "before_prompt_build", context, { prompt });
      const text = answer?.appendContext;
      return typeof text === "string" ? { appendContext: text } : undefined;
    });
    api.on("agent_end", async (event, context) => {
      if (!asksAPerson(context)) return;
      const text = lastReply(event.messages ?? []);
      await call("reply", "agent_end", context, { last_assistant_message: text });
    });
    api.on("after_tool_call", async (event, context) => {
      await call("tool", "after_tool_call", context, {
        tool_name: event.toolName,
        tool_input: event.params,
        tool_response: event.result,
        ...(event.error ? { error: event.error } : {}),
      });
    });
    api.on("before_compaction", async (_event, context) => {
      await call("compact", "before_compaction", context, {});
    });
    api.on("session_start", async (event, context) => {
      await call("start", "session_start", context, { session_id: event.sessionId });
    });
    api.on("session_end", async (event, context) => {
      if (GOES_ON.includes(event.reason)) return;
      await call("end", "session_end", context, { session_id: event.sessionId });
    });
  },
};

// Timers, heartbeats and messages of other sessions are no prompt of a person.
function asksAPerson(context) {
  const { trigger = "user", inputProvenance } = context ?? {};
  return trigger === "user" && !NOT_A_PERSON.includes(inputProvenance?.kind);
}

function lastReply(messages) {
  const last = messages.filter((message) => message?.role === "assistant").at(-1);
  if (typeof last?.content === "string") return last.content;
  const blocks = Array.isArray(last?.content) ? last.content : [];
  return blocks
    .filter((block) => block?.type === "text")
    .map((block) => block.text)
    .join("\n");
}

// The object that a command prints; undefined where it prints none, fails or takes too long.
function answered([program, ...words], longest, given) {
  return new Promise((resolve) => {
    const started = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"] });
    let printed = "";
    const late = setTimeout(() => started.kill("SIGKILL"), longest);
    started.stdout.setEncoding("utf8").on("data", (part) => (printed += part));
    started.stdin.on("error", () => {});
    started.on("error", () => finish());
    started.on("close", () => finish());
    started.stdin.end(JSON.stringify(given));

    function finish() {
      clearTimeout(late);
      try {
        resolve(JSON.parse(printed));
      } catch {
        resolve(undefined);
      }
    }
  });
}
