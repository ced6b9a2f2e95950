import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import { isRead, routesOf } from "../../src/contract/tool-routes.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { catalog, personTools } from "../../src/tools/catalog.ts";
import { type Input, isAnybodys } from "../contract/examples.ts";
import { everyTool } from "../contract/parts.ts";
import { LiveClient } from "../http/live-client.ts";
import { ask } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { begin } from "../team/session-scene.ts";
import { judgeAll, newWorker, wording } from "../team/work-scene.ts";
import { planned } from "../workflow/work.ts";
import { bird, CanaryCaller, canariesIn } from "./canaries.ts";
import { listTargets, type Target } from "./id-makers.ts";
import { fillFor } from "./records.ts";

/** Who she is, and what she calls herself where she works. */
const marks = ["mallory", "Mallory Hidden", "hidden.example", "HiddenAgent", "hidden-branch", "hidden-model"];
const targets = listTargets([...catalog, ...personTools]);
const examplesOf = ({ definition, operation }: Target) =>
  definition.examples.map(({ input }) => ({ ...operation, ...input }));

const whoSheIs = { name: "Mallory Hidden", email: "mallory@hidden.example", private: true };

/**
 * Everything that a member can do at all, done by her, with a canary in every text that she may write: most of it must
 * work, else there is nothing to hide.
 */
async function leaveTraces(house: TestHouse, mallory: Caller): Promise<void> {
  await house.agent("HiddenAgent", mallory);
  const where = { agent_name: "HiddenAgent", branch: "hidden-branch", model: "hidden-model" };
  const session = await begin(house, mallory, where);
  const usage = { id: "msg_hidden", model: "hidden-model", usage: { input_tokens: 10, output_tokens: 20 } };
  const report = { source: "claude", payload: usage, session_id: session };
  await house.call("covibe_ingest_agent_telemetry", report, mallory);
  const outcomes = [];
  for (const target of targets) {
    for (const example of examplesOf(target)) {
      const hers = new CanaryCaller(house, mallory, targets);
      const args = await hers.fill(example).catch(() => undefined);
      if (args !== undefined) outcomes.push((await hers.reply(target.tool.name, args)).ok);
    }
  }
  expect(outcomes.filter((isGranted) => isGranted).length).toBeGreaterThan(targets.length / 2);
}

/** Those of the team that `mallory` turns to: what she asks and hands over is theirs to read, who she is is not. */
async function turnTo(house: TestHouse, bob: string, mallory: Caller): Promise<void> {
  for (const args of [
    { operation: "ask", to: bob, question: "May I rename it?" },
    { operation: "handoff", to: bob, summary: "The tests are missing." },
    { operation: "announce", message: "The main branch is frozen." },
  ]) {
    await house.call("covibe_coordination", args, mallory);
  }
}

/** The arguments whose words others read of her all the same: of what is the team's (ID25). */
const readable: Readonly<Record<string, readonly string[]>> = {
  template_list: ["name", "description"],
  "covibe_coordination summary": ["message"],
};

/** Her words in an answer that nobody but her should find there; those of the question are in the answer by right. */
function canariesTold(title: string, { text, asked }: { text: string; asked: string }): string[] {
  const known = canariesIn(asked);
  return canariesIn(text).filter((word) => !known.includes(word) && !readable[title]?.includes(word));
}

/** The owner administers accounts, and sees whose they are (ID15). */
const isAccount = ({ tool }: Target): boolean => /^(developer|token|device)_/.test(tool.name);

forEachStore("a private developer", (_open, kind) => {
  test("[ID22, ID24, ID25, TK32] no tool tells anyone else who she is or what she wrote, of her records or beside their own", async () => {
    const house = await openTestHouse(kind);
    const { caller: mallory } = await house.developer("mallory", whoSheIs);
    const { caller: bob } = await house.developer("bob");
    await leaveTraces(house, mallory);
    await turnTo(house, "bob", mallory);
    const told: unknown[] = [];
    const read = new Set<string>();
    // To be read by one and by the other: what is read stays as it is, and to make it may cost a repository.
    const hers = new Map<Input, Promise<Input>>();
    const fillAsHers = (input: Input): Promise<Input> => {
      const filled = hers.get(input) ?? new CanaryCaller(house, mallory, targets).fill(input);
      hers.set(input, filled);
      return filled;
    };
    const examples = new Map(targets.map((target) => [target, examplesOf(target)]));
    for (const [who, caller] of Object.entries({ bob, owner: house.owner })) {
      for (const target of targets) {
        if (who === "owner" && isAccount(target)) continue;
        const isRead = target.definition.effect === "read";
        for (const example of examples.get(target) ?? []) {
          for (const [whose, fill] of [
            ["theirs", fillFor(house, caller)],
            ...(isRead ? ([["hers", fillAsHers]] as const) : []),
          ] as const) {
            const args = await fill(example).catch(() => undefined);
            if (args === undefined) continue;
            const text = JSON.stringify(await house.reply(target.tool.name, args, caller));
            const found = [...marks, mallory.developerId].filter((mark) => text.includes(mark));
            const words = canariesTold(target.title, { text, asked: JSON.stringify(args) });
            if (found.length + words.length > 0) told.push({ who, what: target.title, whose, found, words, text });
            for (const word of canariesIn(text)) read.add(`${target.title} ${word}`);
          }
        }
      }
    }
    expect(told).toEqual([]);
    // What is allowed is really there: else the walk has gone blind, or the list is longer than it must be.
    const allowed = Object.entries(readable).flatMap(([title, words]) => words.map((word) => `${title} ${word}`));
    expect(allowed.filter((one) => !read.has(one))).toEqual([]);
  });
});

forEachStore("files that a private developer is at", (_open, kind) => {
  test("[GA14, ID22] are told to whoever means to change them, as nobody's and without a word of her work", async () => {
    const house = await openTestHouse(kind);
    const mallory = await (await newWorker(house, "mallory", whoSheIs)).inSession();
    const bob = await newWorker(house, "bob");
    const repo = "shop";
    await mallory.begin(`${wording} zebrafish`, {
      repo,
      branch: "hidden-branch",
      scope: "Hidden scope",
      description: "Hidden plans",
      action: "create",
      target_files: ["src/send.ts", "src/hers-alone.ts"],
    });
    const held = { repo, dirty_files: ["src/queue.ts", "src/hers-alone.ts"], unpushed_files: ["src/wait.ts"] };
    await mallory.call("covibe_session", { operation: "snapshot", branch: "hidden-branch", ...held });
    const claim = { operation: "claim", repo, paths: ["src/claimed/**"], exclusive: false };
    await mallory.call("covibe_coordination", claim);

    const files = ["src/send.ts", "src/queue.ts", "src/wait.ts", "src/claimed/a.ts"];
    const aim = { repo, action: "create", target_files: [...files, "src/mine.ts"] };
    const checked = await bob.check(wording, aim);
    const id = String(checked.data["check_id"]);
    const shown = { ...aim, check_id: id };
    const answers: Record<string, unknown> = {
      check: checked,
      "a start without a verdict": await bob.start(wording, shown),
      "the check again": await house.call("overlap_get", { id }, bob.caller),
      "open checks": await house.call("overlap_list", { everyone: true }, bob.caller),
      start: await bob.start(wording, { ...aim, ...judgeAll(checked) }),
      plan: await bob.plan(wording, aim),
      conflicts: await bob.call("covibe_coordination", { operation: "check_conflicts", repo, paths: files }),
      audit: await bob.call("covibe_team", { operation: "audit_parallel_work" }),
      state: await bob.call("covibe_team", { operation: "state" }),
      feedback: await bob.call("covibe_team", { operation: "feedback" }),
      inbox: await house.call("inbox", { everyone: true }, bob.caller),
    };

    const of = (source: string, ...shared: string[]) =>
      expect.objectContaining({ source, owner: "@private", same_developer: false, files: shared });
    const conflicts = [
      of("target", "src/send.ts"),
      of("dirty", "src/queue.ts"),
      of("unpushed", "src/wait.ts"),
      of("claim", "src/claimed/a.ts"),
    ];
    const candidate = { title: "@private", owner: "@private", file_overlap: ["src/send.ts"] };
    for (const what of ["check", "plan", "start"]) {
      const { file_conflicts } = (answers[what] as { data: { file_conflicts: { same_developer: boolean }[] } }).data;
      const others = file_conflicts.filter(({ same_developer }) => !same_developer);
      expect({ what, others: new Set(others) }).toEqual({ what, others: new Set(conflicts) });
    }
    expect(answers).toMatchObject({
      check: { data: { candidates: [candidate], matches: [candidate] } },
      "a start without a verdict": { data: { code: "VERDICT_REQUIRED", candidates: [candidate] } },
      "the check again": { others: [{ title: "@private", owner: "@private", shared_files: ["src/send.ts"] }] },
      audit: { data: { conflicts: [{ one: { title: expect.any(String) }, reasons: [] }] } },
    });

    const hers = [...marks, mallory.caller.developerId, "zebrafish", "Hidden", "hers-alone"];
    const told = Object.entries(answers).map(([what, answer]) => {
      const text = JSON.stringify(answer);
      return { what, found: hers.filter((mark) => text.includes(mark)) };
    });
    expect(told.filter(({ found }) => found.length > 0)).toEqual([]);
  });
});

forEachStore("a task of somebody else's that a private developer has in hand", (_open, kind) => {
  test("[ID22, AG19] is held by nobody in particular, wherever it is shown", async () => {
    const house = await openTestHouse(kind);
    const { caller: mallory } = await house.developer("mallory", whoSheIs);
    const bob = await newWorker(house, "bob");
    const task = await bob.begin(wording, { repo: "shop", target_files: ["src/send.ts"] });
    await house.call("task_claim", { task_id: task, agent_id: await house.agent("HiddenAgent", mallory) }, mallory);
    const { tasks } = await house.call<{ tasks: object[] }>("task_list", {}, bob.caller);
    expect(tasks).toMatchObject([{ id: task, holder: "@private", runtime: null, developer: "bob" }]);
    const cy = await newWorker(house, "cy");
    const checked = await cy.check("Paint the boat shed", { repo: "shop", target_files: ["src/send.ts"] });
    expect(checked.data["file_conflicts"]).toEqual([
      {
        source: "target",
        task_id: null,
        owner: "@private",
        same_developer: false,
        files: ["src/send.ts"],
        action: null,
      },
    ]);
    for (const answer of [tasks, checked]) {
      expect(marks.filter((mark) => JSON.stringify(answer).includes(mark))).toEqual([]);
    }
  });
});

/** What needs a program or a folder of hers is asked for by the tests of its own noun. */
const toolReads = routesOf(everyTool)
  .filter(isRead)
  .filter(({ tool }) => tool.examples.some(isAnybodys));

const titleOf = (path: string): string => toolReads.find(({ route }) => route.path === path)?.tool.name ?? path;

/** The addresses behind a route: those with an id are asked about a record of hers. */
async function addressesOf(server: OpenServer, route: string, mallory: Caller): Promise<string[]> {
  const read = toolReads.find((one) => one.route.path === route);
  const example = read?.tool.examples.find(isAnybodys)?.input;
  const hers = new CanaryCaller(server.house, mallory, targets);
  const named = async (key: string) => String((await hers.fill(example ?? {}))[key]);
  if (route === "/api/find")
    return [bird, ...marks].map((word) => `${route}?text=${encodeURIComponent(word)}&limit=50`);
  if (route === "/api/messages") return [route, `${route}?agent_id=${await named("agent_id")}`];
  if (!route.includes(":")) return [route, `${route}?limit=1000`, `${route}?everyone=true`];
  return read?.route.key === undefined ? [] : [route.replace(":id", await named(read.route.key))];
}

/** What a route that never ends says first. */
async function listenTo(server: OpenServer, path: string, token: string): Promise<string> {
  const heard = new AbortController();
  const { body } = await fetch(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: heard.signal,
  });
  const first = await body?.getReader().read();
  heard.abort();
  return new TextDecoder().decode(first?.value as Uint8Array);
}

test("[ID22, ID24] no route and no live event tells it either, and she herself sees it all", async () => {
  const server = await openServer();
  const { caller: mallory, token: hers } = await server.house.developer("mallory", whoSheIs);
  const { token: his, caller: bob } = await server.house.developer("bob");
  const [followed, own] = [await LiveClient.open(server, {}, his), await LiveClient.open(server, {}, hers)];
  await leaveTraces(server.house, mallory);
  await turnTo(server.house, "bob", mallory);
  const routes = server.routes.filter((route) => route.startsWith("GET ")).map((route) => route.slice(4));
  const reached = new Set<string>();
  const seen = new Set<string>();
  const told: unknown[] = [];
  for (const route of routes.filter((path) => !path.includes("*") && !path.endsWith("/stream"))) {
    for (const address of await addressesOf(server, route, mallory)) {
      const mine = await ask(server, "GET", address, { token: hers });
      if (mine.status === 200) reached.add(route);
      for (const mark of marks.filter((mark) => mine.text.includes(mark))) seen.add(mark);
      const { text } = await ask(server, "GET", address, { token: his });
      const found = marks.filter((mark) => text.includes(mark));
      const words = canariesTold(titleOf(route), { text, asked: "" });
      if (found.length + words.length > 0) told.push({ address, found, words, text });
    }
  }
  const status = await listenTo(server, "/status/stream", his);
  expect(status).toContain("data:");
  expect([...marks.filter((mark) => status.includes(mark)), ...canariesIn(status)]).toEqual([]);
  const last = await server.house.agent("Latecomer", bob);
  for (const client of [followed, own]) await client.until(({ subject }) => subject === last);
  const live = JSON.stringify(followed.heard);
  expect([...marks.filter((mark) => live.includes(mark)), ...canariesIn(live)]).toEqual([]);
  expect(canariesIn(JSON.stringify(own.heard))).toContain("title");
  expect(told).toEqual([]);
  expect(toolReads.map(({ route }) => route.path).filter((path) => !reached.has(path))).toEqual([]);
  // Names and addresses are not shown by any of these routes, not even to their owner.
  expect(["mallory", "HiddenAgent", "hidden-branch", "hidden-model"].filter((mark) => !seen.has(mark))).toEqual([]);
});

forEachStore("what a private developer writes about work of others", (_open, kind) => {
  test("[ID28] is read by the work's owner and whoever has it in hand, and by nobody else", async () => {
    const house = await openTestHouse(kind);
    const { caller: mallory } = await house.developer("mallory", whoSheIs);
    const { caller: bob } = await house.developer("bob");
    const { caller: carol } = await house.developer("carol");
    const pier = await planned(house, [{ name: "Drive the piles" }], {}, bob);
    const task_id = pier.task("Drive the piles");
    const agent_id = await house.agent("HiddenAgent", mallory);
    await house.call("task_claim", { task_id, agent_id }, mallory);
    const words = (key: string) => `${bird}-${key}`;
    const files_changed = [`src/${words("files")}.ts`];
    await house.call(
      "checkpoint_add",
      { task_id, type: "decision", summary: words("summary"), files_changed },
      mallory,
    );
    const error = { task_id, type: "error", summary: words("error"), detail: { a: words("details") } };
    await house.call("checkpoint_add", error, mallory);
    // So much else that what she wrote does not fit into the pack, and is listed as missing.
    const plan = { approach: "Briefly", steps: Array.from({ length: 30 }, (_, at) => `Drive pile number ${at}`) };
    await house.call("task_set_plan", { id: task_id, plan }, mallory);
    await house.call("task_load_context", { task_id, max_tokens: 160 }, mallory);
    // What a reading call has measured is written behind its answer (LG21).
    await house.house.usage.flush();
    const reads: readonly (readonly [string, Record<string, unknown>])[] = [
      ["recovery_list", { task_id }],
      ["note_list", { workflow_id: pier.id }],
      ["checkpoint_list", { task_id }],
      ["task_get", { id: task_id, include_checkpoints: true }],
      ["task_load_context", { task_id }],
      ["workflow_get_summary", { id: pier.id }],
      ["content_find", { text: bird }],
      ["search", { mode: "records", query: bird }],
    ];
    const told = async (caller: Caller) => {
      const found: Record<string, string[]> = {};
      for (const [tool, args] of reads) {
        const reply = await house.reply(tool, args, caller);
        expect({ tool, ok: reply.ok }).toEqual({ tool, ok: true });
        found[tool] = canariesIn(JSON.stringify(reply)).sort();
      }
      return found;
    };
    for (const stranger of [carol, house.owner]) {
      expect(await told(stranger)).toEqual(Object.fromEntries(reads.map(([tool]) => [tool, []])));
    }
    expect(await told(bob)).toMatchObject({ checkpoint_list: expect.arrayContaining(["summary", "error", "files"]) });
    expect(await told(mallory)).toMatchObject({
      task_load_context: expect.arrayContaining(["summary"]),
      recovery_list: ["files", "summary"],
    });
  });
});
