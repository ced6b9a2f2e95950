import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkHands } from "../../src/adapters/checks/run-checks.ts";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { pullHands } from "../../src/adapters/github/hands.ts";
import { reachGitHub } from "../../src/adapters/github/hosts.ts";
import { Launcher } from "../../src/adapters/launcher/launcher.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { isTriedAgain } from "../../src/engine/errands/failure.ts";
import { errandKinds } from "../../src/engine/errands/kinds.ts";
import { ErrandRunner } from "../../src/engine/errands/runner.ts";
import { insertErrands } from "../../src/engine/errands/store.ts";
import { sweepErrands } from "../../src/engine/keepers/sweeps.ts";
import { realSources } from "../../src/engine/sources.ts";
import { countLinesWith } from "../../src/main/count-lines.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { letPass, until } from "../../src/testing/waiting.ts";
import { fillDisk, makeFolder, mountSmallDisk } from "../git/scratch.ts";
import { ask, type MakeHand, made, openWith, outcomes, rowsOf, untilRow } from "./waiting.ts";

/** A worktree of their own for anybody. */
async function askAs(house: TestHouse, caller: Caller, at: number): Promise<Record<string, unknown>> {
  const workflow = { name: "Shop", source_type: "prompt", source_content: "x", repository_path: "/srv/code/shop" };
  const { id } = await house.call<{ id: string }>("workflow_create", workflow, caller);
  const name = `${caller.handle}-${at}`;
  const ask = { workflow_id: id, branch: `work/${name}`, path: `/srv/code/w/${name}`, create_worktree: true };
  return house.call("workspace_create", ask, caller);
}

describe("the runner", () => {
  test("[EF3] does work once that was asked for twice under one key", async () => {
    const keys: string[] = [];
    const house = await openWith({
      async run(payload, { key }) {
        keys.push(key);
        return made(payload);
      },
    });
    const { args } = await ask(house);
    const { id } = await house.call("workspace_create", args);
    const again = { do: "worktree.make", key: String(id), subject: String(id), payload: {} };
    await house.house.store.transact(async (db) => {
      const origin = { now: 0, place: "here", developerId: null, callId: null, newId: () => "fx_again" };
      await insertErrands(db, [again], origin);
      return { value: undefined, entries: [] };
    });
    await house.house.errands.settle();
    expect(keys).toEqual([id]);
  });

  test("[EF5] has a hand for every kind of work", () => {
    const dataDir = makeFolder();
    const host = openGitHost({ dataDir });
    const github = reachGitHub({ settings: {}, env: {} });
    const launcher = new Launcher({ dataDir, host, programs: {}, mostAtOnce: 1, countLines: countLinesWith([]) });
    const hands = Object.keys({ ...gitHands(host), ...checkHands, ...pullHands(host, github), ...launcher.hands });
    expect(errandKinds.map(({ name }) => name).sort()).toEqual(hands.sort());
  });

  test("[EF9, EF22] ends work that takes too long, counts it as an attempt, and gives it up when it does so twice in a row", async () => {
    const kind = errandKinds.find(({ name }) => name === "worktree.make");
    const signals: AbortSignal[] = [];
    const house = await openWith({ run: async (payload) => made(payload) });
    const { args } = await ask(house);
    const hung: MakeHand = {
      run(_payload, { signal }) {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    };
    const { store, sources, log } = house.house;
    const lame = await openTestHouse("sqlite", {
      hands: {},
      location: house.location,
      ports: { worktree: { checkGround: async (ground) => ground } },
    });
    await lame.call("workspace_create", args, house.owner);
    if (!kind) throw new Error("no such kind");
    const runner = new ErrandRunner({
      store,
      sources,
      log,
      kinds: [{ ...kind, timeoutMs: 50 }],
      hands: { [kind.name]: hung },
    });
    runner.poke();
    await untilRow(house, (row) => row.attempts === 1 && row.status === "pending");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(JSON.parse((await rowsOf(house))[0]?.error ?? "")).toMatchObject({ code: "TOOL_TIMEOUT" });
    house.clock.advance(60_000);
    runner.poke();
    await untilRow(house, (row) => row.attempts === 2 && row.status === "failed");
    await runner.close();
    // Git says so itself when one command of it has hung.
    const hungGit = new Refusal("GIT_ERROR", "It took longer.", undefined, { isLate: true });
    const errors = [hungGit, new Refusal("GIT_ERROR", "It ended.")];
    const tried = (wasLate: boolean) =>
      errors.map((error) => isTriedAgain(error, { attempts: 3, wasLate, mostAttempts: 4 }));
    expect([tried(true), tried(false)]).toEqual([
      [false, true],
      [true, true],
    ]);
  });

  test("[EF10] has at most four pieces of work under way", async () => {
    let begun = 0;
    let under = 0;
    let most = 0;
    const house = await openWith({
      async run(payload) {
        begun += 1;
        under += 1;
        most = Math.max(most, under);
        await until(() => begun >= 4);
        await letPass(20, "a fifth would have begun by now");
        under -= 1;
        return made(payload);
      },
    });
    const { caller: bob } = await house.developer("bob");
    const calls = [house.owner, bob].flatMap((caller) => [1, 2, 3, 4, 5].map((at) => askAs(house, caller, at)));
    expect((await Promise.all(calls)).every(({ ready }) => ready)).toBe(true);
    expect(most).toBe(4);
  });

  test("[EF21] leaves half of the places to others, however much one developer's work hangs", async () => {
    let isFreed = false;
    let hanging = 0;
    const house = await openWith({
      async run(payload) {
        if (payload.path.includes("bob")) {
          hanging += 1;
          await until(() => isFreed);
        }
        return made(payload);
      },
    });
    const { caller: bob } = await house.developer("bob");
    const his = [1, 2, 3, 4, 5].map((at) => askAs(house, bob, at));
    await until(() => hanging === 2);
    const hers = await Promise.all([1, 2, 3].map((at) => askAs(house, house.owner, at)));
    expect({ hanging, ready: hers.map(({ ready }) => ready) }).toEqual({ hanging: 2, ready: [true, true, true] });
    isFreed = true;
    expect((await Promise.all(his)).every(({ ready }) => ready)).toBe(true);
  });

  test("[EF11] leaves the work of other places to the servers there", async () => {
    const done: string[] = [];
    const handAt = (place: string): MakeHand => ({
      async run(payload) {
        done.push(`${payload.branch} at ${place}`);
        return made(payload);
      },
    });
    const here = await openWith(handAt("here"), "postgres", { sources: { ...realSources, place: "here" } });
    const there = await openWith(handAt("there"), "postgres", {
      location: here.location,
      sources: { ...realSources, place: "there" },
    });
    const { args } = await ask(here);
    await here.call("workspace_create", args);
    await there.call(
      "workspace_create",
      { ...args, branch: "work/two", path: "/srv/code/shop-worktrees/two" },
      here.owner,
    );
    await Promise.all([here.house.errands.settle(), there.house.errands.settle()]);
    expect(done.sort()).toEqual(["work/one at here", "work/two at there"]);
  });

  test("[EF12] keeps a result that a full disk does not take, and records it when there is room", async () => {
    const dir = mountSmallDisk(3);
    const ballast = join(dir, "ballast");
    let runs = 0;
    const refusals: string[] = [];
    const log = { debug: () => undefined, info: () => undefined, error: () => undefined };
    const house = await openWith(
      {
        async run(payload) {
          runs += 1;
          fillDisk(ballast);
          return made(payload);
        },
      },
      "sqlite",
      {
        location: join(dir, "crewdeck.db"),
        log: { ...log, warn: (facts) => void refusals.push((facts as { err: Refusal }).err.code) },
      },
    );
    const { args } = await ask(house);
    const answer = house.call("workspace_create", args);
    await until(() => refusals.includes("STORE_FULL"));
    rmSync(ballast);
    expect(await answer).toMatchObject({ ready: true });
    expect(runs).toBe(1);
    expect(await outcomes(house)).toEqual(["worktree.prepared"]);
  });

  test("[EF14] lets work under way finish when the server stops", async () => {
    let finish: () => void = () => undefined;
    const isTime = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const house = await openWith({
      async run(payload) {
        await isTime;
        return made(payload);
      },
    });
    const { args } = await ask(house);
    const answer = house.reply("workspace_create", args);
    await untilRow(house, (row) => row.status === "running");
    const closed = house.house.close();
    finish();
    await closed;
    await answer;
    const next = await openTestHouse("sqlite", { location: house.location, hands: {} });
    expect(await rowsOf(next)).toMatchObject([{ status: "done", attempts: 1 }]);
  });

  test("[EF14] cuts off what does not end, and the next start begins it again", async () => {
    const turns: { attempt: number; isAborted: boolean }[] = [];
    const house = await openWith({
      run: (_payload, { attempt, signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            turns.push({ attempt, isAborted: true });
            reject(signal.reason);
          });
        }),
    });
    const { args } = await ask(house);
    void house.reply("workspace_create", args);
    await untilRow(house, (row) => row.status === "running");
    await house.house.close();

    const next = await openWith(
      {
        async run(payload, { attempt }) {
          turns.push({ attempt, isAborted: false });
          return made(payload);
        },
      },
      "sqlite",
      { location: house.location },
    );
    await next.house.errands.settle();
    expect(turns).toEqual([
      { attempt: 1, isAborted: true },
      { attempt: 2, isAborted: false },
    ]);
    expect(await outcomes(next)).toEqual(["worktree.prepared"]);
  });

  test("[EF15] gives up work under which the server has died too often", async () => {
    let runs = 0;
    const hand: MakeHand = {
      async run(payload) {
        runs += 1;
        return made(payload);
      },
    };
    const lame = await openWith(hand, "sqlite", { hands: {} });
    const { args } = await ask(lame);
    await lame.call("workspace_create", args);
    await lame.house.store.transact(async (db) => {
      await db.run(db.q.updateTable("errand").set({ status: "running", attempts: 4 }));
      return { value: undefined, entries: [] };
    });
    await lame.house.close();

    const house = await openWith(hand, "sqlite", { location: lame.location });
    await house.house.errands.settle();
    expect(runs).toBe(0);
    expect(await outcomes(house)).toEqual(["worktree.failed"]);
  });

  test("[EF16] forgets ended work after 30 days, and no other", async () => {
    const house = await openWith({ run: async (payload) => made(payload) });
    const { args } = await ask(house);
    await house.call("workspace_create", args);
    const month = 30 * 24 * 3_600_000;
    house.clock.advance(month - 60_000);
    await sweepErrands(house.house);
    expect(await rowsOf(house)).toHaveLength(1);
    house.clock.advance(120_000);
    await sweepErrands(house.house);
    expect(await rowsOf(house)).toEqual([]);
  });

  test("[EF19] goes on when the caller gives up waiting", async () => {
    let finish: () => void = () => undefined;
    const house = await openWith({
      run: (payload) =>
        new Promise((resolve) => {
          finish = () => resolve(made(payload));
        }),
    });
    const { args } = await ask(house);
    const giveUp = new AbortController();
    const reply = dispatch(house.house, {
      tool: "workspace_create",
      args,
      caller: house.owner,
      transport: "http",
      signal: giveUp.signal,
    });
    await untilRow(house, (row) => row.status === "running");
    giveUp.abort();
    expect(await reply).toMatchObject({ ok: true, value: { ready: false, problem: null } });
    finish();
    await house.house.errands.settle();
    expect(await outcomes(house)).toEqual(["worktree.prepared"]);
    const usage = (await house.entries("usage")).filter(({ data }) => data["tool"] === "workspace_create");
    expect(usage.map(({ data }) => data["outcome"])).toEqual(["ok"]);
  });

  test("[EF17] answers after its limit what is true then", async () => {
    let finish: () => void = () => undefined;
    const house = await openWith({
      run: (payload) =>
        new Promise((resolve) => {
          finish = () => resolve(made(payload));
        }),
    });
    const { args } = await ask(house);
    const quiet = house.house.errands.whenQuiet(["ws_other"], 10_000, new AbortController().signal);
    expect(await quiet).toBe(true);
    const call = house.call("workspace_create", args);
    await untilRow(house, (row) => row.status === "running");
    const [row] = await rowsOf(house);
    const waited = await house.house.errands.whenQuiet([row?.subject ?? ""], 30, new AbortController().signal);
    expect(waited).toBe(false);
    finish();
    expect(await call).toMatchObject({ ready: true });
  });
});
