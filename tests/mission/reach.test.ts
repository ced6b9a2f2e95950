import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { evidencePorts } from "../../src/adapters/checks/ports.ts";
import { gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { pullPorts } from "../../src/adapters/github/hands.ts";
import { reachGitHub } from "../../src/adapters/github/hosts.ts";
import { isReachedFromHere } from "../../src/adapters/reach.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { guardPorts } from "../../src/engine/reach.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { git, makeFeature, makeFolder, makeRepository } from "../git/scratch.ts";

/** A server that other machines reach, or one that only its own does. */
const openAs = (isLocal: boolean, location?: TestHouse["location"]): Promise<TestHouse> => {
  const host = openGitHost({ dataDir: makeFolder() });
  return openTestHouse("sqlite", {
    ports: {
      ...gitPorts(host),
      ...pullPorts(host, reachGitHub({ settings: {}, env: {} }), () => "/pulls/{number}"),
      ...evidencePorts,
      project: projectPorts(isLocal),
    },
    ...(location === undefined ? {} : { location }),
  });
};

async function start(house: TestHouse, caller: Caller, repository_path?: string): Promise<Record<string, unknown>> {
  const { mission_id } = await house.call<{ mission_id: string }>(
    "start_mission",
    { name: "Reach", objective: "See what is seen." },
    caller,
  );
  const task = { mission_id, phase: 1, name: "Look", goal: "Look around." };
  const reply = await house.reply("start_task", { ...task, ...(repository_path && { repository_path }) }, caller);
  return reply.ok ? (reply.value as Record<string, unknown>) : { code: reply.failure.code };
}

/** A folder with something in it that is none of anybody's business. */
function makeSecret(): string {
  const folder = makeFolder();
  writeFileSync(join(folder, "secret.txt"), "secret\n");
  return folder;
}

test.each([
  { isHere: true, host: undefined, allowedHosts: [] },
  { isHere: true, host: "::1", allowedHosts: ["localhost", "deck.localhost", "127.0.0.2"] },
  { isHere: false, host: "0.0.0.0", allowedHosts: [] },
  { isHere: false, host: "127.0.0.1.example.com", allowedHosts: [] },
  // Listening on loopback behind a proxy.
  { isHere: false, host: undefined, allowedHosts: ["deck.example.com"] },
  { isHere: false, host: "localhost", allowedHosts: ["localhost", "192.168.1.7"] },
])("[RL3] a server on $host that answers to $allowedHosts is reached from its own machine alone: $isHere", (ask) => {
  expect(isReachedFromHere(ask.host, ask.allowedHosts)).toBe(ask.isHere);
});

test("[RL4] start_task looks at registered repositories, their worktrees and registered folders, and FORBIDDEN is the rest", async () => {
  const house = await openAs(false);
  const { caller: bob } = await house.developer("bob");
  const repository = makeRepository();
  const linked = join(repository.around, "linked");
  git(repository.path, "worktree", "add", "-q", linked);
  const [secret, papers] = [makeSecret(), makeSecret()];
  mkdirSync(join(papers, "deep"));
  symlinkSync(secret, join(papers, "way-out"));
  expect(await start(house, bob, repository.path)).toEqual({ code: "FORBIDDEN" });
  for (const path of [repository.path, papers]) await house.call("repository_register", { path });
  const types: Record<string, unknown> = {};
  for (const path of [repository.path, linked, papers, join(papers, "deep"), join(papers, "way-out"), secret, "/etc"]) {
    const answer = await start(house, bob, path);
    types[path] = answer["snapshot_type"] ?? answer["code"];
  }
  expect(types).toEqual({
    [repository.path]: "git",
    [linked]: "git",
    [papers]: "checksum",
    [join(papers, "deep")]: "checksum",
    [join(papers, "way-out")]: "FORBIDDEN",
    [secret]: "FORBIDDEN",
    "/etc": "FORBIDDEN",
  });
  expect(await start(house, bob)).toMatchObject({ snapshot_type: "none" });
});

test("[RL4] what a task started from before the server was open is not looked at any more: complete_task, task_diff, task_verify, checks_show and workspace_create are FORBIDDEN", async () => {
  const repository = makeRepository();
  const closed = await openAs(true);
  const { owner } = closed;
  const begun = await start(closed, owner, repository.path);
  const ended = await start(closed, owner, repository.path);
  repository.write("a.txt", "changed\n");
  const outcome = { status: "success", outcome: { summary: "Looked." } };
  await closed.call("complete_task", { task_id: ended["task_id"], ...outcome }, owner);
  const workflow = { name: "Shop", source_type: "prompt", source_content: "x", repository_path: repository.path };
  const { id } = await closed.call<{ id: string }>("workflow_create", workflow, owner);
  await closed.house.close();
  const open = await openAs(false, closed.location);
  const worktree = { workflow_id: id, path: `${repository.path}-worktrees/one`, branch: "one", create_worktree: true };
  for (const [tool, args] of Object.entries({
    complete_task: { task_id: begun["task_id"], ...outcome },
    task_diff: { task_id: ended["task_id"] },
    task_verify: { task_id: ended["task_id"] },
    checks_show: { path: repository.path },
    workspace_create: worktree,
  })) {
    expect({ tool, code: await open.refusal(tool, args, owner) }).toEqual({ tool, code: "FORBIDDEN" });
  }
  await open.call("repository_register", { path: repository.path }, owner);
  expect(await open.call("complete_task", { task_id: begun["task_id"], ...outcome }, owner)).toMatchObject({
    task_id: begun["task_id"],
  });
});

test("[RL6] a registered repository that is the front of one that nobody registered is FORBIDDEN, one that stands by itself is not", async () => {
  const house = await openAs(false);
  const { caller: bob } = await house.developer("bob");
  const hidden = makeRepository();
  const hiddenGit = join(hidden.path, ".git");
  const fronts: Record<string, (path: string) => void> = {
    "nothing of it": () => undefined,
    "its git folder, by a link": (path) => {
      rmSync(join(path, ".git"), { recursive: true });
      symlinkSync(hiddenGit, join(path, ".git"));
    },
    "its git folder, by a note": (path) => {
      rmSync(join(path, ".git"), { recursive: true });
      writeFileSync(join(path, ".git"), `gitdir: ${hiddenGit}\n`);
    },
    "what its worktrees share": (path) => writeFileSync(join(path, ".git", "commondir"), `${hiddenGit}\n`),
    "its objects, borrowed": (path) =>
      writeFileSync(join(path, ".git", "objects", "info", "alternates"), `${hiddenGit}/objects\n`),
    "its objects, borrowed in quotes": (path) =>
      writeFileSync(join(path, ".git", "objects", "info", "alternates"), `"${hiddenGit}/objects"\n`),
    "its objects and refs, by links": (path) => {
      for (const name of ["objects", "refs"]) {
        rmSync(join(path, ".git", name), { recursive: true });
        symlinkSync(join(hiddenGit, name), join(path, ".git", name));
      }
    },
    "one of its branches, by a link": (path) =>
      symlinkSync(join(hiddenGit, "refs", "heads", "main"), join(path, ".git", "refs", "heads", "taken")),
  };
  const seen: Record<string, unknown> = {};
  for (const [what, make] of Object.entries(fronts)) {
    const { path } = makeRepository();
    make(path);
    await house.call("repository_register", { path });
    const answer = await start(house, bob, path);
    seen[what] = answer["snapshot_type"] ?? answer["code"];
  }
  const { "nothing of it": plain, ...others } = seen;
  expect(plain).toBe("git");
  expect(new Set(Object.values(others))).toEqual(new Set(["FORBIDDEN"]));
  // What is registered may be borrowed from.
  await house.call("repository_register", { path: hidden.path });
  git(hidden.around, "clone", "-q", "--shared", hidden.path, "shared");
  await house.call("repository_register", { path: join(hidden.around, "shared") });
  expect(await start(house, bob, join(hidden.around, "shared"))).toMatchObject({ snapshot_type: "git" });
});

test("[RL4] nor is a branch of an unregistered repository asked to be merged, or the work tree of an agent looked at", async () => {
  const house = await openAs(false);
  const { caller: bob } = await house.developer("bob");
  const repository = makeFeature();
  const ask = { repository: repository.path, branch: "feature", base_branch: "main", title: "A change" };
  expect(await house.refusal("pull_open", ask, bob)).toBe("FORBIDDEN");
  const { ports } = house.house;
  const look = guardPorts(ports, (body) => house.house.store.read(body));
  const { signal } = new AbortController();
  const shape = { folder: repository.path, base: "main", head: "feature" };
  await expect(look.review.readShape(shape, signal)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(look.instance.readWorkTree(repository.path, signal)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await house.call("repository_register", { path: repository.path });
  expect(await house.call("pull_open", ask, bob)).toMatchObject({ pull: { branch: "feature" } });
  expect(await look.instance.readWorkTree(repository.path, signal)).toMatchObject({ branch: "feature" });
});

test("[RL5] repository_register is FORBIDDEN to agents of an open server, and their machines' reports register nothing", async () => {
  const house = await openAs(false);
  const agent: Caller = { ...house.owner, agentType: "codex" };
  expect(await house.refusal("repository_register", { path: "/srv/code/shop" }, agent)).toBe("FORBIDDEN");
  const beat = { operation: "heartbeat", registered_repos: ["/srv/code/shop"] };
  expect(await house.call("covibe_session", beat, agent)).toMatchObject({ data: { registered_repos: 1 } });
  expect(await house.call("repository_list")).toMatchObject({ repositories: [] });
  await house.call("repository_register", { path: "/srv/code/shop" });
  const local = await openAs(true);
  await local.call("repository_register", { path: "/srv/code/shop" }, { ...local.owner, agentType: "codex" });
  expect(await local.call("repository_list")).toMatchObject({ repositories: [{ path: "/srv/code/shop" }] });
});
