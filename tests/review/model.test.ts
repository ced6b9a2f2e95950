import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentProgram } from "../../src/adapters/launcher/programs.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import { listInstances } from "../../src/domain/instance/queries.ts";
import { isOver } from "../../src/domain/instance/rules.ts";
import type { Review } from "../../src/domain/review/model.ts";
import { findLiveReview, listFeedback, listRounds } from "../../src/domain/review/queries.ts";
import type { StoreKind, TestHouse } from "../../src/testing/house.ts";
import { testPatienceMs, until } from "../../src/testing/waiting.ts";
import { git, makeFolder, type TestRepository } from "../git/scratch.ts";
import { Doom } from "./doom.ts";
import { callerOf, callIn, endPrograms, makeWork, openLaunchedHouse, readInstance } from "./launched-house.ts";
import { endTerminals, listTerminals } from "./scene.ts";

const acts = [
  "ask",
  "feedback",
  "stop",
  "grant",
  "commit",
  "dirty",
  "scribble",
  "pull",
  "merge",
  "send back",
  "sweep",
  "abandon",
  "start",
  "work",
  "leave",
  "ask again",
  "end",
  "dismiss",
] as const;
const kills = ["kill agent", "kill server before", "kill server after", "kill tmux", "kill git"] as const;

type Act = (typeof acts)[number];
interface Step {
  readonly what: Act | (typeof kills)[number];
  readonly who: number;
  /** What the server is at when it is killed. */
  readonly during: Act;
  /** How many gits are let pass before one is killed. */
  readonly gits: number;
}

const stepOf = (words: readonly Step["what"][]) =>
  fc.record({
    what: fc.constantFrom(...words),
    who: fc.nat({ max: 1 }),
    during: fc.constantFrom<Act>("ask", "feedback", "stop", "abandon", "sweep", "start", "dismiss", "pull", "merge"),
    gits: fc.nat({ max: 6 }),
  });

const sleeper = { command: ["sleep", "1000"], prompt: "file", env: {} } as const;

/** A coder's repository, and what must never be gone from it. */
interface Ground {
  readonly work: TestRepository;
  readonly commits: string[];
  coder: string | undefined;
  /** A coder that was started there, with a branch and a folder of its own. */
  launched: Launched | undefined;
  /** What the coder has in its folder and has not committed. */
  dirt: string | null;
}

interface Launched {
  readonly id: string;
  readonly branch: string;
  readonly folder: string;
}

/** One history: coders, reviewers, people and kills in any order. After each step the promises hold. */
class History {
  readonly #kind: StoreKind;
  readonly #program: AgentProgram;
  readonly #dataDir = makeFolder("crewdeck-launch-");
  readonly #doom = new Doom();
  readonly #grounds: Ground[] = [0, 1].map(() => ({
    work: makeWork(),
    commits: [],
    coder: undefined,
    launched: undefined,
    dirt: null,
  }));
  readonly #scribbles: { readonly file: string; readonly folder: string; readonly work: TestRepository }[] = [];
  /** What coders that were started have committed, each on its branch. */
  readonly #commits: { readonly commit: string; readonly branch: string; readonly work: TestRepository }[] = [];
  readonly #acknowledged: { readonly text: string; readonly coder: string }[] = [];
  readonly #houses: TestHouse[] = [];
  #sweep: () => Promise<void> = async () => undefined;
  #count = 0;

  constructor(kind: StoreKind, mode: "tmux" | "headless") {
    this.#kind = kind;
    this.#program = { ...sleeper, mode };
  }

  get #house(): TestHouse {
    const house = this.#houses.at(-1);
    if (!house) throw new Error("no house is open");
    return house;
  }

  async play(steps: readonly Step[]): Promise<void> {
    try {
      await this.#open();
      for (const step of steps) {
        this.#count += 1;
        await this.#take(step);
        await this.#house.house.errands.settle();
        await check(this.#house);
      }
      await this.#checkAll();
    } finally {
      await Promise.all(this.#houses.map(({ house }) => house.close()));
      endPrograms(this.#dataDir);
      endTerminals(this.#dataDir);
      for (const { work } of this.#grounds) rmSync(work.around, { recursive: true, force: true, maxRetries: 5 });
      rmSync(this.#dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** A server on what the one before has left; the dead one's promises are never kept. */
  async #open(): Promise<void> {
    const before = this.#houses.at(-1);
    const { house, sweep } = await openLaunchedHouse(this.#kind, {
      limits: { maxIterations: 2, autoAbandonAfter: 2 },
      mostAtOnce: 2,
      program: this.#program,
      folder: this.#dataDir,
      watch: this.#doom.watch,
      ...(before ? { location: before.location } : {}),
    });
    this.#houses.push(before ? Object.assign(house, { owner: before.owner }) : house);
    this.#sweep = sweep;
  }

  async #take(step: Step): Promise<void> {
    const ground = this.#grounds[step.who];
    if (!ground) return;
    const { what, during } = step;
    if (what === "kill server before" || what === "kill server after") {
      const reached = this.#doom.arm(what === "kill server before" ? "before" : "after").then(() => true);
      const errands = this.#house.house.errands;
      const acting = this.#act(during, ground).then(() => errands.settle());
      const isReached = await Promise.race([reached, acting.then(() => false)]);
      this.#doom.disarm();
      acting.catch(() => undefined);
      if (!isReached) return;
      await this.#doom.kill();
      await this.#open();
    } else if (what === "kill git") {
      this.#doom.cutGit(step.gits);
      await this.#act(during, ground);
      await this.#house.house.errands.settle();
      this.#doom.disarm();
    } else if (what === "kill tmux") endTerminals(this.#dataDir);
    else if (what === "kill agent") {
      const live = await this.#findLive(ground);
      if (live) kill(this.#dataDir, live.id);
    } else await this.#act(what, ground);
  }

  async #act(what: Act, ground: Ground): Promise<void> {
    const house = this.#house;
    const { work, coder } = ground;
    const live = await this.#findLive(ground);
    if (what === "ask") {
      await callIn(house, "request_review", {}, work.path);
      ground.coder = (await this.#listCoders(work))[0]?.id ?? coder;
    } else if (what === "feedback" && live) {
      const text = `finding ${this.#count}`;
      const as = await callerOf(house, live.id);
      const args = { feedback: text, feedback_type: "needs_work" };
      const reply = await callIn(house, "send_feedback", args, work.path, as);
      if (reply.ok) this.#acknowledged.push({ text, coder: live.coderId });
      // Most end by themselves once they have spoken; the others are waited for and ended.
      if (this.#count % 8 > 0) kill(this.#dataDir, live.id);
    } else if (what === "stop" && live) await house.reply("instance_stop", { id: live.id });
    else if (what === "abandon" && coder) await house.reply("instance_abandon", { id: coder });
    else if (what === "grant" && coder) await house.reply("review_grant", { id: coder });
    else if (what === "commit") {
      ground.commits.push(work.commit(`more ${this.#count}`, { "a.txt": `${this.#count}\n` }));
      ground.dirt = null;
    } else if (what === "dirty") {
      ground.dirt = `mine ${this.#count}\n`;
      work.write("REVIEW_FEEDBACK.md", ground.dirt);
    } else if (what === "scribble" && live) {
      const { worktreePath: folder } = await readInstance(house, live.id);
      const file = `scribble-${this.#count}.txt`;
      if (!existsSync(folder)) return;
      writeFileSync(join(folder, file), `${file}: what nobody has committed\n`);
      this.#scribbles.push({ file, folder, work });
    } else if (what === "pull")
      await callIn(house, "create_pull_request", { title: "Work", description: "" }, work.path);
    else if (what === "merge") await house.reply("pull_merge", { number: await this.#findPull(ground) });
    else if (what === "send back")
      await house.reply("pull_send_back", { number: await this.#findPull(ground), summary: "Better, please." });
    else if (what === "sweep") await this.#sweep();
    else await this.#actLaunched(what, ground);
  }

  /** What a coder does that was started, and what is done with it. */
  async #actLaunched(what: Act, ground: Ground): Promise<void> {
    const house = this.#house;
    const { work, launched } = ground;
    if (what === "start" && (launched === undefined || isOver(await readInstance(house, launched.id)))) {
      const ask = { path: work.path, prompt: "Work.", agent: "idle" };
      const reply = await house.reply("instance_start", ask);
      if (!reply.ok) return;
      const { id, branch_name, worktree_path } = reply.value as Record<"id" | "branch_name" | "worktree_path", string>;
      ground.launched = { id, branch: branch_name, folder: worktree_path };
    }
    if (launched === undefined) return;
    const { id, branch, folder } = launched;
    if (what === "end") kill(this.#dataDir, id);
    else if (what === "dismiss") await house.reply(this.#count % 2 > 0 ? "instance_stop" : "instance_abandon", { id });
    const { status, run } = await readInstance(house, id);
    // A folder that is about to go takes nothing more.
    if (status !== "started" || run?.state !== "running" || !existsSync(join(folder, "a.txt"))) return;
    const file = `own-${this.#count}.txt`;
    if (what === "work" || what === "leave") {
      writeFileSync(join(folder, file), `${file}: of a coder that was started\n`);
      if (what === "leave") return void this.#scribbles.push({ file, folder, work });
      git(folder, "add", file);
      git(folder, "commit", "-q", "-m", file);
      this.#commits.push({ commit: git(folder, "rev-parse", "HEAD"), branch, work });
    } else if (what === "ask again") await callIn(house, "request_review", {}, folder, await callerOf(house, id));
  }

  async #findPull({ coder }: Ground): Promise<number> {
    return coder === undefined ? 1 : ((await readInstance(this.#house, coder)).pullNumber ?? 1);
  }

  #listCoders = async ({ path }: TestRepository) =>
    (await this.#house.house.store.read((db) => listInstances(db, { type: "coding", limit: 100 }))).filter(
      ({ worktreePath }) => worktreePath === path,
    );

  async #findLive({ coder }: Ground): Promise<Review | undefined> {
    if (coder === undefined) return undefined;
    const live = await this.#house.house.store.read((db) => findLiveReview(db, InstanceId.parse(coder)));
    return live?.outcome === "live" ? live : undefined;
  }

  /** When all is quiet nothing is left behind, and nothing is gone. */
  async #checkAll(): Promise<void> {
    const house = this.#house;
    await until(async () => {
      // What failed in passing is tried again after a while.
      house.clock.advance(20_000);
      await this.#sweep();
      await house.house.errands.settle();
      return !(await isBusy(house, this.#dataDir));
    });
    await check(house);
    for (const { text, coder } of this.#acknowledged) {
      const given = await house.house.store.read((db) => listFeedback(db, InstanceId.parse(coder)));
      expect(given.map((one) => one.text)).toContain(text);
    }
    for (const { work, commits, dirt } of this.#grounds) {
      for (const { id } of await this.#listCoders(work)) await this.#checkDelivered(id, work);
      for (const commit of commits) work.git("merge-base", "--is-ancestor", commit, "feature");
      if (dirt !== null) expect(readFileSync(join(work.path, "REVIEW_FEEDBACK.md"), "utf8")).toBe(dirt);
    }
    for (const { commit, branch, work } of this.#commits) work.git("merge-base", "--is-ancestor", commit, branch);
    for (const { file, folder, work } of this.#scribbles) {
      const isKept = existsSync(join(folder, file)) || work.git("rev-list", "--objects", "--all").includes(file);
      expect({ file, isKept }).toEqual({ file, isKept: true });
    }
  }

  async #checkDelivered(coder: string, work: TestRepository): Promise<void> {
    const house = this.#house;
    const given = await house.house.store.read((db) => listFeedback(db, InstanceId.parse(coder)));
    const ask = { agent_id: coder, limit: 100 };
    const { messages } = await house.call<{ messages: { body: string }[] }>("message_list", ask);
    for (const { text, commit, delivery } of given) {
      expect(delivery).not.toBe(null);
      expect(messages.filter(({ body }) => body.includes(`${text}\n`))).toHaveLength(1);
      expect(work.git("cat-file", "-t", commit ?? "")).toBe("commit");
    }
  }
}

/** One live review for a coder at most, who waits just then; rounds count once. */
async function check({ house }: TestHouse): Promise<void> {
  const coders = await house.store.read((db) => listInstances(db, { type: "coding", limit: 100 }));
  for (const coder of coders) {
    const rounds = await house.store.read((db) => listRounds(db, coder.id));
    const live = rounds.filter(({ endedAt }) => endedAt === null);
    expect(live.length).toBeLessThanOrEqual(1);
    expect(coder.status === "waiting_review").toBe(live.length === 1);
    expect(rounds.map(({ round }) => round)).toEqual(rounds.map((_, at) => at + 1));
    expect(coder.reviewIteration).toBe(rounds.length);
  }
}

/** Whether anything is left of agents that were started and are over: a process, a session or a folder. */
async function isBusy({ house }: TestHouse, dataDir: string): Promise<boolean> {
  const all = await house.store.read((db) => listInstances(db, { limit: 200 }));
  const sessions = listTerminals(dataDir);
  return all
    .filter((one) => one.origin === "launched" && isOver(one))
    .some(({ id, worktreePath }) => existsSync(worktreePath) || isAlive(dataDir, id) || sessions.includes(id));
}

const pidOf = (dataDir: string, id: string): number | undefined => {
  try {
    return (JSON.parse(readFileSync(join(dataDir, "agents", id, "process.json"), "utf8")) as { pid: number }).pid;
  } catch {
    return undefined;
  }
};

function isAlive(dataDir: string, id: string): boolean {
  const pid = pidOf(dataDir, id);
  if (pid === undefined) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function kill(dataDir: string, id: string): void {
  const pid = pidOf(dataDir, id);
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** How many histories are played; many more by `CREWDECK_REVIEW_HISTORIES`, and of those with kills by `…_KILLS`. */
const asked = Number(process.env["CREWDECK_REVIEW_HISTORIES"] ?? 0);
const askedKills = Number(process.env["CREWDECK_REVIEW_KILLS"] ?? 0);
const isLarge = asked + askedKills > 0;
/** They mostly wait for programs to end, so several are played side by side. */
const atOnce = isLarge ? { sqlite: 24, postgres: 8 } : { sqlite: 3, postgres: 3 };

async function playAll(
  kind: StoreKind,
  histories: readonly { mode: "tmux" | "headless"; steps: readonly Step[] }[],
): Promise<void> {
  const left = [...histories];
  const playNext = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { mode, steps } = next;
      await new History(kind, mode).play(steps).catch((error: unknown) => {
        left.length = 0;
        throw new Error(`in the history ${JSON.stringify({ kind, mode, steps })}`, { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce[kind] }, playNext));
}

const patience = isLarge ? 6 * testPatienceMs : testPatienceMs;

const historyOf = (words: readonly Step["what"][]) =>
  fc.record({
    mode: fc.constantFrom("tmux" as const, "headless" as const),
    steps: fc.array(stepOf(words), { minLength: 8, maxLength: 14 }),
  });

describe.each(["sqlite", "postgres"] as const)("any order of coders, reviewers, people and kills, on %s", (kind) => {
  const most = isLarge ? { plain: asked, kills: askedKills } : { plain: kind === "sqlite" ? 3 : 2, kills: 2 };

  test.skipIf(most.plain === 0)(
    "[RV2, RV3, RV7, RV9, RV12, IN28] the promises hold, and nothing is left behind",
    () => playAll(kind, fc.sample(historyOf([...acts, "kill agent"]), most.plain)),
    patience,
  );

  test.skipIf(most.kills === 0)(
    "[RV16, LA3, LA5] they hold over kills of the server, of tmux, of agents and of git half-way",
    () => playAll(kind, fc.sample(historyOf([...acts, "ask", "ask", ...kills]), most.kills)),
    patience,
  );
});
