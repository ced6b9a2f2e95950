import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { companionCheck } from "./companion.mjs";
import { codexHabits } from "./companion-habits.mjs";
import { expectEveryTool, expectRegistered, registration } from "./expectations.mjs";
import { findFile } from "./install.mjs";
import { published } from "./place.mjs";
import { openGate, playRound, readScene, story } from "./review-round.mjs";
import { startResponsesModel } from "./stand-in-model.mjs";
import { revisionOf, tapHttp } from "./wire.mjs";

const prefix = "mcp__crewdeck__";
const agent = { name: "Cyd", runtime: "codex" };

export const codex = {
  name: "Codex",
  package: "@openai/codex",
  version: "0.166.0",
  findProgram: (modules) =>
    findFile(join(findFile(join(modules, "@openai"), /^codex-/, "vendor") ?? modules), /-/, "bin", "codex"),
  checks: [
    { title: "app-server over stdio", run: serveAppsOverStdio },
    { title: "app-server over HTTP", run: serveAppsOverHttp },
    { title: "a task over stdio", run: workOverStdio },
    companionCheck(codexHabits),
    { title: "a review in tmux", run: (place, program) => review(place, program, "tmux") },
    { title: "a review, quit between", run: (place, program) => review(place, program, "tmux", openGate()) },
    { title: "a review headless", run: (place, program) => review(place, program, "headless") },
  ],
};

async function serveAppsOverStdio(place, program) {
  writeConfig(place, stdioServer(place));
  await expectInventoryAndCall(place, program);
  return describe(revisionOf(place.frames()), "a call and a refusal");
}

async function serveAppsOverHttp(place, program) {
  const { url, token } = await place.serve();
  const tap = await tapHttp(url);
  try {
    writeConfig(place, [`url = ${JSON.stringify(`${tap.url}/mcp`)}`, `bearer_token_env_var = "CREWDECK_TOKEN"`]);
    await expectInventoryAndCall(place, program, { CREWDECK_TOKEN: token });
    return describe(revisionOf(tap.frames), "a call and a refusal");
  } finally {
    tap.close();
  }
}

/** The whole inventory, one call that succeeds and one that is refused. */
async function expectInventoryAndCall(place, program, env) {
  const server = openAppServer(place.start(program, ["app-server"], env));
  const clientInfo = { name: "crewdeck-tests", title: "Tests", version: "0" };
  await server.ask("initialize", { clientInfo, capabilities: { experimentalApi: true } });
  server.tell("initialized");
  const { data } = await server.ask("mcpServerStatus/list", {});
  const found = data.find(({ name }) => name === "crewdeck");
  expectEveryTool(Object.keys(found.tools));
  const { thread } = await server.ask("thread/start", { cwd: "." });
  const call = (tool, args) =>
    server.ask("mcpServer/tool/call", { threadId: thread.id, server: "crewdeck", tool, arguments: args });
  const { structuredContent, content } = await call("agent_register", agent);
  assert.deepEqual(structuredContent, registration(await expectRegistered(place, agent)));
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  const refused = await call("agent_get", { id: "ag_none" });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent.code, "AGENT_NOT_FOUND");
  await server.close();
}

/** Lets Codex work: its model, ours, writes the script that a model of today writes and reads what comes of it. */
async function workOverStdio(place, program) {
  const model = await startResponsesModel(decide);
  try {
    writeConfig(place, [...stdioServer(place), `default_tools_approval_mode = "approve"`], model.url);
    const args = ["exec", "--skip-git-repo-check", "--json", "Make yourself known to the others."];
    const { code, stdout, stderr } = await place.run(program, args);
    assert.equal(code, 0, stdout + stderr);
  } finally {
    model.close();
  }
  const { output } = model.bodies.at(-1).input.findLast(({ type }) => type === "custom_tool_call_output");
  const [, names, answer] = output.map(({ text }) => text);
  expectEveryTool(names.split(" ").map((name) => name.slice(prefix.length)));
  const { structuredContent } = JSON.parse(answer);
  assert.deepEqual(structuredContent, registration(await expectRegistered(place, agent)));
  return describe(revisionOf(place.frames()), "the model saw a result");
}

/** A round in which it is coder and reviewers, each in a sandbox of its own. */
async function review(place, [program], mode, gate) {
  const model = await startResponsesModel((body) => decideReview(body, gate));
  try {
    writeConfig(place, undefined, model.url, [place.work]);
    await playRound(place, { name: "codex", program, mode, env: {}, gate });
  } finally {
    model.close();
  }
  const told = model.bodies.filter(({ input }) => JSON.stringify(input).includes("call_ask2"));
  assert.ok(told.length > 0, "the coder did not ask again");
  assert.ok(
    told.every(({ input }) => JSON.stringify(input).includes("call_ask1")),
    "the coder began a new conversation",
  );
  return "asked, sent back, mended in the same conversation, approved";
}

async function decideReview({ input }, gate) {
  const said = JSON.stringify(input);
  const scene = readScene(said);
  if (scene.isReviewer) await gate?.isOpen;
  const next = stepsOf(scene).find(({ id }) => !said.includes(`"call_${id}"`));
  if (!next)
    return { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "done" }] };
  return {
    type: "custom_tool_call",
    id: `ctc_${next.id}`,
    call_id: `call_${next.id}`,
    name: "exec",
    input: next.script,
  };
}

function stepsOf({ isReviewer, isSecond, isToldOf, promptFiles }) {
  const run = (id, cmd) => ({
    id,
    script: `text(JSON.stringify(await tools.exec_command(${JSON.stringify({ cmd })})));`,
  });
  const call = (id, tool, args) => ({ id, script: `text(await tools.${prefix}${tool}(${JSON.stringify(args)}));` });
  const reads = promptFiles.map((file, at) => run(`read${at}`, `cat ${file}`));
  if (isReviewer) {
    const verdict = isSecond ? ["create_pull_request", story.approval] : ["send_feedback", story.feedback];
    return [...reads, call("verdict", ...verdict)];
  }
  const work = (at) => [
    run(`write${at}`, `printf '${story.drafts[at - 1].trim()}\\n' > ${story.file}`),
    run(`commit${at}`, `git add ${story.file} && git commit -qm "${story.messages[at - 1]}"`),
    call(`ask${at}`, "request_review", { completion_message: story.messages[at - 1] }),
  ];
  const [first = [], ...later] = reads;
  return [first, ...work(1), ...later, ...(isToldOf ? work(2) : [])].flat();
}

const script = [
  `text(ALL_TOOLS.map(({ name }) => name).filter((name) => name.startsWith("${prefix}")).join(" "));`,
  `text(await tools.${prefix}agent_register(${JSON.stringify(agent)}));`,
].join("\n");

const decide = ({ input }) =>
  input.some(({ type }) => type === "custom_tool_call_output")
    ? { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "done" }] }
    : { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "exec", input: script };

const stdioServer = ({ bridge: { command, args, env } }) => [
  `command = ${JSON.stringify(command)}`,
  `args = ${JSON.stringify(args)}`,
  `env = { ${Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)} }`,
];

/** Codex's own configuration, with everything switched off that would look for a network. */
function writeConfig(place, server, modelUrl = "http://127.0.0.1:9", trusted = []) {
  const lines = [
    `check_for_update_on_startup = false`,
    `model_provider = "stand-in"`,
    `[analytics]`,
    `enabled = false`,
    `[features]`,
    `apps = false`,
    `plugins = false`,
    `[model_providers.stand-in]`,
    `name = "stand-in"`,
    `base_url = ${JSON.stringify(`${modelUrl}/v1`)}`,
    ...(server === undefined ? [] : [`[mcp_servers.crewdeck]`, ...server]),
    ...trusted.flatMap((folder) => [`[projects.${JSON.stringify(folder)}]`, `trust_level = "trusted"`]),
  ];
  mkdirSync(join(place.root, ".codex"));
  writeFileSync(join(place.root, ".codex", "config.toml"), `${lines.join("\n")}\n`);
}

/** Codex's app server: one JSON message a line. */
function openAppServer(child) {
  const waiting = new Map();
  const ended = new Promise((resolve) => child.once("close", resolve));
  void ended.then((code) => {
    for (const { reject } of waiting.values()) reject(new Error(`codex app-server ended with ${code}`));
  });
  child.stderr.resume();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, method, result, error } = JSON.parse(line);
    const waiter = method === undefined ? waiting.get(id) : undefined;
    if (error) waiter?.reject(new Error(JSON.stringify(error)));
    else waiter?.resolve(result);
  });
  const tell = (method, params, id) => child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  return {
    tell,
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        const id = waiting.size + 1;
        waiting.set(id, { resolve, reject });
        tell(method, params, id);
      }),
    close() {
      child.stdin.end();
      return ended;
    },
  };
}

const describe = (revision, what) => {
  assert.equal(revision, "2025-06-18");
  return `${revision}, ${published.tools.length} tools, ${what}`;
};
