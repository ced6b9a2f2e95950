import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UsageReader } from "../../src/adapters/launcher/usage.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import { tellInstance } from "../../src/domain/instance/launch-operations.ts";
import type { Instance, Used } from "../../src/domain/instance/model.ts";
import { decideAttention, mostUsed, overBudget } from "../../src/domain/instance/rules.ts";
import { transactAsSystem } from "../../src/engine/system-work.ts";
import { countLinesWith } from "../../src/main/count-lines.ts";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { makeFolder } from "../git/scratch.ts";
import { callIn, makeWork, openLaunchedHouse, readInstance } from "./launched-house.ts";

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly title: string | null;
  readonly action: string;
}

const inbox = async (house: TestHouse): Promise<Item[]> => (await house.call<{ items: Item[] }>("inbox")).items;

const start = async (house: TestHouse, more: object = {}): Promise<string> =>
  (await house.call<{ id: string }>("instance_start", { path: makeWork().path, prompt: "x", agent: "idle", ...more }))
    .id;

forEachStore("an agent that a person should look at", (_open, kind) => {
  test("[IN20] is said to be silent after a while, in its record, the ledger and the inbox, until it calls", async () => {
    const { house, sweep, dataDir } = await openLaunchedHouse(kind, { quietMs: 60_000 });
    const id = await start(house);
    await house.house.errands.settle();
    // A program is known to have started a moment before its log is there, by which silence is told.
    await until(() => existsSync(join(dataDir, "agents", id, "output.log")));
    await sweep();
    expect(await inbox(house)).toEqual([]);
    // What a program puts out has the time of the machine, which may be late in starting it.
    house.clock.advance(10 * 60_000);
    await sweep();
    const title = expect.stringMatching(/^No output and no call for (9|10) min\.$/);
    expect(await inbox(house)).toMatchObject([{ kind: "agent_waiting", id, title }]);
    const { instances } = await house.call<{ instances: object[] }>("instance_list");
    expect(instances).toMatchObject([{ id, status: "started", attention: { kind: "silent" } }]);
    const told = (await house.entries()).filter((entry) => entry.kind === "instance.attentionChanged");
    expect(told.map(({ data }) => data["kind"])).toEqual(["silent"]);
  });

  test("[IN22, RV7] is said to have ended at once, to the coder and in the inbox, with what to do", async () => {
    const program = { command: ["false"], prompt: "file", mode: "headless", env: {} } as const;
    const { house, sweep } = await openLaunchedHouse(kind, { program });
    const { path } = makeWork();
    const reply = await callIn(house, "request_review", {}, path);
    const { review_instance_id: id } = (reply as { value: { review_instance_id: string } }).value;
    await until(async () => {
      await sweep();
      return (await readInstance(house, id)).status === "terminated";
    });
    const { endReason, parentId } = await readInstance(house, id);
    expect(endReason).toMatch(/^Its program ended with code 1 \d+ s after its start, without a call\.$/);
    const [item] = await inbox(house);
    expect(item).toMatchObject({ kind: "agent_failed", id, title: endReason });
    expect(item?.action).toContain(`crewdeck agent log ${id}`);
    const { messages } = await house.call<{ messages: { body: string }[] }>("message_list", { agent_id: parentId });
    expect(messages[0]?.body).toContain("without a call");
  });

  test("[IN21] is stopped with the figures once it has used more than its budget", async () => {
    const { house, sweep, dataDir } = await openLaunchedHouse(kind, {
      name: "codex",
      budget: { tokens: 1_000, dollars: null },
    });
    const id = await start(house, { agent: "codex", budget_tokens: 2_000 });
    await house.house.errands.settle();
    const say = (input_tokens: number): void => {
      const line = { type: "turn.completed", usage: { input_tokens, output_tokens: 200 } };
      appendFileSync(join(dataDir, "agents", id, "output.log"), `${JSON.stringify(line)}\n`);
    };
    say(1_700);
    await sweep();
    expect(await readInstance(house, id)).toMatchObject({ status: "started", run: { used: { tokens: 1_900 } } });
    say(11_900);
    await sweep();
    const reason = "It used 12,100 tokens; its budget is 2,000.";
    expect(await readInstance(house, id)).toMatchObject({ status: "terminated", endReason: reason });
    expect(await inbox(house)).toMatchObject([{ kind: "agent_failed", id, title: reason }]);
  });
});

test("[IN19, IN29] an agent that asks a question in its terminal is marked, not typed to, and told once it goes on", async () => {
  const asks = `
    process.stdout.write("Do you want to proceed?\\n");
    process.stdin.once("data", () => console.clear() ?? process.stdout.write("\\n".repeat(60)));
    setInterval(() => undefined, 1000);`;
  const program = { command: [process.execPath, "-e", asks], prompt: "file", mode: "tmux", env: {} } as const;
  const { house, sweep, launcher } = await openLaunchedHouse("sqlite", { program });
  onTestFinished(async () => void (await launcher.tmux.run(["kill-server"], { mayFail: true })));
  const id = await start(house);
  const attention = async () => {
    await sweep();
    await house.house.errands.settle();
    return (await readInstance(house, id)).run?.attention?.kind ?? null;
  };
  await until(async () => (await attention()) === "permission");
  const { store, sources, errands } = house.house;
  await transactAsSystem(store, sources, (work) => tellInstance(work, InstanceId.parse(id), "change this"));
  errands.poke();
  await errands.settle();
  expect((await readInstance(house, id)).run?.words).toBe("change this");
  expect(await launcher.tmux.screen(id)).not.toContain("change this");
  await launcher.tmux.run(["send-keys", "-t", `=${id}:`, "y", "Enter"]);
  await until(async () => (await attention()) === null && (await readInstance(house, id)).run?.words === null);
  await until(async () => ((await launcher.tmux.screen(id)) ?? "").includes("change this"));
  expect((await readInstance(house, id)).run?.told).toMatchObject([{ turn: 1, text: "change this" }]);
});

test("[RV21, PR12] all rounds used and pull requests to decide are in the inbox, until a person acts", async () => {
  const { house } = await openLaunchedHouse("sqlite", { limits: { maxIterations: 1 } });
  const work = makeWork();
  const { callerOf } = await import("./launched-house.ts");
  const reply = await callIn(house, "request_review", {}, work.path);
  const { review_instance_id: reviewer } = (reply as { value: { review_instance_id: string } }).value;
  const as = await callerOf(house, reviewer);
  await callIn(house, "send_feedback", { feedback: "No.", feedback_type: "needs_work" }, work.path, as);
  const coder = (await readInstance(house, reviewer)).parentId ?? "";
  expect(await inbox(house)).toMatchObject([{ kind: "review_limit", id: coder }]);
  await house.call("review_grant", { id: coder });
  expect(await inbox(house)).toEqual([]);
  const opened = await callIn(house, "create_pull_request", { title: "Change a", description: "d" }, work.path);
  expect("failure" in opened ? opened.failure : opened.value).toMatchObject({ pr_number: 1 });
  expect(await inbox(house)).toMatchObject([{ kind: "pull_request", id: "1", title: "Change a" }]);
  await house.call("pull_close", { number: 1 });
  expect(await inbox(house)).toEqual([]);
});

forEachStore("what people ask for on a pull request", (_open, kind) => {
  test("[PR28, PR10] is open for its agent under names of its own until a later round or the merge finds it done", async () => {
    const { house } = await openLaunchedHouse(kind);
    const work = makeWork();
    expect(
      await callIn(house, "create_pull_request", { title: "Change a", description: "d" }, work.path),
    ).toMatchObject({
      ok: true,
    });
    const { instances } = await house.call<{ instances: { id: string }[] }>("instance_list");
    const id = instances[0]?.id ?? "";
    const open = async () => {
      const { open_items } = await house.call<{ open_items: object[] }>("instance_get", { id });
      return open_items;
    };
    await house.call("pull_comment", { number: 1, body: "Why?", path: "a.txt", line: 1 });
    await house.call("pull_comment", { number: 1, body: "Document it." });
    expect(await open()).toEqual([]);
    await house.call("pull_send_back", { number: 1 });
    expect(await open()).toEqual([
      { item_id: "1.1", description: "Why?", location: "a.txt:1", status: "open", done_in_round: null },
      { item_id: "1.2", description: "Document it.", status: "open", done_in_round: null },
    ]);
    await house.call("pull_comment", { number: 1, body: "Better, but test it." });
    const wrong = await house.reply("pull_send_back", { number: 1, resolved_items: ["1.1", "2.1"] });
    expect(wrong).toMatchObject({ ok: false, failure: { code: "INVALID_INPUT", open_items: ["1.1", "1.2"] } });
    await house.call("pull_send_back", { number: 1, resolved_items: ["1.1"] });
    expect(await open()).toMatchObject([{ item_id: "1.2" }, { item_id: "2.1", description: "Better, but test it." }]);
    const { messages } = await house.call<{ messages: { body: string }[] }>("message_list", { agent_id: id });
    expect(messages[0]?.body).toContain("- 2.1 Better, but test it.\n\nStill open from before:\n\n- 1.2 Document it.");
    expect(await house.call("pull_get", { number: 1 })).toMatchObject({
      comments: [
        { item_id: "1.1", done: true },
        { item_id: "1.2", done: false },
        { item_id: "2.1", done: false },
      ],
    });
    await house.call("pull_merge", { number: 1 });
    expect(await open()).toEqual([]);
  });
});

forEachStore("what an agent uses", (_open, kind) => {
  test("[IN26, IN27] is in its record without a budget; one that nothing counts is refused, or said to be in vain", async () => {
    const { house, sweep, dataDir } = await openLaunchedHouse(kind, { name: "codex" });
    const id = await start(house, { agent: "codex" });
    await house.house.errands.settle();
    const turn = { type: "turn.completed", usage: { input_tokens: 700, output_tokens: 200 } };
    appendFileSync(join(dataDir, "agents", id, "output.log"), `${JSON.stringify(turn)}\n`);
    await sweep();
    expect(await house.call("instance_get", { id })).toMatchObject({
      used: { tokens: 900, usd: null },
      attention: null,
    });

    const bound = await openLaunchedHouse(kind, { budget: { tokens: null, dollars: 1 } });
    const ask = { path: makeWork().path, prompt: "x", agent: "idle", budget_usd: 1 };
    expect(await bound.house.reply("instance_start", ask)).toMatchObject({ failure: { code: "INVALID_INPUT" } });
    const other = await start(bound.house);
    await bound.house.house.errands.settle();
    await bound.sweep();
    expect(await inbox(bound.house)).toMatchObject([
      { kind: "agent_waiting", id: other, title: expect.stringContaining("no effect") },
    ]);
  });
});

test("[IN21, IN27] a budget in dollars counts what a model's price says; without a price it is said to be in vain", () => {
  const budget = { tokens: null, dollars: 2 };
  const run = { budget } as Instance["run"];
  const decide = (used: Used) =>
    decideAttention(
      { status: "started", run } as Instance,
      { used, isCounted: true },
      { calledAt: 0, quietMs: 1, now: 0 },
    );
  expect(overBudget(budget, { tokens: 9, dollars: 2.5 })).toContain("$2.50");
  expect(decide({ tokens: 9, dollars: 1 })).toBe(null);
  expect(decide({ tokens: 9, dollars: null })).toMatchObject({ kind: "uncounted" });
  expect(mostUsed({ tokens: 9, dollars: 1 }, { tokens: 2, dollars: 1 })).toEqual({ tokens: 9, dollars: 1 });
});

const prices = [
  { model: "m", input: 1_000_000, output: 0, cacheRead: 0, cacheCreation: 0, longCacheCreation: 0 },
  { model: "out", input: 0, output: 1_000_000, cacheRead: 0, cacheCreation: 0, longCacheCreation: 0 },
];

const jsonl = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

function write(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const conversation = "c0ffee00-0000-4000-a000-000000000000";

function readUsage(folder: string, program: string, logFile = join(folder, "none.log")) {
  const env = { CLAUDE_CONFIG_DIR: folder, CODEX_HOME: folder, GEMINI_CLI_HOME: folder };
  const reader = new UsageReader(countLinesWith(prices));
  const id = InstanceId.parse("work-00000000");
  return () => reader.read({ id, program, mode: "tmux", path: "/w/t", conversation, logFile, env });
}

test("[IN21] Claude Code is counted once for each answer, with its sub-agents, and priced", () => {
  const folder = makeFolder();
  const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 40 };
  const line = (id: string, more: object) => ({
    type: "assistant",
    requestId: "r",
    message: { id, model: "m", usage: { ...usage, ...more } },
  });
  const file = write(folder, `projects/-w-t/${conversation}.jsonl`, jsonl(line("a", {}), line("a", {})));
  const read = readUsage(folder, "claude");
  expect(read()).toEqual({ tokens: 91, dollars: 1 });
  appendFileSync(file, `${jsonl(line("b", { output_tokens: 41 }))}{half`);
  expect(read()).toEqual({ tokens: 183, dollars: 2 });
  write(folder, `projects/-w-t/${conversation}/subagents/agent-1.jsonl`, jsonl(line("c", {})));
  expect(read()).toEqual({ tokens: 274, dollars: 3 });
  expect(read()).toEqual({ tokens: 274, dollars: 3 });
  const log = write(
    folder,
    "out.log",
    jsonl({ type: "result", total_cost_usd: 0.5, usage: { ...usage, output_tokens: 4_000 } }),
  );
  expect(readUsage(folder, "claude", log)()).toEqual({ tokens: 4_051, dollars: 0.5 });
});

test("[IN21] Codex is counted by the records of its work tree alone, in a terminal too", () => {
  const folder = makeFolder();
  const record = (cwd: string, id: string, model: string) =>
    jsonl(
      { type: "session_meta", payload: { id: "t", cwd } },
      { type: "turn_context", payload: { model } },
      {
        type: "token_usage_record",
        payload: { response_id: id, usage: { input_tokens: 4, cached_input_tokens: 1, output_tokens: 2 } },
      },
    );
  write(folder, "sessions/2026/11/18/rollout-1.jsonl", record("/w/t", "resp_1", "m"));
  write(folder, "sessions/2026/11/19/rollout-2.jsonl", record("/w/other", "resp_2", "m"));
  // A fork repeats what its parent has used.
  write(folder, "sessions/2026/11/19/rollout-3.jsonl", record("/w/t", "resp_1", "m"));
  const read = readUsage(folder, "codex");
  expect(read()).toEqual({ tokens: 6, dollars: 3 });
  write(folder, "sessions/2026/11/20/rollout-4.jsonl", record("/w/t", "resp_4", "unheard-of"));
  expect(read()).toEqual({ tokens: 12, dollars: null });
  const log = write(
    folder,
    "out.log",
    jsonl(...[900, 2_000].map((n) => ({ type: "turn.completed", usage: { input_tokens: n, output_tokens: 100 } }))),
  );
  expect(readUsage(folder, "codex", log)()).toEqual({ tokens: 2_100, dollars: null });
});

test("[IN21] Gemini CLI is counted by its record of the conversation, opencode by its log", () => {
  const folder = makeFolder();
  const message = (id: string, output: number) => ({
    id,
    type: "gemini",
    model: "out",
    tokens: { input: 10, output, cached: 4, thoughts: 1 },
  });
  const chat = `.gemini/tmp/shop/chats/session-2026-11-19T10-00-c0ffee00.jsonl`;
  const file = write(folder, chat, jsonl(message("a", 1), message("a", 2)));
  write(folder, chat.replace("c0ffee00", "00000000"), jsonl(message("z", 9)));
  const read = readUsage(folder, "gemini");
  expect(read()).toEqual({ tokens: 13, dollars: 3 });
  appendFileSync(file, jsonl(message("b", 3)));
  expect(read()).toEqual({ tokens: 27, dollars: 7 });
  const step = { type: "step_finish", part: { cost: 0.25, tokens: { input: 1, output: 2, cache: { read: 3 } } } };
  const log = write(folder, "out.log", jsonl(step, step));
  expect(readUsage(folder, "opencode", log)()).toEqual({ tokens: 12, dollars: 0.5 });
  expect(readUsage(folder, "other", log)()).toBe(undefined);
});
