import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { guardLine } from "../../src/companion/clients/lines.ts";
import { companionAt } from "../../src/companion/places.ts";
import { registerRepo } from "../../src/companion/repos.ts";
import { type ClientSession, listSessions, writeSession } from "../../src/companion/sessions.ts";
import {
  crewdeck,
  crewdeckJson,
  ensureBuilt,
  type Outcome,
  openHome,
  programFile,
  type TestHome,
  tokenOf,
} from "../cli/program.ts";

beforeAll(ensureBuilt);

interface Scene {
  readonly home: TestHome;
  readonly repository: string;
  readonly userHome: string;
  hook(payload: object, client?: string, more?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** A tool, called by the machine's own person. */
  call<T = Record<string, unknown>>(tool: string, args: object): Promise<T>;
  signal(event: string, more?: object): object;
}

async function openScene({ isRunning = true } = {}): Promise<Scene> {
  const home = openHome({ COVIBE_HOOK_TIMEOUT: "60000" });
  const userHome = home.env["HOME"] ?? "";
  const repository = join(userHome, "shop");
  mkdirSync(join(repository, "src"), { recursive: true });
  mkdirSync(join(repository, ".git"));
  writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(repository, ".git", "config"), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
  if (isRunning) await crewdeckJson(home, "up");
  return {
    home,
    repository,
    userHome,
    hook: (payload, client = "claude-code", more = {}) =>
      crewdeck({ ...home, env: { ...home.env, ...more } }, ["hook", client], JSON.stringify(payload)),
    call: (tool, args) => crewdeckJson(home, "call", tool, "--input", JSON.stringify(args)),
    signal: (hook_event_name, more = {}) => ({
      session_id: "client-session",
      transcript_path: join(userHome, "t.jsonl"),
      cwd: repository,
      hook_event_name,
      ...more,
    }),
  };
}

const edit = (file: string) => ({ tool_name: "Edit", tool_input: { file_path: file }, tool_use_id: "t" });
const quiet = { code: 0, stdout: "", stderr: "" };

type Told = { data: Record<string, never> & { session_id: string; claim_id: string } };

test("[HK1, HK7, HK8, HK12, HK16, NC5] a session starts, is told what is claimed, is denied what others hold, hears what waits for it, and ends", async () => {
  const { hook, call, signal, repository, userHome } = await openScene();
  const { data: other } = await call<Told>("covibe_session", {
    operation: "start",
    agent_name: "Bo",
    repo: "acme/shop",
  });
  const claim = { operation: "claim", repo: "acme/shop", paths: ["src/held.ts"], session_id: other.session_id };
  await call("covibe_coordination", claim);
  await call("covibe_coordination", { ...claim, repo: "acme/bank", paths: ["src/vault.ts"] });
  for (const [repo, message] of [
    ["acme/bank", "The bank is closed."],
    ["acme/shop", "The shop is open."],
  ])
    await call("covibe_coordination", { operation: "announce", repo, message, session_id: other.session_id });

  const started = await hook(signal("SessionStart", { source: "startup" }));
  const { hookSpecificOutput: briefing } = JSON.parse(started.stdout) as Record<string, Record<string, string>>;
  expect(briefing?.["hookEventName"]).toBe("SessionStart");
  const context = briefing?.["additionalContext"] ?? "";
  expect(context).toContain("src/held.ts");
  expect(context).toContain("The shop is open.");
  expect(context).not.toMatch(/vault|bank/);
  expect(context.length).toBeLessThanOrEqual(3_200);
  const [id] = /ag_\w+/.exec(context) ?? [];
  const { sessions } = await call<{
    sessions: { id: string; repo: string; branch: string; agent_type: string; signals: { way: string }[] }[];
  }>("session_list", {});
  expect(sessions.find((session) => session.id === id)).toMatchObject({
    repo: "acme/shop",
    branch: "main",
    agent_type: "claude-code",
    signals: [{ way: "hook" }],
  });

  const denied = await hook(signal("PreToolUse", edit(join(repository, "src/held.ts"))));
  const reason = (JSON.parse(denied.stdout) as { hookSpecificOutput: Record<string, string> }).hookSpecificOutput;
  expect(reason["permissionDecision"]).toBe("deny");
  expect(reason["permissionDecisionReason"]).toMatch(/src\/held\.ts is claimed by .+ until \d{4}-.+operation ask/);
  expect(await hook(signal("PreToolUse", edit(join(repository, "src/free.ts"))))).toEqual(quiet);
  expect(await hook(signal("PreToolUse", edit(join(userHome, "elsewhere.ts"))))).toEqual(quiet);

  // By the folder's name, as some would; and by its own session, whose claims are its own.
  await call("covibe_coordination", { ...claim, repo: "shop", paths: ["lib/**"] });
  expect((await hook(signal("PreToolUse", edit(join(repository, "lib/x.ts"))))).stdout).toContain("deny");
  const mine = { ...claim, paths: ["src/mine.ts"], session_id: id };
  const { data: own } = await call<Told>("covibe_coordination", mine);
  expect(await hook(signal("PreToolUse", edit(join(repository, "src/mine.ts"))))).toEqual(quiet);
  const learned = {
    tool_name: "mcp__crewdeck__covibe_session",
    tool_input: {},
    tool_response: [{ text: `{"session_id":"${other.session_id}"}` }],
  };
  expect(await hook(signal("PostToolUse", learned))).toEqual(quiet);
  expect(await hook(signal("PreToolUse", edit(join(repository, "src/held.ts"))))).toEqual(quiet);

  for (const event of ["UserPromptSubmit", "Stop", "Notification"]) expect(await hook(signal(event))).toEqual(quiet);
  // Word for the agent outlives hooks that cannot pass it on, and comes before the next edit, once.
  await call("claim_release", { claim_id: own.claim_id, reason: "Ship it" });
  for (const event of ["UserPromptSubmit", "Stop"]) expect(await hook(signal(event))).toEqual(quiet);
  const told = await hook(signal("PreToolUse", edit(join(repository, "src/mine.ts"))));
  expect(JSON.parse(told.stdout)).toEqual({
    hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: expect.stringContaining("Ship it") },
  });
  expect(await hook(signal("PreToolUse", edit(join(repository, "src/mine.ts"))))).toEqual(quiet);
  expect(await hook(signal("PostToolUse", edit(join(repository, "src/mine.ts"))))).toEqual(quiet);
  const task = { title: "Price the south seats", task_type: "feature", session_id: id };
  for (const operation of ["check", "start"]) await call("covibe_task", { operation, ...task });
  const subject = "The south seats are priced twice";
  await call("message_send", {
    sender_id: other.session_id,
    recipient_id: id,
    message_type: "notification",
    subject,
    body: "See.",
  });
  const resumed = (await hook(signal("SessionStart", { source: "resume" }))).stdout;
  expect(resumed).not.toContain(task.title);
  expect(resumed).toMatch(new RegExp(`Unread messages.+from ${other.session_id}.+${subject}`, "s"));
  const again = await hook(signal("SessionStart", { source: "compact" }));
  expect(again.stdout).toContain(`\\"name\\":\\"${task.title}\\"`);
  expect(again.stdout).toContain(id);
  expect(again.stdout).toContain("compacted");
  expect(await hook(signal("SessionEnd", { reason: "exit" }))).toEqual(quiet);
  const ended = await call<{ sessions: { id: string }[] }>("session_list", { ended: true });
  expect(ended.sessions.map((session) => session.id)).toEqual([id]);
  expect(JSON.parse(readFileSync(join(userHome, ".covibe", "repos.json"), "utf8"))).toMatchObject({
    repos: [{ path: repository }],
  });
});

test("[HK5, HK6, HK13, HK14] without an answer an edit passes, is noted, and is told later, once; so is an end", async () => {
  const { home, hook, call, signal, repository, userHome } = await openScene();
  await hook(signal("SessionStart"));
  await crewdeck(home, ["stop"]);
  const journal = join(userHome, ".covibe", "journal.jsonl");
  expect(await hook(signal("PreToolUse", edit(join(repository, "src/a.ts"))))).toEqual(quiet);
  expect(JSON.parse(readFileSync(journal, "utf8"))).toMatchObject({ files: ["src/a.ts"], reason: "no server" });

  await crewdeckJson(home, "up");
  const journals = () => readdirSync(join(userHome, ".covibe")).filter((name) => name.startsWith("journal.jsonl"));
  expect((await killedWhileTelling(home, signal("Stop"))).code).toBeNull();
  expect(journals()).toEqual([expect.stringMatching(/^journal\.jsonl\.\d+\./)]);
  expect(await hook(signal("Stop"))).toEqual(quiet);
  expect(journals()).toEqual([]);
  expect(await hook(signal("Stop"))).toEqual(quiet);
  const { stdout } = await crewdeck(home, ["log", "--json"]);
  expect(stdout.split("Edited src/a.ts while the server could not be asked.")).toHaveLength(2);

  // Of a client that never came to the server, of one that may yet come, and of another server's.
  const bank = join(userHome, "bank");
  mkdirSync(join(bank, ".git"), { recursive: true });
  registerRepo(companionAt(userHome), { path: bank, base_url: "http://127.0.0.1:9" });
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const lines = [
    { at: at(0), session: "elsewhere", repository: bank, files: ["b.ts"] },
    { at: at(0), session: "coming", repository, files: ["c.ts"] },
    { at: at(31), session: "gone", repository, files: ["d.ts"] },
  ].map((line) => `${JSON.stringify({ client: "claude-code", reason: "no server", ...line })}\n`);
  writeFileSync(journal, lines.join(""));
  expect(await hook(signal("Stop"))).toEqual(quiet);
  expect(readFileSync(journal, "utf8")).toBe(lines.slice(0, 2).join(""));
  expect(await hook(signal("Stop"))).toEqual(quiet);
  const after = (await crewdeck(home, ["log", "--json", "--limit", "200"])).stdout;
  expect(after.split("Edited d.ts while the server could not be asked.")).toHaveLength(2);

  await crewdeck(home, ["stop"]);
  expect(await hook(signal("SessionEnd"))).toEqual(quiet);
  const [note] = listSessions(companionAt(userHome));
  expect(note).toMatchObject({ ended_at: expect.any(String), is_end_untold: true });
  await crewdeckJson(home, "telemetry");
  const { sessions } = await call<{ sessions: { id: string }[] }>("session_list", { ended: true });
  expect(sessions.map(({ id }) => id)).toContain(note?.session_id);
  expect(listSessions(companionAt(userHome))).toEqual([]);
});

test("[HK15] a session of which nobody has heard for half a day is ended, since not every client says its end", async () => {
  const { home, hook, call, signal, userHome } = await openScene();
  await hook(signal("SessionStart"));
  const companion = companionAt(userHome);
  const note = listSessions(companion)[0] as ClientSession;
  const seen = (hours: number) => {
    writeSession(companion, { ...note, seen_at: new Date(Date.now() - hours * 3_600_000).toISOString() });
    return crewdeckJson(home, "telemetry");
  };
  await seen(11.9);
  expect(listSessions(companion)).toHaveLength(1);
  await seen(12.1);
  expect(listSessions(companion)).toEqual([]);
  const { sessions } = await call<{ sessions: { id: string }[] }>("session_list", { ended: true });
  expect(sessions.map(({ id }) => id)).toEqual([note.session_id]);
});

/** A hook that is killed at the moment it asks about what it has taken from the journal. */
async function killedWhileTelling(home: TestHome, payload: object): Promise<Outcome> {
  const info = JSON.parse(readFileSync(join(home.dir, "server.json"), "utf8")) as { url: string };
  const door = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (body.includes("check_conflicts")) {
      child.kill("SIGKILL");
      return;
    }
    const headers = { ...(request.headers as Record<string, string>), host: new URL(info.url).host };
    const answer = await fetch(`${info.url}${request.url}`, { method: "POST", headers, body });
    response.writeHead(answer.status).end(await answer.text());
  }).listen(0);
  onTestFinished(() => {
    door.closeAllConnections();
    door.close();
  });
  const { port } = door.address() as AddressInfo;
  const env = { ...home.env, COVIBE_BASE_URL: `http://127.0.0.1:${port}`, COVIBE_MCP_TOKEN: tokenOf(home) };
  const child = spawn(process.execPath, [programFile, "hook", "claude-code"], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, stdout: "", stderr: "" }));
  });
}

test("[HK5] a server that hangs, or refuses, holds nobody up", async () => {
  const { hook, signal, repository, userHome } = await openScene({ isRunning: false });
  const hanging = createServer(() => undefined).listen(0);
  const refusing = createServer((_, response) => response.writeHead(500).end("no")).listen(0);
  onTestFinished(() => {
    for (const server of [hanging, refusing]) {
      server.closeAllConnections();
      server.close();
    }
  });
  for (const server of [hanging, refusing]) {
    const { port } = server.address() as AddressInfo;
    const env = { COVIBE_HOOK_TIMEOUT: "", COVIBE_BASE_URL: `http://127.0.0.1:${port}`, COVIBE_MCP_TOKEN: "cdk_x" };
    for (const event of ["SessionStart", "Stop", "SessionEnd"])
      expect(await hook(signal(event), "claude-code", env)).toEqual(quiet);
    expect(await hook(signal("PreToolUse", edit(join(repository, "a.ts"))), "claude-code", env)).toEqual(quiet);
  }
  const lines = readFileSync(join(userHome, ".covibe", "journal.jsonl"), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("no answer in time");
});

test("[HK3, HK10] whatever it is fed, the hook ends with 0 and says nothing", async () => {
  const { home } = await openScene({ isRunning: false });
  for (const [args, input] of [
    [["claude-code"], ""],
    [["claude-code"], "{"],
    [[], "{}"],
    [["--nonsense"], "null"],
    [["codex"], '{"session_id":1,"hook_event_name":[]}'],
  ] as const)
    expect(await crewdeck(home, ["hook", ...args], input)).toEqual(quiet);
});

test("[HK17] pipes in the place of git's files, and a git that hangs, hold nobody up", async () => {
  const { home, userHome } = await openScene({ isRunning: false });
  const pipe = (...path: string[]) => execFileSync("mkfifo", [join(userHome, ...path)]);
  for (const folder of ["piped/.git", "linked", "kept", "hung/.git", "bin"])
    mkdirSync(join(userHome, folder), { recursive: true });
  for (const name of ["HEAD", "config"]) pipe("piped", ".git", name);
  pipe("piped", ".mcp.json");
  writeFileSync(join(userHome, "linked", ".git"), `gitdir: ${join(userHome, "kept")}\n`);
  pipe("kept", "commondir");
  const run = (args: readonly string[], cwd: string, input = ""): Promise<Outcome> =>
    new Promise((resolve) => {
      const PATH = `${join(userHome, "bin")}:${process.env["PATH"]}`;
      const env = { ...home.env, PATH, COVIBE_HOOK_TIMEOUT: "50" };
      const child = execFile(process.execPath, [programFile, "hook", ...args], { cwd, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code as number | null), stdout, stderr }),
      );
      onTestFinished(() => void child.kill("SIGKILL"));
      child.stdin?.end(input);
    });
  for (const name of ["piped", "linked"]) {
    const cwd = join(userHome, name);
    for (const hook_event_name of ["SessionStart", "PreToolUse"]) {
      const payload = { session_id: "s", transcript_path: "-", cwd, hook_event_name, ...edit(join(cwd, "a.ts")) };
      expect(await run(["claude-code"], userHome, JSON.stringify(payload))).toEqual(quiet);
    }
  }
  writeFileSync(join(userHome, "bin", "git"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
  const gate = await run(["git"], join(userHome, "hung"));
  expect([gate.code, gate.stderr]).toEqual([0, "crewdeck: claims were not checked: git did not answer.\n"]);
});

test("[HK4] Cursor is told that an edit passes, since it takes silence for a no", async () => {
  const { hook, repository } = await openScene({ isRunning: false });
  const payload = {
    conversation_id: "c",
    workspace_roots: [repository],
    hook_event_name: "preToolUse",
    tool_name: "Write",
  };
  const told = await hook({ ...payload, tool_input: { file_path: join(repository, "a.ts") } }, "cursor");
  expect(told).toEqual({ ...quiet, stdout: '{"permission":"allow"}\n' });
});

test("[HK9] hooks of an account leave repositories alone that nobody has set up", async () => {
  const { hook, signal, repository, userHome } = await openScene({ isRunning: false });
  const patch = { tool_name: "apply_patch", tool_input: { command: "*** Update File: a.ts\n" } };
  expect(await hook(signal("PreToolUse", patch), "codex")).toEqual(quiet);
  expect(existsSync(join(userHome, ".covibe"))).toBe(false);
  mkdirSync(join(repository, ".covibe"));
  expect(await hook(signal("PreToolUse", patch), "codex")).toEqual(quiet);
  expect(existsSync(join(userHome, ".covibe", "journal.jsonl"))).toBe(true);
});

test("[HK10] nothing of the command line or a schema library is loaded for a hook", () => {
  const program = join(programFile, "..", "..", "dist", "program");
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const imports = readFileSync(join(program, file), "utf8").matchAll(/^import\s[^;]*?"\.\/([^"]+)"/gm);
    for (const [, next = ""] of imports) visit(next);
  };
  visit("hook.js");
  expect([...seen].filter((file) => /zod|cli|mcp|main/.test(file))).toEqual([]);
  const size = [...seen].reduce((sum, file) => sum + readFileSync(join(program, file)).length, 0);
  expect(size).toBeLessThan(100_000);
});

test("[HK11] the line of a configuration passes in silence with the program missing, failing or broken", async () => {
  const home = openHome();
  const userHome = home.env["HOME"] ?? "";
  const shim = join(userHome, ".covibe", "bin", "hook");
  const run = (): Promise<Outcome> =>
    new Promise((resolve) => {
      const child = spawn("sh", ["-c", guardLine("claude-code")], { env: home.env, stdio: ["ignore", "pipe", "pipe"] });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (text) => (stdout += text));
      child.stderr.on("data", (text) => (stderr += text));
      child.once("close", (code) => resolve({ code, stdout, stderr }));
    });
  expect(await run()).toEqual(quiet);
  await new Promise((resolve) => {
    const repository = join(userHome, "shop");
    mkdirSync(repository);
    execFile(
      process.execPath,
      [programFile, "setup", "--quiet", "--no-service"],
      { env: home.env, cwd: repository },
      resolve,
    );
  });
  const text = readFileSync(shim, "utf8");
  expect(await run()).toEqual(quiet);
  writeFileSync(shim, text.replace(programFile, join(userHome, "moved.js")));
  expect(await run()).toEqual(quiet);
  writeFileSync(shim, "#!/bin/sh\nexit 2\n");
  chmodSync(shim, 0o755);
  expect(await run()).toMatchObject({ code: 0, stdout: "" });
  rmSync(shim);
  expect(await run()).toEqual(quiet);
});
