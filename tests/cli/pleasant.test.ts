import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHome, crewdeck, crewdeckJson, ensureBuilt, openHome } from "./program.ts";

beforeAll(ensureBuilt);

const { home, close } = createHome();
afterAll(close);

const add = (title: string) => crewdeckJson<{ task_id: string }>(home, "task", "add", title);

test("[CL84] a task is named by its id, the beginning of its id, its title or its number; several are listed and refused", async () => {
  const { task_id: id } = await add("Print boarding passes in large type");
  const started = await crewdeck(home, ["task", "start", id.slice(0, 12)]);
  expect(started).toEqual({ code: 0, stdout: 'Started "Print boarding passes in large type" (#1).\n', stderr: "" });
  expect((await crewdeck(home, ["board"])).stdout).toContain("#1\n");
  expect(await crewdeckJson(home, "call", "task_get", "--id", "#1")).toMatchObject({ id });
  const done = await crewdeck(home, ["task", "done", "print boarding passes in large type", "They", "fit."]);
  expect(done).toEqual({ code: 0, stdout: 'Completed "Print boarding passes in large type" (#1).\n', stderr: "" });
  const create = ["workflow_create", "--name", "Twice", "--source-type", "prompt", "--source-content", "c"];
  const one = await crewdeckJson<{ id: string }>(home, "call", ...create);
  const two = await crewdeckJson<{ id: string }>(home, "call", ...create);
  const ambiguous = await crewdeck(home, ["workflow", "show", "Twice"]);
  expect(ambiguous.code).not.toBe(0);
  expect(ambiguous.stderr).toContain(one.id);
  expect(ambiguous.stderr).toContain(two.id);
  const unknown = await crewdeck(home, ["task", "diff", "No such task"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('No task has the id or the name "No such task".');
});

test("[CL84] the flags of call take the beginning of an id or a name, and leave what nothing is called to the server", async () => {
  const { id } = await crewdeckJson<{ id: string }>(
    home,
    "call",
    "agent_register",
    "--name",
    "Zed",
    "--runtime",
    "codex",
  );
  const { task_id } = await add("Fold the paper tickets");
  const taken = await crewdeckJson(home, "call", "task_get", "--id", "fold the paper tickets");
  expect(taken).toMatchObject({ id: task_id });
  expect(await crewdeckJson(home, "call", "agent_get", "--id", id.slice(0, 10))).toMatchObject({ id });
  expect(await crewdeckJson(home, "call", "agent_get", "--id", "Zed")).toMatchObject({ id });
  const unknown = await crewdeck(home, ["call", "agent_get", "--id", "nobody"]);
  expect(JSON.parse(unknown.stdout)).toMatchObject({ code: "AGENT_NOT_FOUND" });
});

test("[CL85] a task that looks like another is added only with a reason", async () => {
  await add("Show the seat map on small screens");
  const again = await crewdeck(home, ["task", "add", "Show the seat map on small screens"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("A similar task exists. Nothing was added.");
  const anyway = await crewdeck(home, [
    "task",
    "add",
    "Show the seat map on small screens",
    "--anyway",
    "Another app.",
  ]);
  expect(anyway.code).toBe(0);
  expect(anyway.stdout).toMatch(/^Added task .*\nSimilar: Show the seat map on small screens \(\S+, planned\)\n$/);
});

test("[CL85] what is nearest is told when a task is added and when it is started, and its number is in the JSON", async () => {
  const own = openHome();
  const { number } = await crewdeckJson<{ number: number }>(own, "task", "add", "Resend failed e-mails");
  expect(number).toBe(1);
  const added = await crewdeck(own, ["task", "add", "Shrink the logo on the start page"]);
  expect(added.stdout).toMatch(/^Added task #2\. .*\nCompare with: Resend failed e-mails \(\S+, planned\)\n$/);
  const started = await crewdeck(own, ["task", "start", "2"]);
  expect(started.stdout).toMatch(
    /^Started "Shrink .*" \(#2\)\.\nCompare with: Resend failed e-mails \(\S+, planned\)\n$/,
  );
});

test("[CL86] answer sends the text to who asked, and takes nothing but questions", async () => {
  const own = openHome();
  const { developers } = await crewdeckJson<{ developers: { handle: string }[] }>(own, "developer", "list");
  const input = JSON.stringify({ operation: "ask", to: developers[0]?.handle, question: "Which port?" });
  await crewdeckJson(own, "call", "covibe_coordination", "--input", input);
  expect((await crewdeck(own, ["inbox"])).stdout).toContain("crewdeck answer 1 TEXT");
  expect((await crewdeck(own, ["answer", "7", "3002"])).stderr).toContain("Your inbox has no item 7.");
  expect(await crewdeck(own, ["answer", "1", "Port", "3002."])).toMatchObject({ code: 0, stderr: "" });
  expect((await crewdeck(own, ["inbox"])).stdout).toBe("Nothing needs you.\n");
});

test("[CL86] answer decides a possible duplicate, shows and accepts a handoff, and clears the way for a claim", async () => {
  const own = openHome();
  const call = async (tool: string, input: object) =>
    (await crewdeckJson<{ data: Record<string, string> }>(own, "call", tool, "--input", JSON.stringify(input))).data;
  const session = async (agent_name: string) =>
    (await call("covibe_session", { operation: "start", agent_name }))["session_id"];
  const [one, other] = [await session("One"), await session("Other")];
  const work = { title: "Print boarding passes in large type", task_type: "feature" };
  await call("covibe_task", { operation: "check", ...work, session_id: one });
  const { task_id } = await call("covibe_task", { operation: "start", ...work, session_id: one });
  const check = { operation: "check", ...work, session_id: other };
  await call("covibe_task", check);
  expect((await crewdeck(own, ["answer", "1", "--refuse"])).stderr).toContain("Give a reason.");
  expect((await crewdeck(own, ["answer", "1", "--refuse", "One has it."])).stdout).toContain("Refused.");
  await call("covibe_task", check);
  expect((await crewdeck(own, ["answer", "1", "--join", "#1"])).stdout).toContain(`works with ${task_id} instead`);
  const code = { operation: "claim", repo: "acme/shop", paths: ["src/login/**"] };
  const later = { ...code, paths: ["src/mail/**"] };
  await call("covibe_coordination", { ...code, session_id: one });
  const { claim_id: held } = await call("covibe_coordination", { ...later, session_id: one });
  await call("covibe_coordination", { ...code, session_id: other });
  await call("covibe_coordination", { ...later, session_id: other, task_id });
  expect((await crewdeck(own, ["answer", String(other)])).stdout).toContain("src/login/**: held by One · ");
  expect((await crewdeck(own, ["inbox"])).stdout).toContain("2 items need you.");
  const { conflicts } = await crewdeckJson<{ conflicts: { item_id: string }[] }>(own, "answer", String(other));
  expect(conflicts.map(({ item_id }) => item_id)).toEqual([other]);
  expect((await crewdeck(own, ["answer", String(other), "--release"])).stdout).toContain("Released.");
  const left = await crewdeckJson<{ conflicts: object[] }>(own, "answer", "1");
  expect(left).toMatchObject({ conflicts: [{ item_id: task_id, claim_id: held }] });
  expect((await crewdeck(own, ["answer", "1", "--release"])).stdout).toContain("Released.");
  const { developers } = await crewdeckJson<{ developers: { handle: string }[] }>(own, "developer", "list");
  await call("covibe_coordination", { operation: "handoff", to: developers[0]?.handle, summary: "The south is left." });
  expect((await crewdeck(own, ["answer", "1"])).stdout).toContain("offers a handoff: The south is left.");
  expect((await crewdeck(own, ["answer", "1", "--accept"])).stdout).toBe("Handoff accepted.\n");
  expect((await crewdeck(own, ["inbox"])).stdout).toBe("Nothing needs you.\n");
});

test("[CL87] doctor says what is wrong and what to do, with and without a server", async () => {
  const own = openHome();
  const before = await crewdeck(own, ["doctor", "--json"]);
  expect(before.code).toBe(1);
  expect(JSON.parse(before.stdout)).toMatchObject({
    healthy: false,
    checks: expect.arrayContaining([expect.objectContaining({ check: "home", status: "failed" })]),
  });
  await crewdeckJson(own, "up");
  const after = await crewdeck(own, ["doctor", "--json"]);
  expect(after.code).toBe(0);
  const { checks } = JSON.parse(after.stdout) as { checks: { check: string; status: string }[] };
  expect(checks.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["version", "home", "token", "server", "store", "integrity", "git", "tmux"]),
  );
  await crewdeck(own, ["stop"]);
  expect((await crewdeck(own, ["doctor"])).stdout).toContain("not running");
});

test("[CL88] the completion of bash knows every command and its options", async () => {
  const { stdout } = await crewdeck(home, ["completion", "bash"]);
  const file = join(home.dir, "completion.bash");
  writeFileSync(file, stdout);
  const complete = (...words: string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `source '${file}'; COMP_WORDS=(crewdeck ${list}); COMP_CWORD=${words.length}; _crewdeck; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split(" ");
  };
  expect(complete("")).toEqual(expect.arrayContaining(["up", "board", "task", "answer", "doctor", "completion"]));
  expect(complete("task", "")).toEqual(expect.arrayContaining(["add", "start", "done", "diff"]));
  expect(complete("usage", "--b")).toEqual(["--by"]);
  expect((await crewdeck(home, ["completion", "zsh"])).stdout).toContain("_crewdeck");
  const { stdout: fish } = await crewdeck(home, ["completion", "fish"]);
  const lines = fish.split("\n");
  expect(lines).toContain(`complete -c crewdeck -n '__crewdeck_is "agent/list"' -l status`);
  expect(lines).toContain(`complete -c crewdeck -n '__crewdeck_is ""' -f -a agent`);
  expect(lines.filter((line) => line.endsWith("-l status")).length).toBe(1);
  expect((await crewdeck(home, ["completion", "tcsh"])).stderr).toContain("Valid values: bash, zsh, fish.");
});

test("[CL89] a home that does not exist is refused, and made only by what is meant to make one", async () => {
  const own = openHome();
  const missing = join(own.dir, "..", "mistyped");
  const refused = await crewdeck(own, ["board", "--home", missing]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`Create it with: crewdeck up --home ${missing}`);
  expect(existsSync(missing)).toBe(false);
});

test("[CL29] status ends with 3 where no server runs", async () => {
  const own = openHome();
  expect((await crewdeck(own, ["status"])).code).toBe(3);
  expect(existsSync(own.dir)).toBe(false);
});

test("[CL21] a server that nobody gave a port takes the one it had", async () => {
  const own = openHome({ MCP_SERVER_PORT: "" });
  // Whoever else on this machine has the port has taken it just as well.
  const taken = createServer();
  await new Promise((resolve) => taken.once("listening", resolve).once("error", resolve).listen(3001, "127.0.0.1"));
  try {
    const first = await crewdeckJson<{ url: string }>(own, "up");
    await crewdeck(own, ["stop"]);
    const second = await crewdeckJson<{ url: string }>(own, "up");
    expect(second.url).toBe(first.url);
  } finally {
    taken.close();
  }
});

test("[CL53] mission show of an ordinary workflow shows the workflow", async () => {
  const create = ["workflow_create", "--name", "No phases", "--source-type", "prompt", "--source-content", "c"];
  await crewdeckJson(home, "call", ...create);
  expect((await crewdeck(home, ["mission", "show", "No phases"])).stdout).toContain("No plan yet.");
});

test("[CL90] usage names the values it can be grouped by", async () => {
  const refused = await crewdeck(home, ["usage", "--by", "colour"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    "Valid values: model, session, developer, repository, task, source, channel, day, provenance.",
  );
});

test("[CL91] log says who did what, by name", async () => {
  const own = openHome();
  await crewdeckJson(own, "call", "agent_register", "--name", "Ada's Codex", "--runtime", "codex");
  const { stdout } = await crewdeck(own, ["log", "--kind", "agent.registered"]);
  expect(stdout).toMatch(/(ago|now) +Ada's Codex \(codex, [a-z0-9-]+\) joined · codex/);
  expect(stdout).not.toMatch(/ag_/);
});

test("[BR42] in one process a task's folder is the one that --repo names", async () => {
  const own = openHome();
  const mission = ["start_mission", "--name", "Sell", "--objective", "Sell.", "--total-phases", "1"];
  const { mission_id } = await crewdeckJson<{ mission_id: string }>(own, "call", ...mission);
  await crewdeck(own, ["stop"]);
  const folder = join(own.dir, "..", "shop");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "price.txt"), "1");
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const task = { mission_id, phase: 1, name: "Sell", goal: "Sell." };
  const input = [
    { id: 1, method: "initialize", params: client },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "start_task", arguments: task } },
  ]
    .map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`)
    .join("");
  const { stdout } = await crewdeck(own, ["mcp", "--in-process", "--repo", folder], input);
  // The folder of this very process is a git repository, that one is not.
  expect(stdout).toContain('"snapshot_type":"checksum"');
});

test("[CL92] a store of an older schema is verified as a whole, and upgraded before a task is", async () => {
  const own = openHome();
  await crewdeckJson(own, "up");
  await crewdeck(own, ["stop"]);
  const store = new DatabaseSync(join(own.dir, "crewdeck.db"));
  store.exec('delete from "migration" where "name" = (select max("name") from "migration")');
  store.close();
  const refused = await crewdeck(own, ["verify", "task", "tk_01jd8"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("has not been upgraded yet");
  expect(refused.stderr).toContain("crewdeck up");
  expect((await crewdeck(own, ["verify"])).code).toBe(0);
});
