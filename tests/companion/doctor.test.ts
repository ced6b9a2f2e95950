import { execFile } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { claudeCode } from "../../src/companion/clients/claude-code.ts";
import type { Client } from "../../src/companion/clients/client.ts";
import { clients } from "../../src/companion/clients/clients.ts";
import { codex } from "../../src/companion/clients/codex.ts";
import { cursor } from "../../src/companion/clients/cursor.ts";
import { gemini } from "../../src/companion/clients/gemini.ts";
import { guardLine } from "../../src/companion/clients/lines.ts";
import { checkClock } from "../../src/companion/doctor/clock.ts";
import { askClient, askVersion } from "../../src/companion/doctor/own-listing.ts";
import { strayFindings } from "../../src/companion/doctor/strays.ts";
import { trustOf } from "../../src/companion/doctor/trust.ts";
import { companionAt } from "../../src/companion/places.ts";
import { targetsOf } from "../../src/companion/server-for.ts";
import { ClientTeller } from "../../src/companion/watch/tell-clients.ts";
import { toolVersion } from "../../src/contract/versions.ts";
import { crewdeckJson, ensureBuilt, openHome, programFile } from "../cli/program.ts";
import { openMachine } from "./scene.ts";

beforeAll(ensureBuilt);

interface Reported {
  readonly machine: string;
  readonly clients: readonly Readonly<Record<"client" | "entry" | "hooks" | "trust", string | null>>[];
  readonly checks: readonly { check: string; state: string }[];
}

interface Doctor {
  readonly healthy: boolean;
  readonly fixed: readonly string[];
  readonly checks: readonly { check: string; status: string; detail: string; fix: string | null }[];
}

test("[DO1, DO2, DO3, DO4, DO7] doctor sees what became of a setup, says what to do, repairs it and reports it", async () => {
  const home = openHome();
  await crewdeckJson(home, "up");
  const userHome = home.env["HOME"] ?? "";
  const repository = join(userHome, "shop");
  mkdirSync(join(userHome, ".codex"), { recursive: true });
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
  const reported = async () =>
    (await crewdeckJson<{ machines: readonly Reported[] }>(home, "call", "machine_list")).machines;
  const run = (...args: string[]): Promise<string> =>
    new Promise((resolve) => {
      execFile(process.execPath, [programFile, ...args], { cwd: repository, env: home.env }, (_, stdout) =>
        resolve(stdout),
      );
    });
  const doctor = async (...args: string[]) => {
    const report = JSON.parse(await run("doctor", "--json", ...args)) as Doctor;
    return { ...report, of: (name: string) => report.checks.find(({ check }) => check === name) };
  };
  expect((await doctor()).of("clients")).toMatchObject({
    status: "warning",
    fix: expect.stringContaining("crewdeck setup"),
  });

  await run("setup", "--client", "claude-code", "--quiet", "--no-service");
  const fresh = await doctor();
  expect(fresh).toMatchObject({ healthy: true, fixed: [] });
  expect([fresh.of("hook")?.detail, fresh.of("bridge")?.detail]).toEqual([
    expect.stringContaining("answers in"),
    "answers",
  ]);
  expect(fresh.of("claude-code")?.detail).toContain("waits for your approval");
  expect(fresh.of("codex")?.detail).toBe("found, but not set up");

  await run("setup", "--quiet", "--no-service");
  expect((await doctor()).of("codex")?.detail).toBe("its hooks are not trusted yet");
  const [told] = await reported();
  expect(told).toMatchObject({ machine: hostname(), repository: "shop", companion_version: toolVersion });
  expect(told?.clients.map(({ client, entry, hooks, trust }) => [client, entry, hooks, trust])).toEqual([
    ["claude-code", "set_up", "set_up", "awaited"],
    ["codex", "set_up", "set_up", "awaited"],
  ]);
  expect(told?.checks.map(({ check, state }) => `${check} ${state}`).sort()).toEqual([
    "bridge works",
    "clock right",
    "hook works",
    "inbox empty",
    "journal empty",
    expect.stringMatching(/^service (absent|unsupported)$/),
    "watch stopped",
  ]);
  expect(JSON.stringify(told)).not.toContain(userHome);
  const config = join(userHome, ".codex", "config.toml");
  const hooks = join(userHome, ".codex", "hooks.json");
  const trust = (event: string) =>
    appendFileSync(config, `\n[hooks.state."${hooks}:${event}:0:0"]\ntrusted_hash = "sha256:ab"\n`);
  for (const event of ["pre_tool_use", "post_tool_use", "session_start", "stop", "session_end"]) trust(event);
  mkdirSync(join(userHome, ".claude"), { recursive: true });
  writeFileSync(join(userHome, ".claude", "settings.json"), '{"enabledMcpjsonServers":["crewdeck"]}');
  const half = await doctor();
  expect(half.of("codex")?.detail).toBe("its hooks are not trusted yet");
  expect(half.of("claude-code")?.detail).toContain("waits until you trust this folder");
  for (const event of ["user_prompt_submit", "permission_request"]) trust(event);
  const projects = { [userHome]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(userHome, ".claude.json"), JSON.stringify({ projects }));
  const done = await doctor();
  expect(done.of("service")?.status).toBe("ok");
  expect([done.of("claude-code")?.status, done.of("codex")?.status]).toEqual(["ok", "ok"]);

  rmSync(join(repository, ".claude", "settings.json"));
  chmodSync(home.dir, 0o755);
  expect((await doctor()).of("claude-code")?.detail).toContain("has changed since setup");
  const fixed = await doctor("--fix");
  expect(fixed.fixed).toEqual([join(repository, ".claude", "settings.json"), home.dir]);
  expect(fixed.of("claude-code")?.status).toBe("ok");

  writeFileSync(join(repository, ".mcp.json"), "{");
  writeFileSync(join(userHome, ".covibe", "bin", "hook"), "#!/bin/sh\nexit 1\n");
  const broken = await doctor();
  expect(broken.healthy).toBe(false);
  expect(broken.of("claude-code")).toMatchObject({ status: "failed", fix: expect.stringContaining("Fix the file") });
  expect(broken.of("hook")?.detail).toBe("belongs to another installation");
  expect((await doctor("--ignore", "claude-code")).healthy).toBe(true);

  rmSync(join(repository, ".mcp.json"));
  const targetFor = targetsOf({ home: homeAt(home.dir), env: home.env }, undefined);
  const teller = new ClientTeller();
  const ask = { companion: companionAt(userHome), homeDir: home.dir, env: home.env, targetFor, userHome };
  await teller.tell(ask, 0);
  const [byWatch] = await reported();
  expect(byWatch?.clients[0]).toMatchObject({ client: "claude-code", entry: "missing", trust: "given" });
  await run("setup", "--quiet", "--no-service");
  await teller.tell(ask, 3_599_999);
  expect(await reported()).toEqual([byWatch]);
  await teller.tell(ask, 3_600_000);
  expect((await reported())[0]?.clients[0]).toMatchObject({ entry: "set_up" });
});

test("[DO10] trust is recognised as each client writes it down, also in a worktree", async () => {
  const machine = openMachine();
  const { userHome, repository } = machine;
  const place = { repository, userHome, env: {}, baseUrl: undefined };
  const state = async (client: Client, at = place) => (await trustOf(client, at)).state;

  expect(await state(gemini)).toBe("awaited");
  const folders = (value: object) => machine.write(".gemini/trustedFolders.json", JSON.stringify(value));
  folders({ [userHome]: "TRUST_FOLDER" });
  expect(await state(gemini)).toBe("given");
  folders({ [userHome]: "TRUST_FOLDER", [repository]: "DO_NOT_TRUST" });
  expect(await state(gemini)).toBe("awaited");
  folders({ [join(userHome, "bank")]: "TRUST_PARENT" });
  expect(await state(gemini)).toBe("given");

  const worktree = join(userHome, "topic");
  machine.write("topic/.git", `gitdir: ${join(repository, ".git", "worktrees", "topic")}\n`);
  machine.write("shop/.git/worktrees/topic/commondir", "../..\n");
  machine.write("shop/.claude/settings.local.json", '{"enabledMcpjsonServers":["crewdeck"]}');
  expect(await state(claudeCode, { ...place, repository: worktree })).toBe("awaited");
  machine.write(".claude.json", JSON.stringify({ projects: { [repository]: { hasTrustDialogAccepted: true } } }));
  expect(await state(claudeCode, { ...place, repository: worktree })).toBe("given");

  // Codex itself knows whether a hook is still as it was when somebody trusted it.
  machine.setUp({ names: ["codex"] });
  const says = async (trustStatus: string) => {
    const hooks = [
      { command: guardLine("codex"), trustStatus },
      { command: "theirs", trustStatus: "untrusted" },
    ];
    const answer = JSON.stringify({ id: 2, result: { data: [{ cwd: repository, hooks }] } });
    machine.write("bin/codex", `#!/bin/sh\nread a; read b; read c; echo '{"id":1}'; echo '${answer}'; read d\n`);
    chmodSync(join(userHome, "bin", "codex"), 0o755);
    return state(codex, { ...place, env: { PATH: `${join(userHome, "bin")}:${process.env["PATH"]}` } });
  };
  expect([await says("trusted"), await says("modified"), await says("managed")]).toEqual(["given", "awaited", "given"]);
});

test("[DO11] a second entry of the same name, and hooks that are turned off, are named with the way out", () => {
  const machine = openMachine();
  const { userHome, repository } = machine;
  const place = { repository, userHome, env: {}, baseUrl: undefined };
  machine.setUp();
  const strays = () =>
    clients.flatMap((client) => strayFindings(client, place).map((one) => [one.check, one.detail, one.fix]));
  expect(strays()).toEqual([]);
  const dead = { command: "node", args: [join(userHome, "gone.js"), "mcp"] };
  const local = { [repository]: { mcpServers: { crewdeck: { command: "crewdeck" } } } };
  machine.write(".claude.json", JSON.stringify({ mcpServers: { crewdeck: dead }, projects: local }));
  machine.write("shop/.codex/config.toml", '[mcp_servers.crewdeck]\ncommand = "x"\n');
  machine.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { crewdeck: {}, other: {} } }));
  machine.write("shop/.claude/settings.local.json", '{"disableAllHooks":true}');
  expect(strays()).toEqual([
    ["claude-code", expect.stringContaining("of a program that is gone"), expect.stringMatching(/-s user$/)],
    ["claude-code", expect.stringContaining("another entry `crewdeck` is in"), expect.stringMatching(/-s local$/)],
    ["claude-code", expect.stringContaining("`disableAllHooks`"), expect.stringContaining("settings.local.json")],
    ["codex", expect.stringContaining(".codex/config.toml"), expect.any(String)],
    ["cursor", expect.stringContaining(".cursor/mcp.json"), expect.any(String)],
  ]);
});

test("[DO5] an installed client is asked by its own command, and what it says is told", async () => {
  const { userHome, repository } = openMachine();
  const bin = join(userHome, "bin");
  mkdirSync(bin);
  const ask = async (answer: string) => {
    const text = `#!/bin/sh\n[ "$*" = --version ] && echo codex-cli 0.166.0\n[ "$*" = "mcp get crewdeck" ] && printf "${answer}\\n"\n`;
    writeFileSync(join(bin, "codex"), text, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    const place = { repository, userHome, env, baseUrl: undefined };
    expect(await askVersion(codex, place)).toBe("0.166.0");
    return askClient(codex, place);
  };
  const command = "codex mcp get crewdeck";
  expect(await ask("crewdeck\\n  enabled: true")).toEqual({ command, problem: undefined });
  expect((await ask("nothing"))?.problem).toContain("does not name the server");
  expect((await ask("Error: No MCP server named crewdeck"))?.problem).toContain("says: Error");
  expect((await ask("crewdeck:\\n  Status: Failed to connect"))?.problem).toContain("says: Status: Failed");
  expect(await askClient(cursor, { repository, userHome, env: {}, baseUrl: undefined })).toBeUndefined();
});

test("[DO6] a clock that is off is told with how much", async () => {
  const at = async (offMs: number) => {
    const server = createServer((_, response) => {
      response.setHeader("date", new Date(Date.now() + offMs).toUTCString());
      response.end();
    }).listen(0);
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return checkClock(`http://127.0.0.1:${port}`);
  };
  const hour = 3_600_000;
  expect(await at(0)).toMatchObject({ status: "ok" });
  expect(await at(hour)).toMatchObject({ status: "warning", detail: expect.stringMatching(/^3[56]\d\d s behind/) });
  expect(await at(-hour)).toMatchObject({ status: "warning", detail: expect.stringMatching(/^3[56]\d\d s ahead of/) });
  expect(await checkClock("http://127.0.0.1:9")).toBeUndefined();
});
