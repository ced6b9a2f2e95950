import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { companionAt } from "../../src/companion/places.ts";
import { registerRepo } from "../../src/companion/repos.ts";
import { listSessions } from "../../src/companion/sessions.ts";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, programFile, type TestHome } from "../cli/program.ts";

beforeAll(ensureBuilt);

interface Session {
  readonly id: string;
  readonly repo: string;
  readonly branch: string;
  readonly worktree: string;
  readonly signals: readonly { way: string }[];
  readonly snapshot: { dirty_total: number; unpushed_total: number } | null;
}

async function openRepository() {
  const home = openHome();
  const userHome = home.env["HOME"] ?? "";
  const repository = join(userHome, "shop");
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.test", ...args], {
      cwd: repository,
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(repository, "a.ts"), "1\n");
  git("add", ".");
  git("commit", "-qm", "First");
  const companion = companionAt(userHome);
  registerRepo(companion, { path: repository });
  await crewdeckJson(home, "up");
  const look = () =>
    crewdeckJson<{ snapshots: number; violations: number; problems: string[] }>(home, "watch", "--once");
  return { home, repository, git, companion, look, sessions: () => listOn(home) };
}

const listOn = async (home: TestHome): Promise<Session[]> =>
  (await crewdeckJson<{ sessions: Session[] }>(home, "sessions")).sessions;

test("[WH1, WH2, WH3, SN20] a look reports every working copy once, and a change of what others have claimed", async () => {
  const { home, repository, git, look, sessions } = await openRepository();
  expect(await look()).toMatchObject({ snapshots: 0, problems: [] });
  git("worktree", "add", "-q", "-b", "topic", join(repository, "..", "topic"));
  writeFileSync(join(repository, "a.ts"), "2\n");
  writeFileSync(join(repository, "..", "topic", "new file.ts"), "secret\n");
  const claim = { operation: "claim", repo: "shop", paths: ["a.ts"] };
  const other = await crewdeckJson<{ data: { session_id: string } }>(
    home,
    "call",
    "covibe_session",
    "--input",
    '{"operation":"start"}',
  );
  await crewdeckJson(
    home,
    "call",
    "covibe_coordination",
    "--input",
    JSON.stringify({ ...claim, session_id: other.data.session_id }),
  );

  expect(await look()).toMatchObject({ snapshots: 2, violations: 1, problems: [] });
  const seen = (await sessions()).filter(({ snapshot }) => snapshot !== null);
  expect(seen.map(({ signals }) => signals.map(({ way }) => way))).toEqual([["watch"], ["watch"]]);
  expect(seen.map(({ repo, branch, snapshot }) => [repo, branch, snapshot?.dirty_total]).sort()).toEqual([
    ["shop", "main", 1],
    ["shop", "topic", 1],
  ]);
  const { stdout } = await crewdeck(home, ["log", "--json", "--limit", "100"]);
  expect(stdout).toContain("Changed a.ts, claimed by");
  expect(stdout).not.toContain("secret");

  // Another process, as after a kill: the same sessions, nobody twice.
  await look();
  expect((await sessions()).map(({ id }) => id).sort()).toEqual(
    [...seen.map(({ id }) => id), other.data.session_id].sort(),
  );
});

test("[WH2, WH4, WH5] one process watches, a kill leaves nothing behind that the next one trips over, a stop ends its sessions", async () => {
  const { home, repository, companion, sessions } = await openRepository();
  writeFileSync(join(repository, "a.ts"), "2\n");
  const start = () => {
    const child = spawn(process.execPath, [programFile, "watch", "--interval", "1", "--home", home.dir], {
      env: home.env,
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const first = start();
  await until(async () => (await sessions()).some(({ snapshot }) => snapshot?.dirty_total === 1));
  expect((await crewdeck(home, ["watch"])).stderr).toContain("Another process watches this machine already.");
  first.kill("SIGKILL");
  await new Promise((resolve) => first.once("exit", resolve));
  writeFileSync(join(repository, "b.ts"), "new\n");
  const second = start();
  await until(async () => (await sessions()).some(({ snapshot }) => snapshot?.dirty_total === 2));
  expect(await sessions()).toHaveLength(1);
  second.kill("SIGTERM");
  await new Promise((resolve) => second.once("exit", resolve));
  expect(await sessions()).toEqual([]);
  expect(listSessions(companion)).toEqual([]);
});
