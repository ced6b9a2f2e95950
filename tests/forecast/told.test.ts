import { renameSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { ForecastKeeper } from "../../src/engine/keepers/forecast-keeper.ts";
import { LookBudget } from "../../src/engine/keepers/look-budget.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import type { AnswerOf } from "../../src/tools/calls.ts";
import { everyTool } from "../contract/parts.ts";
import { git, makeFolder, writeIn } from "../git/scratch.ts";
import { commitIn, lines, openScene } from "./scene.ts";

interface Carried {
  readonly notices?: readonly { readonly about: string; readonly text: string }[];
  readonly data?: Record<string, unknown>;
}

const signal = new AbortController().signal;

/** Three agents in worktrees of one repository; grace is private. */
async function openCrew({ judgesClaims = false } = {}) {
  const forecast = { ...openForecast(makeFolder()), judgesClaims };
  const house = await openTestHouse("sqlite", { tools: everyTool, ports: { project: projectPorts(true), forecast } });
  const scene = openScene({ "pay.txt": lines(), "tax.txt": lines() });
  const keeper = new ForecastKeeper(house.house, () => 0);
  const { caller: dana } = await house.developer("dana");
  const { caller: grace } = await house.developer("grace", { private: true });
  const join_ = async (name: string, caller: Caller, agent_name = name) => {
    const worktree = scene.worktree(name);
    const ask = { operation: "start", agent_name, repo: "shop", worktree };
    const { data } = await house.call<{ data: { session_id: string } }>("covibe_session", ask, caller);
    return { worktree, session_id: data.session_id, caller };
  };
  const look = async (): Promise<string | undefined> => {
    house.clock.advance(60_000);
    return keeper.look(signal);
  };
  return { house, scene, keeper, dana, grace, join: join_, look };
}

const beat = (house: TestHouse, { session_id, caller }: { session_id: string; caller: Caller }): Promise<Carried> =>
  house.call<Carried>("covibe_session", { operation: "heartbeat", session_id }, caller);

test("[FC12, FC13, FC14, FC15, FC17, FC18] agents whose work conflicts are told once, again when the verdict is another, and of private people nothing but someone", async () => {
  const { house, scene, dana, grace, join: enter, look } = await openCrew();
  const cards = await enter("cards", house.owner, "ada-cards");
  const refunds = await enter("refunds", dana, "dana-refunds");
  commitIn(cards.worktree, { "pay.txt": lines({ 5: "cards" }) });
  expect(await look()).toBe(scene.path);
  expect((await beat(house, cards)).notices).toBeUndefined();

  // Saved, not committed: nobody has said a word to the server.
  writeIn(refunds.worktree, "pay.txt", lines({ 5: "refunds" }));
  const events = await house.eventsOf(look);
  expect(events).toEqual(["collision.began", "collision.told", "collision.told"]);
  const [told] = (await beat(house, cards)).notices ?? [];
  const since = /pay\.txt( \([^)]*\))? since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Agree with them on who goes first\.$/;
  expect(told?.text).toMatch(/^Your changes conflict with dana's \(dana-refunds\) in /);
  expect(told?.text).toMatch(since);
  const waited = await house.call<{ news: { kind: string; words: string }[] }>(
    "wait",
    { agent_id: refunds.session_id, timeout_seconds: 0 },
    dana,
  );
  expect(waited.news.map(({ kind }) => kind)).toContain("conflict");
  expect(waited.news.map(({ words }) => words).join()).toMatch(/conflict with [^']+'s \(ada-cards\) in pay\.txt/);

  // The same again is no news, and who waited for it does not hear it twice.
  expect(await house.eventsOf(look)).toEqual([]);
  expect((await beat(house, cards)).notices).toBeUndefined();
  expect((await beat(house, refunds)).notices).toBeUndefined();

  const check = { operation: "check_conflicts", repo: "shop", session_id: cards.session_id };
  const files = await house.call<Carried>("covibe_coordination", { ...check, paths: ["pay.txt"] });
  expect(files.data?.["forecasts"]).toMatchObject([{ verdict: "conflict", paths: ["pay.txt"], owner: "dana" }]);
  const others = await house.call<Carried>("covibe_coordination", { ...check, paths: ["tax.txt"] });
  expect(others.data?.["forecasts"]).toEqual([]);

  const inbox = async () =>
    (await house.call<AnswerOf<"inbox">>("inbox", {})).items.filter(({ kind }) => kind === "collision");
  expect(await inbox()).toEqual([]);
  house.clock.advance(10 * 60_000);
  expect(await inbox()).toMatchObject([{ id: told?.about, title: "pay.txt", from: "dana" }]);

  const { collisions } = await house.call<AnswerOf<"collision_known">>("collision_known", {});
  expect(collisions).toMatchObject([
    {
      id: told?.about,
      verdict: "conflict",
      repository: scene.path,
      ends: [{ agent: "ada-cards" }, { agent: "dana-refunds" }],
    },
  ]);
  const { pair } = await house.call<AnswerOf<"collision_known">>("collision_known", { id: told?.about });
  expect(pair?.files).toEqual([
    { path: "pay.txt", truncated: false, hunks: [{ line: 5, one: ["cards"], other: ["refunds"] }] },
  ]);
  expect(pair?.timeline).toMatchObject([{ what: "began", verdict: "conflict" }]);
  expect(await house.refusal("collision_known", { id: "col_none" })).toBe("NOT_FOUND");
  const head = join(scene.path, ".git", "HEAD");
  renameSync(head, `${head}.away`);
  const unread = await house.call<AnswerOf<"collision_known">>("collision_known", { id: told?.about });
  expect(unread.pair).toMatchObject({ files: [], timeline: [{ what: "began" }] });
  renameSync(`${head}.away`, head);

  const list = await house.call<AnswerOf<"collision_list">>("collision_list", { repository_path: scene.path });
  expect(list.collisions).toMatchObject([{ id: told?.about, verdict: "conflict", since: expect.any(String) }]);

  // Apart again, then in each other's way again: the verdict is another each time.
  writeIn(refunds.worktree, "pay.txt", lines({ 40: "refunds" }));
  expect(await house.eventsOf(look)).toEqual(["collision.ended"]);
  writeIn(refunds.worktree, "pay.txt", lines({ 5: "refunds" }));
  await look();
  expect((await beat(house, cards)).notices).toHaveLength(1);
  // Word that is no longer true is taken back before anybody gets it.
  git(refunds.worktree, "checkout", "-q", "pay.txt");
  await look();
  expect((await beat(house, refunds)).notices).toBeUndefined();

  const secret = await enter("secret-plan", grace, "grace-agent");
  commitIn(secret.worktree, { "pay.txt": lines({ 5: "secret" }) });
  await look();
  const [someone] = (await beat(house, cards)).notices ?? [];
  expect(someone?.text).toMatch(/^Your changes conflict with someone's in pay\.txt/);
  expect(JSON.stringify(await house.entries())).not.toMatch(/secret-plan/);
  const hidden = await house.call<AnswerOf<"collision_known">>("collision_known", {});
  expect(hidden.collisions.map(({ ends }) => ends.map(({ developer }) => developer))).toContainEqual(
    expect.arrayContaining(["@private"]),
  );
  expect(JSON.stringify(hidden)).not.toMatch(/secret-plan|grace/);
  expect(await house.refusal("collision_known", { id: someone?.about })).toBe("NOT_FOUND");
});

test("[FC13] conflict, near, and conflict again is told again; so is an agent that stays away for days", async () => {
  const { house, dana, join: enter, look } = await openCrew();
  const cards = await enter("cards", house.owner);
  const refunds = await enter("refunds", dana);
  commitIn(cards.worktree, { "pay.txt": lines({ 5: "cards" }) });
  for (const line of [5, 8, 5]) {
    writeIn(refunds.worktree, "pay.txt", lines({ [line]: "refunds" }));
    await look();
    const { notices = [] } = await beat(house, cards);
    expect(notices.map(({ text }) => text.slice(0, 21))).toEqual(line === 5 ? ["Your changes conflict"] : []);
  }
  house.clock.advance(3 * 24 * 3_600_000);
  expect((await beat(house, refunds)).notices).toHaveLength(1);
});

test("[FC14, FC18] a collision over a symbol says which one and what happens to it, where it is used and where it is defined", async () => {
  const { house, scene, dana, look } = await openCrew();
  commitIn(scene.path, { "pay.py": "def roundCents(amount):\n    return amount\n", "cart.py": "import pay\n" });
  const enter = async (name: string, caller: Caller, of: Record<string, string>) => {
    const worktree = scene.worktree(name);
    const ask = { operation: "start", agent_name: name, ...of, ...(of["branch"] ? {} : { worktree }) };
    const { data } = await house.call<{ data: { session_id: string } }>("covibe_session", ask, caller);
    return { worktree, session_id: data.session_id, caller };
  };
  // One says where it works, the other only on which branch of what.
  const cards = await enter("cards", house.owner, {});
  const refunds = await enter("refunds", dana, { repo: "shop", branch: "refunds" });
  commitIn(cards.worktree, { "cart.py": "import pay\npay.roundCents(1)\n" });
  commitIn(refunds.worktree, { "pay.py": "def toCents(amount):\n    return amount\n" });
  await look();
  const said = /in cart\.py \(uses roundCents, removed or renamed in pay\.py\) since/;
  expect((await beat(house, cards)).notices?.[0]?.text).toMatch(said);
  expect((await beat(house, refunds)).notices?.[0]?.text).toMatch(said);
  const symbol = { name: "roundCents", why: "removed", defined_in: "pay.py" };
  const { collisions } = await house.call<AnswerOf<"collision_known">>("collision_known", {});
  expect(collisions[0]?.places).toEqual([{ path: "cart.py", heading: null, symbol }]);
  for (const { caller, session_id } of [cards, refunds]) {
    const check = { operation: "check_conflicts", repo: "shop", session_id, paths: ["pay.py"] };
    const { data } = await house.call<Carried>("covibe_coordination", check, caller);
    expect(data?.["forecasts"]).toMatchObject([
      { verdict: "symbol", paths: ["pay.py"], symbols: [{ path: "cart.py", ...symbol }] },
    ]);
  }
});

test("[FC39] an agent is told once what concerns it that its base got, with the command, again after a rebase, and that its work is merged", async () => {
  const { house, scene, dana, join: enter, look } = await openCrew();
  const mine = await enter("mine", house.owner);
  const other = await enter("other", dana);
  for (const { worktree } of [mine, other]) commitIn(worktree, { "pay.txt": lines({ 5: "mine" }) });
  commitIn(scene.path, { "pay.txt": lines({ 50: "main" }) }, "Round to cents");
  commitIn(scene.path, { "aside.txt": "aside" }, "Aside");
  expect(await house.eventsOf(look)).toEqual(["base.told", "base.told"]);
  const said =
    "Your worktree is 2 commits behind main; 1 concerns your work. Catch up: git rebase main\npay.txt (Round to cents)";
  expect((await beat(house, mine)).notices?.map(({ text }) => text)).toEqual([said]);
  expect(await house.eventsOf(look)).toEqual([]);
  expect((await beat(house, mine)).notices).toBeUndefined();
  // Whoever has caught up before it hears of it, hears nothing.
  for (const { worktree } of [mine, other]) git(worktree, "rebase", "-q", "main");
  await look();
  expect((await beat(house, other)).notices).toBeUndefined();
  commitIn(scene.path, { "pay.txt": lines({ 30: "again", 50: "main" }) }, "Again");
  await look();
  expect((await beat(house, mine)).notices).toMatchObject([{ text: expect.stringMatching(/1 commit behind main; 1/) }]);
  git(scene.path, "merge", "-q", "--squash", "mine");
  git(scene.path, "commit", "-qm", "Mine");
  await look();
  expect((await beat(house, mine)).notices).toMatchObject([
    { text: "main already has the work of your branch. Start new work from main." },
  ]);
});

test("[FC38] what was compared is what the command to rebase names, such as the remote's branch", async () => {
  const { house, scene, join: enter, look } = await openCrew();
  const mine = await enter("mine", house.owner);
  commitIn(mine.worktree, { "pay.txt": lines({ 5: "mine" }) });
  commitIn(scene.path, { "pay.txt": lines({ 5: "theirs" }) });
  scene.git("update-ref", "refs/remotes/origin/main", "HEAD");
  scene.git("reset", "-q", "--hard", "HEAD~1");
  await look();
  expect((await beat(house, mine)).notices?.[0]?.text).toMatch(/git rebase origin\/main$/);
  const { collisions } = await house.call<AnswerOf<"collision_known">>("collision_known", {});
  expect(collisions.map(({ base }) => base)).toEqual(["origin/main"]);
  const list = await house.call<AnswerOf<"collision_list">>("collision_list", { repository_path: scene.path });
  expect(list).toMatchObject({ base: "main", base_ref: "origin/main" });
});

test("[FC12, FC16] what main got meanwhile is a conflict with main; at most three collisions come with one answer; folders that cannot be tried stay as they were", async () => {
  const { house, scene, join: enter, look } = await openCrew();
  const mine = await enter("mine", house.owner);
  commitIn(mine.worktree, { "pay.txt": lines({ 5: "mine" }) });
  commitIn(scene.path, { "pay.txt": lines({ 5: "main" }) }, "Round to cents");
  await look();
  const [base] = (await beat(house, mine)).notices ?? [];
  expect(base?.text).toMatch(
    /^Your changes conflict with main in pay\.txt since .* UTC\. Rebase now: git rebase main$/,
  );

  for (const name of ["a", "b", "c", "d"]) commitIn(scene.worktree(name, "main~1"), { "pay.txt": lines({ 5: name }) });
  await look();
  const first = (await beat(house, mine)).notices ?? [];
  const second = (await beat(house, mine)).notices ?? [];
  expect([first.length, second.length]).toEqual([3, 1]);

  // In the middle of a merge nothing is known, so nothing is over.
  try {
    git(join(scene.around, "a"), "merge", "-q", "b");
  } catch {
    // It conflicts, as it should.
  }
  const ended = (await house.eventsOf(look)).filter((kind) => kind === "collision.ended");
  expect(ended).toEqual([]);
});

test("[FC35] whose work main may have done is asked once whether it is still needed, beside a conflict, and never in the inbox", async () => {
  const { house, scene, join: enter, look } = await openCrew();
  const mine = await enter("mine", house.owner);
  const rounds = "round every price to cents\nround every tax to cents\n";
  commitIn(mine.worktree, { "pay.txt": `${rounds}and say so\nin the log\n${lines()}` });
  commitIn(scene.path, { "pay.txt": `${rounds}and be silent\n${lines()}` }, "Round to cents");
  expect((await house.eventsOf(look)).sort()).toEqual(
    ["began", "began", "told", "told"].map((what) => `collision.${what}`),
  );
  const texts = ((await beat(house, mine)).notices ?? []).map(({ text }) => text);
  expect(texts).toContainEqual(expect.stringMatching(/^Your changes conflict with main in pay\.txt/));
  expect(texts).toContainEqual(
    expect.stringMatching(
      /^main may already do what you are doing in pay\.txt \([0-9a-f]{10} Round to cents\) since .* UTC\. Look at that commit: is your work still needed\?$/,
    ),
  );
  expect(await house.eventsOf(look)).toEqual([]);
  const { collisions } = await house.call<AnswerOf<"collision_known">>("collision_known", {});
  expect(collisions.map(({ verdict, base }) => [verdict, base]).sort()).toEqual([
    ["conflict", "main"],
    ["moot", "main"],
  ]);
  const moot = collisions.find(({ verdict }) => verdict === "moot");
  const { pair } = await house.call<AnswerOf<"collision_known">>("collision_known", { id: moot?.id });
  expect(pair?.files).toEqual([]);
  house.clock.advance(10 * 60_000);
  const { items } = await house.call<AnswerOf<"inbox">>("inbox", {});
  expect(items.filter(({ kind }) => kind === "collision")).toHaveLength(1);
  // It went another way: no longer a question.
  git(mine.worktree, "reset", "-q", "--hard", "HEAD~1");
  expect(await house.eventsOf(look)).toEqual(["collision.ended", "collision.ended"]);
  // What merges and may be done already is not called close to others'.
  const idle = await enter("idle", house.owner);
  commitIn(idle.worktree, { "tax.txt": `${rounds}${lines()}` });
  commitIn(scene.path, { "tax.txt": `${lines()}${rounds}` });
  await look();
  const check = { operation: "check_conflicts", repo: "shop", session_id: idle.session_id, paths: ["tax.txt"] };
  const said = await house.call<{ message: string }>("covibe_coordination", check);
  expect(said.message).toBe("main may already do what you are doing there.");
});

test("[FC12] after a sign of life only that agent's worktree is looked at anew, the others with the next round", async () => {
  const { house, scene, keeper, dana, join: enter, look } = await openCrew();
  const cards = await enter("cards", house.owner);
  const refunds = await enter("refunds", dana);
  commitIn(cards.worktree, { "pay.txt": lines({ 5: "cards" }) });
  await look();
  // Nobody has said a word of this one.
  writeIn(refunds.worktree, "pay.txt", lines({ 5: "refunds" }));
  let heard = (await house.entries()).at(-1)?.seq ?? 0;
  const after = async (ms: number): Promise<string[]> => {
    const entries = await house.entries("work", heard);
    keeper.heed(entries);
    heard = entries.at(-1)?.seq ?? heard;
    house.clock.advance(ms);
    return house.eventsOf(() => keeper.look(signal));
  };
  await beat(house, cards);
  expect(await after(4_000)).toEqual([]);
  expect(await after(7_000)).toEqual(["collision.began", "collision.told", "collision.told"]);
  writeIn(refunds.worktree, "pay.txt", lines({ 40: "refunds" }));
  await beat(house, refunds);
  expect(await after(4_000)).toEqual(["collision.ended"]);
  expect(await keeper.look(signal)).toBeUndefined();
  expect(scene.git("status", "--porcelain")).toBe("");
});

test("[FC12] looking never takes more than a tenth of the time, after a first while", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ passMs: fc.nat(20_000), tookMs: fc.nat(4_000), isUrgent: fc.boolean() }), {
        maxLength: 200,
      }),
      (steps) => {
        const budget = new LookBudget(0);
        let now = 0;
        let spent = 0;
        let last = 0;
        for (const { passMs, tookMs, isUrgent } of steps) {
          now += passMs;
          if (!budget.allows(now, { isUrgent })) continue;
          now += tookMs;
          budget.spend(now, tookMs);
          spent += tookMs;
          last = tookMs;
        }
        // What was saved up at the start, and the one look that may overdraw.
        expect(spent).toBeLessThanOrEqual(now * 0.1 + 3_000 + last + 1);
      },
    ),
  );
});

test("[CC25] where the team goes by forecasts, code that somebody holds is shared with work that does not collide, with the reason", async () => {
  const { house, scene, dana, join: enter } = await openCrew({ judgesClaims: true });
  const cards = await enter("cards", house.owner);
  const refunds = await enter("refunds", dana);
  const claim = (of: { session_id: string; caller: Caller }, paths: string[]) =>
    house.call<{ status: string; data: Record<string, unknown> }>(
      "covibe_coordination",
      { operation: "claim", repo: "shop", paths, session_id: of.session_id },
      of.caller,
    );
  commitIn(cards.worktree, { "pay.txt": lines({ 5: "cards" }) });
  expect(await claim(cards, ["*.txt"])).toMatchObject({ status: "ok", data: { exclusive: true } });

  // Far from each other in the same file.
  commitIn(refunds.worktree, { "pay.txt": lines({ 50: "refunds" }) });
  expect(await claim(refunds, ["pay.txt"])).toMatchObject({
    status: "ok",
    data: { exclusive: false, reason: "no_collision", conflict_count: 1 },
  });
  const taken = (await house.entries()).filter(({ kind }) => kind === "claim.taken");
  expect(taken.map(({ data }) => data["reason"])).toEqual([undefined, "no_collision"]);

  // Close to each other, and where nobody knows where the work lies.
  const near = await enter("near", dana, "near");
  commitIn(near.worktree, { "pay.txt": lines({ 8: "near" }) });
  expect(await claim(near, ["pay.txt"])).toMatchObject({ status: "blocked", data: { code: "CLAIM_CONFLICT" } });
  const ask = { operation: "start", agent_name: "elsewhere", repo: "shop" };
  const { data } = await house.call<{ data: { session_id: string } }>("covibe_session", ask, dana);
  expect(await claim({ session_id: data.session_id, caller: dana }, ["pay.txt"])).toMatchObject({ status: "blocked" });
  expect(scene.git("status", "--porcelain")).toBe("");
});
