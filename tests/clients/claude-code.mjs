import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { companionCheck } from "./companion.mjs";
import { claudeCodeHabits } from "./companion-habits.mjs";
import { expectConnected, expectEveryTool, expectRegistered, registration } from "./expectations.mjs";
import { findFile } from "./install.mjs";
import { published } from "./place.mjs";
import { openGate, playRound, readScene, story } from "./review-round.mjs";
import { startMessagesModel } from "./stand-in-model.mjs";
import { revisionOf, tapHttp } from "./wire.mjs";

const prefix = "mcp__crewdeck__";
const agent = { name: "Ada", runtime: "claude_code" };

export const claudeCode = {
  name: "Claude Code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  findProgram: (modules) => findFile(join(modules, "@anthropic-ai"), /^claude-code-/, "claude"),
  checks: [
    { title: "mcp list", run: listServers },
    { title: "a task over stdio", run: workOverStdio },
    { title: "a task over HTTP", run: workOverHttp },
    companionCheck(claudeCodeHabits),
    { title: "a review in tmux", run: (place, claude) => review(place, claude, "tmux") },
    { title: "a review, quit between", run: (place, claude) => review(place, claude, "tmux", openGate()) },
    { title: "a review headless", run: (place, claude) => review(place, claude, "headless") },
  ],
};

const quiet = {
  ANTHROPIC_API_KEY: "none",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  // Whatever still goes to the service ends on a port where nobody listens.
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
};

async function listServers(place, claude) {
  const { url, token } = await place.serve();
  const claudeMcp = async (...args) => {
    const { code, stdout, stderr } = await place.run(claude, ["mcp", ...args], { ...quiet, CREWDECK_TOKEN: token });
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  const { command, args } = place.bridge;
  await claudeMcp("add", "--scope", "user", "crewdeck", "--", command, ...args);
  // The variable is kept as it is written and filled in when Claude Code connects.
  const header = `Authorization: Bearer \${CREWDECK_TOKEN}`;
  await claudeMcp("add", "--scope", "user", "--transport", "http", "deck", `${url}/mcp`, "--header", header);
  expectConnected(await claudeMcp("list"), /^(crewdeck|deck): .* Connected$/);
  return "connects over stdio and HTTP";
}

async function workOverStdio(place, claude) {
  await work(place, claude, { type: "stdio", ...place.bridge });
  return describe(revisionOf(place.frames()));
}

async function workOverHttp(place, claude) {
  const { url, token } = await place.serve();
  const tap = await tapHttp(url);
  try {
    const headers = { Authorization: `Bearer ${token}` };
    await work(place, claude, { type: "http", url: `${tap.url}/mcp`, headers });
    return describe(revisionOf(tap.frames));
  } finally {
    tap.close();
  }
}

/** Lets Claude Code work through three turns of its model: look for tools, register, make a call that is refused. */
async function work(place, claude, server) {
  const config = join(place.root, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { crewdeck: server } }));
  const model = await startMessagesModel(decide);
  try {
    const args = ["-p", "Make yourself known to the others.", "--output-format", "json"];
    const access = ["--mcp-config", config, "--strict-mcp-config", "--allowedTools", `${prefix}*`];
    const env = { ...quiet, ANTHROPIC_BASE_URL: model.url };
    const { code, stdout, stderr } = await place.run(claude, [...args, ...access], env);
    assert.equal(code, 0, stdout + stderr);
    const { is_error, result } = JSON.parse(stdout);
    assert.deepEqual({ is_error, result }, { is_error: false, result: "done" });
  } finally {
    model.close();
  }
  await expectSeen(place, model.bodies);
}

/** A round in which it is coder and reviewers: what it has been told and done is all in its conversation. */
async function review(place, [program], mode, gate) {
  const answers = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [quiet.ANTHROPIC_API_KEY] },
    projects: { [place.work]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(place.root, ".claude.json"), JSON.stringify(answers));
  const model = await startMessagesModel((body) => decideReview(body, gate));
  try {
    const env = { ...quiet, ANTHROPIC_BASE_URL: model.url };
    await playRound(place, { name: "claude", program, mode, env, gate });
  } finally {
    model.close();
  }
  const told = model.bodies.filter(({ messages }) => JSON.stringify(messages).includes("toolu_ask2"));
  assert.ok(
    told.length > 0 && told.every(({ messages }) => JSON.stringify(messages).includes("toolu_ask1")),
    "the coder began a new conversation",
  );
  return "asked, sent back, mended in the same conversation, approved";
}

async function decideReview({ tools = [], messages, system }, gate) {
  const said = JSON.stringify(messages);
  if (tools.length === 0) return { type: "text", text: "done" };
  const scene = readScene(JSON.stringify(system) + said);
  if (scene.isReviewer) await gate?.isOpen;
  const next = stepsOf(scene).find(({ id }) => !said.includes(`"${id}"`));
  return next ? { type: "tool_use", ...next } : { type: "text", text: "done" };
}

function stepsOf({ folder, isReviewer, isSecond, isToldOf, promptFiles }) {
  const own = (tool) => `${prefix}${tool}`;
  const find = (tool) => ({ id: `toolu_find_${tool}`, name: "ToolSearch", input: { query: `select:${own(tool)}` } });
  const reads = promptFiles.map((file_path, at) => ({ id: `toolu_read${at}`, name: "Read", input: { file_path } }));
  if (isReviewer) {
    const [tool, input] = isSecond ? ["create_pull_request", story.approval] : ["send_feedback", story.feedback];
    return [...reads, find(tool), { id: "toolu_verdict", name: own(tool), input }];
  }
  const work = (at) => [
    {
      id: `toolu_write${at}`,
      name: "Write",
      input: { file_path: join(folder, story.file), content: story.drafts[at - 1] },
    },
    { id: `toolu_add${at}`, name: "Bash", input: { command: `git add ${story.file}`, description: "Stage" } },
    {
      id: `toolu_commit${at}`,
      name: "Bash",
      input: { command: `git commit -m "${story.messages[at - 1]}"`, description: "Commit" },
    },
    { id: `toolu_ask${at}`, name: own("request_review"), input: { completion_message: story.messages[at - 1] } },
  ];
  const [first = [], ...later] = reads;
  return [first, find("request_review"), ...work(1), ...later, ...(isToldOf ? work(2) : [])].flat();
}

const steps = [
  { id: "toolu_search", name: "ToolSearch", input: { query: `select:${prefix}agent_register,${prefix}agent_get` } },
  { id: "toolu_register", name: `${prefix}agent_register`, input: agent },
  { id: "toolu_get", name: `${prefix}agent_get`, input: { id: "ag_none" } },
];

/** The first step that has no result yet. Requests without tools are Claude Code's own errands. */
function decide({ tools = [], messages }) {
  const text = JSON.stringify(messages);
  const next = tools.length === 0 ? undefined : steps.find(({ id }) => !text.includes(id));
  return next ? { type: "tool_use", ...next } : { type: "text", text: "done" };
}

/** What the model was shown: our instructions and every name before the first step, each result after it. */
async function expectSeen(place, bodies) {
  const [first, last] = [bodies.find(({ tools = [] }) => tools.length > 0), bodies.at(-1)];
  const prompt = textOf(first);
  expectEveryTool(new Set([...prompt.matchAll(/mcp__crewdeck__(\w+)/g)].map(([, name]) => name)));
  assert.ok(prompt.includes(published.instructions), "the model was not told our instructions");
  const results = new Map(
    last.messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map((result) => [result.tool_use_id, result]),
  );
  const registered = results.get("toolu_register");
  assert.deepEqual(JSON.parse(registered.content), registration(await expectRegistered(place, agent)));
  const refused = results.get("toolu_get");
  assert.equal(refused.is_error, true);
  assert.match(JSON.stringify(refused.content), /AGENT_NOT_FOUND.*hint/);
}

/** Everything a model reads in a request, as plain text. */
const textOf = ({ system, messages }) =>
  [...[system].flat(), ...messages.flatMap(({ content }) => content)]
    .map((part) => (typeof part === "string" ? part : (part?.text ?? "")))
    .join("\n");

const describe = (revision) => {
  assert.equal(revision, "2026-07-28");
  return `${revision}, ${published.tools.length} tools, the model saw a result and a refusal`;
};
