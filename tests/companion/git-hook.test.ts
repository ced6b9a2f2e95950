import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { companionAt } from "../../src/companion/places.ts";
import { listSessions, writeSession } from "../../src/companion/sessions.ts";
import { applyGitHook, planGitHook } from "../../src/companion/setup/git-hook.ts";
import { crewdeck, crewdeckJson, ensureBuilt, type Outcome, openHome, programFile } from "../cli/program.ts";
import { openMachine } from "./scene.ts";

beforeAll(ensureBuilt);

const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@crewdeck.example"];

test("[GH1, GH2, GH3, GH4] a commit of what somebody else has claimed is refused, and any other goes through", async () => {
  const home = openHome({ COVIBE_HOOK_TIMEOUT: "60000", GIT_CONFIG_NOSYSTEM: "1" });
  const repository = join(home.env["HOME"] ?? "", "shop");
  mkdirSync(repository);
  const run = (command: string, ...args: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      execFile(command, args, { cwd: repository, env: home.env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const git = (...args: string[]) => run("git", ...identity, ...args);
  const setup = (...args: string[]) => run(process.execPath, programFile, "setup", "--no-service", ...args);
  const commit = async (file: string): Promise<Outcome> => {
    writeFileSync(join(repository, file), `${Math.random()}`);
    await git("add", file);
    return git("commit", "-m", file);
  };
  await git("init", "-b", "main");
  const hook = join(repository, ".git", "hooks", "pre-commit");
  const foreign = "#!/bin/sh\ntouch ran\n[ ! -e forbidden ]\n";
  mkdirSync(join(hook, ".."), { recursive: true });
  writeFileSync(hook, foreign);
  chmodSync(hook, 0o750);

  expect((await setup()).code).toBe(0);
  expect(readFileSync(hook, "utf8")).toBe(foreign);
  expect((await setup("--git-hook")).stdout).toContain("after the hook that is there");
  await crewdeckJson(home, "up");
  await crewdeckJson(home, "developer", "create", "bo");
  const { token } = await crewdeckJson<{ token: string }>(home, "token", "create", "--developer", "bo");
  const claim = { operation: "claim", repo: "shop", paths: ["held.txt"] };
  const bo = { ...home, env: { ...home.env, COVIBE_MCP_TOKEN: token } };
  await crewdeckJson(bo, "call", "covibe_coordination", "--input", JSON.stringify(claim));

  expect(await commit("free.txt")).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(join(repository, "ran"))).toBe(true);
  const denied = await commit("held.txt");
  expect(denied.code).toBe(1);
  expect(denied.stderr).toMatch(/^crewdeck: held\.txt is claimed by bo for another \d+ min, until .+operation ask/);
  await git("reset", "-q", "held.txt");

  // Of one's own claims those of another session count, once it is known which one commits.
  const started = await crewdeckJson<{ data: { session_id: string } }>(
    home,
    "call",
    "covibe_session",
    "--input",
    '{"operation":"start","agent_name":"Cy","repo":"shop"}',
  );
  const other = { ...claim, paths: ["other.txt"], session_id: started.data.session_id };
  await crewdeckJson(home, "call", "covibe_coordination", "--input", JSON.stringify(other));
  expect((await commit("other.txt")).code).toBe(0);
  const payload = { session_id: "one", transcript_path: "-", cwd: repository, hook_event_name: "SessionStart" };
  await crewdeck(home, ["hook", "claude-code"], JSON.stringify(payload));
  const own = await commit("other.txt");
  expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("claimed by another session of")]);
  await git("reset", "-q", "other.txt");
  // One that was killed long ago, of which only its note is left, is at work no more.
  const companion = companionAt(home.env["HOME"]);
  const [note] = listSessions(companion);
  if (note !== undefined)
    writeSession(companion, { ...note, seen_at: new Date(Date.now() - 31 * 60_000).toISOString() });
  expect((await commit("other.txt")).code).toBe(0);

  writeFileSync(join(repository, "forbidden"), "");
  expect((await commit("free.txt")).code).toBe(1);
  execFileSync("rm", [join(repository, "forbidden")]);
  await crewdeck(home, ["stop"]);
  const unchecked = await commit("held.txt");
  expect(unchecked.code).toBe(0);
  expect(unchecked.stderr).toContain("crewdeck: claims were not checked: no server.");
  const shim = join(home.env["HOME"] ?? "", ".covibe", "bin", "hook");
  renameSync(shim, `${shim}-gone`);
  expect((await commit("held.txt")).code).toBe(0);
  writeFileSync(shim, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  expect((await commit("held.txt")).code).toBe(0);

  await setup("--remove");
  expect(readFileSync(hook, "utf8")).toBe(foreign);
  expect(statSync(hook).mode & 0o777).toBe(0o750);
  expect(existsSync(`${hook}.before-crewdeck`)).toBe(false);
});

test("[GH3, GH5] a hook is made where there is none, goes again, and stays out of a folder that git shares", () => {
  const { repository } = openMachine();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
  git("init", "--template=");
  const apply = (isRemoval: boolean) => {
    const plan = planGitHook(repository, isRemoval);
    if (plan !== undefined) applyGitHook(plan);
    return plan?.action;
  };
  const hook = join(repository, ".git", "hooks", "pre-commit");
  expect(apply(true)).toBe("none");
  expect([apply(false), apply(false)]).toEqual(["create", "none"]);
  // A kill between the two steps of a chained one: what was there is called, and comes back.
  renameSync(hook, `${hook}.before-crewdeck`);
  writeFileSync(`${hook}.before-crewdeck`, "theirs");
  expect(apply(false)).toBe("chain");
  expect(apply(true)).toBe("delete");
  expect(readFileSync(hook, "utf8")).toBe("theirs");
  writeFileSync(`${hook}.before-crewdeck`, "somebody's");
  expect(planGitHook(repository, false)).toMatchObject({
    action: "refused",
    reason: expect.stringContaining("in the way"),
  });

  git("config", "core.hooksPath", ".githooks");
  expect(planGitHook(repository, false)).toMatchObject({
    action: "refused",
    reason: expect.stringContaining("core.hooksPath"),
  });
  expect(apply(true)).toBe("none");
  expect(existsSync(join(repository, ".githooks"))).toBe(false);
});
