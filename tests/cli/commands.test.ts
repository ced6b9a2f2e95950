import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, programFile, serversOf, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

const namesOf = async (home: TestHome): Promise<string[]> =>
  (await crewdeckJson<{ agents: { name: string }[] }>(home, "call", "agent_list")).agents.map(({ name }) => name);

const register = (home: TestHome, name: string, ...more: string[]): Promise<Record<string, unknown>> =>
  crewdeckJson(home, "call", "agent_register", "--name", name, "--runtime", "codex", ...more);

test("[CL31, CL34] call starts the server it needs and takes its arguments from flags, text, file and stdin", async () => {
  const home = openHome();
  expect(serversOf(home.dir)).toEqual([]);
  const file = join(home.dir, "..", "input.json");
  writeFileSync(file, JSON.stringify({ name: "from file", runtime: "codex" }));
  expect(await register(home, "from flags")).toMatchObject({ name: "from flags" });
  for (const [input, stdin, name] of [
    ['{"name":"from text","runtime":"codex"}', undefined, "from text"],
    [`@${file}`, undefined, "from file"],
    ["-", '{"name":"from stdin","runtime":"codex"}', "from stdin"],
  ] as const) {
    const { stdout } = await crewdeck(home, ["call", "agent_register", "--input", input], stdin);
    expect(JSON.parse(stdout)).toMatchObject({ name, status: "online" });
  }
  const mixed = ["call", "agent_register", "--input", '{"name":"overridden"}', "--name", "mixed", "--runtime", "codex"];
  expect(JSON.parse((await crewdeck(home, mixed)).stdout)).toMatchObject({ name: "mixed" });
  expect(serversOf(home.dir)).toHaveLength(1);
});

test.each([
  { what: "arguments that do not fit", args: ["agent_list", "--limit", "0"], code: "INVALID_REQUEST", exit: 2 },
  { what: "a missing argument", args: ["agent_get"], code: "INVALID_REQUEST", exit: 2 },
  { what: "an unknown record", args: ["agent_get", "--id", "ag_none"], code: "AGENT_NOT_FOUND", exit: 1 },
  { what: "an unknown tool", args: ["no_such_tool", "--a", "1"], code: "NOT_FOUND", exit: 1 },
])("[CL32] $what is refused as JSON with its exit code", async ({ args, code, exit }) => {
  const outcome = await crewdeck(openHome(), ["call", ...args]);
  expect(outcome.code).toBe(exit);
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    code,
    namespaceCode: expect.stringMatching(/^crewdeck\./),
    message: expect.any(String),
    hint: expect.any(String),
  });
  expect(outcome.stderr).toBe("");
});

test("[CL32] what a refusal knows stands beside its code, as over MCP", async () => {
  const archive = ["call", "message_archive", "--input", '{"message_ids":["msg_none"]}'];
  const { code, stdout } = await crewdeck(openHome(), archive);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ code: "MESSAGE_NOT_FOUND", message_ids: ["msg_none"] });
});

test.each([
  { what: "an unknown record", args: ["cancel", "--task-id", "tk_none", "--reason", "x"], code: "TASK_NOT_FOUND" },
  { what: "a missing argument", args: ["cancel", "--task-id", "tk_none"], code: "INVALID_REQUEST" },
])("[CL32] a refusal of a team tool for $what has status, message, feedback and data", async ({ args, code }) => {
  const { stdout } = await crewdeck(openHome(), ["call", "covibe_task", "--operation", ...args]);
  const { hint, ...answer } = JSON.parse(stdout) as { hint: string };
  expect(answer).toMatchObject({
    code,
    status: "error",
    message: expect.any(String),
    feedback: { type: "error", required_action: hint },
    data: { code },
  });
});

test("[CL33] the same idempotency key has effect once", async () => {
  const home = openHome();
  const first = await register(home, "Ada", "--idempotency-key", "k1");
  expect(await register(home, "Ada", "--idempotency-key", "k1")).toEqual(first);
  expect((await crewdeckJson<{ agents: unknown[] }>(home, "call", "agent_list")).agents).toHaveLength(1);
});

test("[CL6, CL8] a refusal is told to people on stderr and to programs as JSON", async () => {
  const home = openHome();
  const said = await crewdeck(home, ["developer", "update", "nobody", "--name", "x"]);
  expect(said).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^crewdeck: .+\n {2}.+\n$/) });
  const told = await crewdeck(home, ["developer", "update", "nobody", "--name", "x", "--json"]);
  expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 1, stderr: "" });
  expect(JSON.parse(told.stdout)).toMatchObject({ code: "NOT_FOUND" });
  const wrong = await crewdeck(home, ["developer", "create", "Not A Handle"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("`handle`");
});

test("[CL7] what an agent wrote cannot steer the terminal", async () => {
  const home = openHome();
  await register(home, "\u001b[31mEvil\u0007\u202e");
  const shown = await crewdeck(home, ["log"]);
  expect(shown.stdout).toContain("[31mEvil");
  expect(shown.stdout).toMatch(/^[\x20-\x7e\n…·]*$/);
  const answered = await crewdeck(home, ["call", "agent_list"]);
  expect(answered.stdout).toMatch(/^[\x20-\x7e\n]*$/);
  expect(JSON.parse(answered.stdout).agents[0].name).toBe("\u001b[31mEvil\u0007\u202e");
});

test("[CL40] developers are added, listed and changed", async () => {
  const home = openHome();
  const ada = await crewdeckJson(
    home,
    "developer",
    "create",
    "ada",
    "--name",
    "Ada L.",
    "--email",
    "ada@example.com",
    "--private",
  );
  expect(ada).toMatchObject({
    id: expect.any(String),
    handle: "ada",
    name: "Ada L.",
    email: "ada@example.com",
    private: true,
  });
  const changed = await crewdeckJson(home, "developer", "update", "ada", "--name", "Ada", "--no-private");
  expect(changed).toMatchObject({ id: ada["id"], name: "Ada", private: false });
  const { developers } = await crewdeckJson<{ developers: { handle: string }[] }>(home, "developer", "list");
  expect(developers).toHaveLength(2);
  const { stdout } = await crewdeck(home, ["developer", "list"]);
  expect(stdout).toMatch(/^HANDLE +NAME +EMAIL +ROLE +PRIVATE\n/);
  expect(stdout).toMatch(/^ada +Ada +ada@example\.com +member +no$/m);
});

test("[CL41] a token is shown once, works, and ends when it is revoked", async () => {
  const home = openHome();
  await crewdeckJson(home, "developer", "create", "ada");
  const made = await crewdeckJson<{ id: string; token: string }>(
    home,
    "token",
    "create",
    "--developer",
    "ada",
    "--label",
    "ci",
  );
  expect(Object.keys(made)).toEqual(["id", "token"]);
  const asAda = { ...home, env: { ...home.env, COVIBE_MCP_TOKEN: made.token } };
  await register(asAda, "Ada's agent");
  const listed = await crewdeck(home, ["token", "list"]);
  expect(listed.stdout).toMatch(new RegExp(`^${made.id.slice(0, 9)}\\S* +ada +ci +any .* active$`, "m"));
  expect(listed.stdout).not.toContain(made.token);
  expect(await crewdeckJson(home, "token", "revoke", made.id)).toEqual({ id: made.id, revoked: true });
  const refused = await crewdeck(asAda, ["call", "agent_list"]);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ code: "UNAUTHORIZED" });
  // What is copied by programs stands alone on stdout, whether quiet is asked for or not.
  const plain = await crewdeck(home, ["token", "create", "--agent-type", "codex"]);
  expect(plain.stdout).toMatch(/^cdk_\S+\n$/);
  expect(plain.stderr).toContain("not shown again");
  for (const when of ["30", "30d", "2030-02-28"]) await crewdeckJson(home, "token", "create", "--expires", when);
  const { tokens } = await crewdeckJson<{ tokens: { expires_at: string | null }[] }>(home, "token", "list");
  const days = tokens
    .flatMap(({ expires_at }) => expires_at ?? [])
    .map((at) => (Date.parse(at) - Date.now()) / 86_400_000);
  expect(days.slice(0, 2).map(Math.round)).toEqual([30, 30]);
  expect((await crewdeck(home, ["token", "list"])).stdout).toContain("2030-02-28");
  const codes = [];
  for (const wrong of ["0", "soon", "2030-02-30", "2020-01-01"]) {
    codes.push((await crewdeck(home, ["token", "create", "--expires", wrong])).code);
  }
  expect(codes).toEqual([2, 2, 2, 1]);
});

test("[CL42] log shows the latest events, of one kind if asked, as lines or as JSON", async () => {
  const home = openHome();
  for (const name of ["one", "two", "three"]) await register(home, name);
  const kinds = async (...args: string[]) =>
    (await crewdeck(home, ["log", "--json", ...args])).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { kind: string; data: { name?: string } });
  expect((await kinds("--limit", "2")).map(({ data }) => data.name)).toEqual(["two", "three"]);
  expect((await kinds("--kind", "team.founded")).map(({ kind }) => kind)).toEqual(["team.founded"]);
  expect((await crewdeck(home, ["log", "--limit", "1"])).stdout).toMatch(
    /^(just now|\d+ s ago) +three \(codex, [a-z0-9-]+\) joined .*\n$/,
  );
  expect((await crewdeck(home, ["log", "--kind", "task.claimed"])).stdout).toContain("agent_register");
});

test("[CL10, CL42] log --watch goes on with what happens until Ctrl-C", async () => {
  const home = openHome();
  await register(home, "before");
  const child = spawn(process.execPath, [programFile, "log", "--watch", "--json", "--limit", "0"], {
    env: home.env,
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("close", resolve));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  for (let count = 0; !output.includes("after"); count += 1) await register(home, `after ${count}`);
  expect(output).not.toContain("before");
  child.kill("SIGINT");
  expect(await ended).toBe(130);
});

test("[CL9] a reader that goes away early is no failure", async () => {
  const home = openHome();
  await register(home, "Ada");
  const child = spawn(process.execPath, [programFile, "log", "--watch"], {
    env: home.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.stdout.destroy();
  while (child.exitCode === null) await register(home, "more");
  expect(await ended).toBe(0);
  expect(stderr).toBe("");
});

test("[ID23] a home that took over another's backup is let in again at the next start, and no token is lost", async () => {
  const [origin, home] = [openHome(), openHome()];
  await register(origin, "theirs");
  const file = join(origin.dir, "..", "copy.db");
  await crewdeckJson(origin, "backup", file);
  await register(home, "ours");
  await crewdeckJson(home, "stop");
  const credentials = (dir: string, name = "credentials.json") => readFileSync(join(dir, name), "utf8");
  const ours = credentials(home.dir);

  const { stdout } = await crewdeck(home, ["restore", file]);
  const kept = readdirSync(home.dir).filter((name) => name.startsWith("credentials.json.before-restore-"));
  expect(kept).toHaveLength(1);
  expect(stdout).toContain("crewdeck up");
  expect(stdout).toContain(join(home.dir, kept[0] ?? ""));
  expect(credentials(home.dir, kept[0])).toBe(ours);
  expect(statSync(join(home.dir, kept[0] ?? "")).mode & 0o077).toBe(0);

  const { agents } = await crewdeckJson<{ agents: { name: string }[] }>(home, "call", "agent_list");
  expect(agents.map(({ name }) => name)).toEqual(["theirs"]);
  const { default: theirs } = JSON.parse(credentials(origin.dir)) as { default: string };
  const asThem = { ...home, env: { ...home.env, COVIBE_MCP_TOKEN: theirs } };
  expect(await crewdeckJson(asThem, "call", "agent_list")).toMatchObject({ agents: [{ name: "theirs" }] });

  await crewdeckJson(home, "stop");
  const now = credentials(home.dir);
  const again = join(home.dir, "..", "again.db");
  await crewdeckJson(home, "backup", again);
  await crewdeckJson(home, "stop");
  expect(await crewdeckJson(home, "restore", again)).toMatchObject({ credentials: null });
  expect(credentials(home.dir)).toBe(now);
});

test("[CL43] a backup of a store in use can be brought back, and both are sound", async () => {
  const home = openHome();
  await register(home, "kept");
  const file = join(home.dir, "..", "copy.db");
  expect(await crewdeckJson(home, "backup", file)).toEqual({ file });
  expect(statSync(file).mode & 0o077).toBe(0);
  await register(home, "lost");
  expect(await crewdeckJson(home, "verify")).toMatchObject({ isIntact: true });
  const busy = await crewdeck(home, ["restore", file]);
  expect(busy.code).toBe(4);
  expect(busy.stderr).toContain("crewdeck stop");
  await crewdeckJson(home, "stop");
  expect(await crewdeckJson(home, "restore", file)).toMatchObject({ file });
  expect(await crewdeckJson(home, "verify")).toMatchObject({ isIntact: true });
  expect(serversOf(home.dir)).toEqual([]);
  expect(await namesOf(home)).toEqual(["kept"]);
  expect(existsSync(file)).toBe(true);
  await until(() => serversOf(home.dir).length === 1);
});

test("[CL99] verify tells what to do with a damaged store, and --accept keeps it once the server has stopped", async () => {
  const home = openHome();
  await register(home, "kept");
  expect((await crewdeck(home, ["verify"])).code).toBe(0);
  await crewdeckJson(home, "stop");
  const file = new DatabaseSync(join(home.dir, "crewdeck.db"));
  file.exec(`update "ledger" set "data" = '{}' where "seq" = 2`);
  file.close();
  const found = await crewdeck(home, ["verify"]);
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/^The store is damaged: entry 2 was changed\n/);
  expect(found.stdout).toContain("crewdeck verify --accept");

  await crewdeckJson(home, "up");
  const refused = await crewdeck(home, ["call", "agent_register", "--input", '{"name":"late","runtime":"custom"}']);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    code: "STORE_DAMAGED",
    hint: expect.stringContaining("crewdeck verify --accept"),
  });
  expect(await namesOf(home)).toEqual(["kept"]);
  expect((await crewdeck(home, ["status"])).stdout).toContain("read-only: damaged: entry 2 was changed");
  const doctor = JSON.parse((await crewdeck(home, ["doctor", "--json"])).stdout) as { checks: { check: string }[] };
  expect(doctor.checks.find(({ check }) => check === "store")).toMatchObject({
    status: "failed",
    fix: expect.stringContaining("crewdeck verify --accept"),
  });
  expect((await crewdeck(home, ["verify", "--accept"])).code).toBe(4);

  await crewdeckJson(home, "stop");
  expect(await crewdeckJson(home, "verify", "--accept")).toEqual({ accepted: ["entry 2 was changed"] });
  expect(await crewdeckJson(home, "verify", "--accept")).toEqual({ accepted: [] });
  await register(home, "late");
  expect(await namesOf(home)).toEqual(["late", "kept"]);
  expect((await crewdeck(home, ["log"])).stdout).toContain("accepted damage in the store");
});
