import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readChecks } from "../../src/adapters/checks/configuration.ts";
import { runCheck } from "../../src/adapters/checks/run-check.ts";
import { until } from "../../src/testing/waiting.ts";
import { never } from "./changes.ts";
import { configure, script } from "./checks.ts";
import { makeRepository, tempDir } from "./repository.ts";

const check = (code: string, timeoutMs = 60_000) => ({ ...script("it", code), timeoutMs });
const run = (code: string, timeoutMs?: number, more: object = {}) =>
  runCheck(check(code, timeoutMs), { folder: tempDir(), signal: never, ...more });

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether a process is there and no mere remains of one. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

describe("a check", () => {
  test("[CK1] passes or fails by its exit code, and of what it said a hash and the last lines are kept", async () => {
    const said = `${Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n")}\n`;
    const passed = await run(`process.stdout.write(${JSON.stringify(said)})`);
    expect(passed).toEqual({
      name: "it",
      status: "passed",
      exitCode: 0,
      durationMs: expect.any(Number),
      outputHash: sha256(said),
      lastLines: expect.stringMatching(/line 499$/),
    });
    expect(passed.lastLines.split("\n")).toHaveLength(39);
    expect(await run('console.error("\\u001b[31mred\\u001b[0m"); process.exit(3)')).toMatchObject({
      status: "failed",
      exitCode: 3,
      lastLines: "red",
    });
  });

  test("[CK2] is a program with arguments that no shell reads, in its folder, with nothing of our environment", async () => {
    const folder = tempDir();
    process.env["COVIBE_MCP_TOKEN"] = "cdk_secret";
    const tell = "console.log(JSON.stringify([process.cwd(), process.argv[1], Object.keys(process.env).sort()]))";
    const command = [process.execPath, "-e", tell, "$(touch x); `id` && *"];
    const { lastLines } = await runCheck({ name: "it", command, timeoutMs: 60_000 }, { folder, signal: never });
    delete process.env["COVIBE_MCP_TOKEN"];
    const [cwd, argument, variables] = JSON.parse(lastLines) as [string, string, string[]];
    expect([cwd, argument]).toEqual([folder, "$(touch x); `id` && *"]);
    const known = ["CI", "HOME", "LANG", "LOGNAME", "NO_COLOR", "PATH", "TERM", "TMPDIR", "USER"];
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("[CK3] that takes too long is ended with all its children, however they feel about it", async () => {
    const pids = join(tempDir(), "pids");
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
    const code = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}], { stdio: "inherit" });
      require("node:fs").writeFileSync(${JSON.stringify(pids)}, process.pid + " " + child.pid);
      ${stubborn}`;
    const limits = { mostBytes: 1_000, killAfterMs: 100 };
    // On a busy machine the time may be over before the child is there; then it gets more of it.
    for (let timeoutMs = 1_500; !existsSync(pids); timeoutMs *= 2) {
      expect(await run(code, timeoutMs, { limits })).toMatchObject({ status: "timed_out", exitCode: null });
    }
    const started = readFileSync(pids, "utf8").split(" ").map(Number);
    expect(started).toHaveLength(2);
    await until(() => !started.some(isAlive));
  });

  test("[CK3] leaves nothing running behind, and is not waited for by what it left", async () => {
    const pids = join(tempDir(), "pids");
    const code = `
      const { spawn } = require("node:child_process");
      const stay = (options) => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit", ...options });
      const left = stay({});
      require("node:fs").writeFileSync(${JSON.stringify(pids)}, String(left.pid));
      left.unref();
      process.exit(0);`;
    expect(await run(code)).toMatchObject({ status: "passed" });
    const [pid = 0] = [Number(readFileSync(pids, "utf8"))];
    await until(() => !isAlive(pid));
  });

  test("[CK4] that says too much is ended", async () => {
    const limits = { mostBytes: 100_000, killAfterMs: 100 };
    const endless = "for (;;) require('node:fs').writeSync(1, 'x'.repeat(10000))";
    expect(await run(endless, 60_000, { limits })).toMatchObject({ status: "too_much_output", exitCode: null });
  });

  test("[CK3] that is cancelled is ended, and that is no result", async () => {
    const aborting = new AbortController();
    const begun = join(tempDir(), "begun");
    const code = `require("node:fs").writeFileSync(${JSON.stringify(begun)}, ""); setInterval(() => {}, 1000)`;
    const running = run(code, 60_000, { signal: aborting.signal });
    const isRefused = expect(running).rejects.toThrow("enough");
    await until(() => existsSync(begun));
    aborting.abort(new Error("enough"));
    await isRefused;
  });

  test("[CK1] that cannot be started is told so", async () => {
    const nowhere = { name: "it", command: ["no-such-program-here"], timeoutMs: 1_000 };
    const outcome = await runCheck(nowhere, { folder: tempDir(), signal: never });
    expect(outcome).toMatchObject({ status: "not_started", exitCode: null, lastLines: "" });
  });
});

describe("the configuration of checks", () => {
  const problemOf = async (checks: unknown) => {
    const dir = tempDir();
    configure(dir, checks);
    return (await readChecks(dir, never))?.problem;
  };
  const one = { name: "unit", command: ["true"] };

  test("[CK5] is .crewdeck/checks.json: names, commands as lists, time limits", async () => {
    const dir = tempDir();
    configure(dir, [one, { name: "slow", command: ["make", "test"], timeoutSeconds: 900 }]);
    expect(await readChecks(dir, never)).toEqual({
      repository: dir,
      configHash: sha256(readFileSync(join(dir, ".crewdeck", "checks.json"), "utf8")),
      problem: null,
      checks: [
        { name: "unit", command: ["true"], timeoutMs: 120_000 },
        { name: "slow", command: ["make", "test"], timeoutMs: 900_000 },
      ],
    });
    expect(await readChecks(tempDir(), never)).toBeUndefined();
  });

  test.each([
    { what: "no checks", checks: [] },
    { what: "a command that is one text for a shell", checks: [{ ...one, command: "npm test && true" }] },
    { what: "an empty command", checks: [{ ...one, command: [] }] },
    { what: "two checks of one name", checks: [one, one] },
    { what: "a name that could be a path", checks: [{ ...one, name: "../x" }] },
    { what: "a key that is not known", checks: [{ ...one, shell: true }] },
    { what: "a time limit beyond the limit", checks: [{ ...one, timeoutSeconds: 901 }] },
    { what: "too many checks", checks: Array.from({ length: 11 }, (_, at) => ({ ...one, name: `c${at}` })) },
    { what: "a NUL in an argument", checks: [{ ...one, command: ["a\0b"] }] },
  ])("[CK5] $what is no configuration", async ({ checks }) => {
    expect(await problemOf(checks)).toEqual(expect.any(String));
  });

  test("[CK5] a link is not followed, a huge file is not read, and what is no JSON is told so", async () => {
    const outside = tempDir();
    configure(outside, [one]);
    const linked = tempDir();
    symlinkSync(join(outside, ".crewdeck"), join(linked, ".crewdeck"));
    expect(await readChecks(linked, never)).toBeUndefined();
    const inside = tempDir();
    mkdirSync(join(inside, ".crewdeck"));
    symlinkSync(join(outside, ".crewdeck", "checks.json"), join(inside, ".crewdeck", "checks.json"));
    expect(await readChecks(inside, never)).toBeUndefined();
    const huge = tempDir();
    configure(huge, [{ ...one, command: ["x".repeat(70_000)] }]);
    expect((await readChecks(huge, never))?.problem).toEqual(expect.any(String));
    writeFileSync(join(huge, ".crewdeck", "checks.json"), "{");
    expect((await readChecks(huge, never))?.problem).toEqual(expect.any(String));
  });

  test("[CK7] all worktrees of a repository are one owner; a folder that only claims to be one is not", async () => {
    const r = makeRepository();
    configure(r.dir, [one]);
    r.commit("checks");
    const worktree = join(tempDir(), "wt");
    r.git("worktree", "add", "-q", worktree, "-b", "wt");
    const owner = join(r.dir, ".git");
    expect((await readChecks(r.dir, never))?.repository).toBe(owner);
    expect((await readChecks(worktree, never))?.repository).toBe(owner);
    const impostor = tempDir();
    configure(impostor, [one]);
    for (const pointer of [owner, join(owner, "worktrees", "wt")]) {
      writeFileSync(join(impostor, ".git"), `gitdir: ${pointer}\n`);
      expect((await readChecks(impostor, never))?.repository).toBe(impostor);
    }
    expect(existsSync(join(impostor, ".git"))).toBe(true);
  });
});
