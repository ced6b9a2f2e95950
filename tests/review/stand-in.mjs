/**
 * Plays an agent's program: it reads what it was told, notes it, and does what its configuration says with the tools of
 * the server that started it: over HTTP, or as agents do, through the bridge that it starts without any option.
 */
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const { env } = process;
const notes = env["STAND_IN_NOTES"];
const who = env["INSTANCE_ID"].startsWith("review-") ? "reviewer" : "coder";
const [way, behaviour] = wayOf(readFileSync(join(notes, `${who}-behaviour`), "utf8").trim());
const prompt = readFileSync(env["CREWDECK_PROMPT_FILE"], "utf8");
const names = [
  "INSTANCE_ID",
  "PARENT_INSTANCE_ID",
  "COVIBE_BASE_URL",
  "COVIBE_AGENT",
  "CREWDECK_HOME",
  "CREWDECK_PROMPT_FILE",
];
appendFileSync(
  join(notes, "runs"),
  `${JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), prompt, env: Object.fromEntries(names.map((name) => [name, env[name]])), hasToken: Boolean(env["COVIBE_MCP_TOKEN"]) })}\n`,
);
process.stdout.write(`${`stand-in ${env["INSTANCE_ID"]} says hello`}\n`);

function wayOf(text) {
  return text.startsWith("mcp ") ? [callByBridge, text.slice(4)] : [callByHttp, text];
}

async function call(tool, args) {
  const body = await way(tool, args);
  appendFileSync(join(notes, "answers"), `${JSON.stringify({ tool, ...body })}\n`);
  process.stdout.write(`${JSON.stringify(body)}\n`);
}

/** MCP as it is spoken: a line for each message. */
async function callByBridge(tool, args) {
  const program = fileURLToPath(new URL("../../bin/crewdeck.js", import.meta.url));
  const bridge = spawn(process.execPath, [program, "mcp"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: bridge.stdout })[Symbol.asyncIterator]();
  const send = (message) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (id, method, params) => {
    send({ id, method, params });
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error(`the bridge ended before it answered ${method}`);
      const answer = JSON.parse(value);
      if (answer.id === id) return answer.result;
    }
  };
  const clientInfo = { name: "stand-in", version: "1.0.0" };
  await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const { structuredContent, isError } = await ask(2, "tools/call", { name: tool, arguments: args });
  bridge.stdin.end();
  return isError ? { ok: false, error: structuredContent } : { ok: true, result: structuredContent };
}

async function callByHttp(tool, args) {
  const response = await fetch(`${env["COVIBE_BASE_URL"]}/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${env["COVIBE_MCP_TOKEN"]}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  return response.json();
}

if (behaviour === "waits" || behaviour === "listens") {
  if (behaviour === "listens") {
    for await (const line of createInterface({ input: process.stdin })) {
      appendFileSync(join(notes, "heard"), `${line}\n`);
      process.stdout.write(`${`heard: ${line}`}\n`);
    }
  }
  setInterval(() => undefined, 1_000);
} else if (behaviour === "dies") process.exitCode = 3;
else if (behaviour === "asks") await call("request_review", { completion_message: "Done." });
else if (behaviour.startsWith("feedback")) {
  const [, feedback_type = "needs_work"] = behaviour.split(" ");
  writeFileSync(join(process.cwd(), "scribble.txt"), "what a reviewer leaves lying about\n");
  await call("send_feedback", {
    feedback: "Please rename it.\n$(touch pwned) #(touch pwned)",
    feedback_type,
    priority: "high",
    actionable_items: [
      "Rename it",
      { description: "Test it", location: "a.txt:1", priority: "low", category: "tests" },
    ],
  });
}
