/**
 * Plays an agent's program: it reads what it was told, notes it, and does what its configuration says with the tools of
 * the server that started it.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { env } = process;
const notes = env["STAND_IN_NOTES"];
const who = env["INSTANCE_ID"].startsWith("review-") ? "reviewer" : "coder";
const behaviour = readFileSync(join(notes, `${who}-behaviour`), "utf8").trim();
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

async function call(tool, args) {
  const response = await fetch(`${env["COVIBE_BASE_URL"]}/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${env["COVIBE_MCP_TOKEN"]}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  const body = await response.json();
  appendFileSync(join(notes, "answers"), `${JSON.stringify({ tool, ...body })}\n`);
  process.stdout.write(`${JSON.stringify(body)}\n`);
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
