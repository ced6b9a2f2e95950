import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UsageReader } from "../../src/adapters/launcher/usage.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import { tellInstance } from "../../src/domain/instance/launch-operations.ts";
import { transactAsSystem } from "../../src/engine/system-work.ts";
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
    const { house, sweep } = await openLaunchedHouse(kind, { quietMs: 60_000 });
    const id = await start(house);
    await house.house.errands.settle();
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
      writeFileSync(join(dataDir, "agents", id, "output.log"), `${JSON.stringify(line)}\n`);
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

test("[IN19] an agent that asks a question in its terminal is marked, not typed to, and told once it goes on", async () => {
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

test("[IN21] what programs say they use is counted once for each answer", () => {
  const folder = makeFolder();
  const before = process.env["CLAUDE_CONFIG_DIR"];
  process.env["CLAUDE_CONFIG_DIR"] = folder;
  try {
    const conversation = "c0ffee";
    const file = join(folder, "projects", "-w-t", `${conversation}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const usage = { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 40 };
    const line = (id: string, more: object) =>
      JSON.stringify({ type: "assistant", requestId: "r", message: { id, usage: { ...usage, ...more } } });
    writeFileSync(file, [line("a", {}), line("a", {}), line("b", { output_tokens: 41 }), "{half"].join("\n"));
    const ask = { path: "/w/t", conversation, logFile: join(folder, "none.log") };
    const reader = new UsageReader();
    expect(reader.read({ ...ask, program: "claude" })).toEqual({ tokens: 201, dollars: null });
    const log = join(folder, "out.log");
    const result = { type: "result", total_cost_usd: 0.5, usage: { ...usage, output_tokens: 400 } };
    writeFileSync(log, `${JSON.stringify(result)}\n`);
    expect(reader.read({ ...ask, program: "claude", logFile: log })).toEqual({ tokens: 460, dollars: 0.5 });
    const codex = [900, 2_000].map((input_tokens) =>
      JSON.stringify({ type: "turn.completed", usage: { input_tokens, output_tokens: 100 } }),
    );
    writeFileSync(log, codex.join("\n"));
    expect(reader.read({ ...ask, program: "codex", logFile: log })).toEqual({ tokens: 2_100, dollars: null });
    const step = { type: "step_finish", part: { cost: 0.25, tokens: { input: 1, output: 2, cache: { read: 3 } } } };
    writeFileSync(log, `${JSON.stringify(step)}\n${JSON.stringify(step)}\n`);
    expect(reader.read({ ...ask, program: "opencode", logFile: log })).toEqual({ tokens: 12, dollars: 0.5 });
    expect(reader.read({ ...ask, program: "other", logFile: log })).toBe(undefined);
  } finally {
    if (before === undefined) delete process.env["CLAUDE_CONFIG_DIR"];
    else process.env["CLAUDE_CONFIG_DIR"] = before;
  }
});
