import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import {
  createHome,
  crewdeck,
  crewdeckJson,
  endProcess,
  ensureBuilt,
  openHome,
  programFile,
  type TestHome,
} from "./program.ts";

beforeAll(ensureBuilt);

const { home, close } = createHome();
afterAll(close);

const call = (tool: string, input: object) =>
  crewdeckJson<{ data: Record<string, string> }>(home, "call", tool, "--input", JSON.stringify(input));

const title = "Add pagination to the orders list endpoint";

/** Ids, times and ages differ from run to run. */
const steady = (text: string): string =>
  text
    .replace(/\b(ag|tk|wf|cp|msg|chk|rep)_[0-9a-z]{26}\b/g, "$1_ID")
    .replace(/\d+ (s|min) ago|just now/g, "AGO")
    .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, "DATE");

const shown = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await crewdeck(home, args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return steady(stdout);
};

test("[CL61, CL62] a new team has an empty inbox and no summary", async () => {
  expect(await shown("inbox")).toBe("Nothing needs you.\n");
  expect(await shown("inbox", "--everyone")).toBe("Nothing needs anyone.\n");
  expect(await crewdeckJson(home, "inbox")).toEqual({ items: [] });
  expect(await shown("summary", "--last")).toBe("No summary yet. Generate one with: crewdeck summary --new\n");
  expect(await crewdeckJson(home, "summary", "--last")).toEqual({ summary: null });
});

test("[CL60, CL61, CL62, CL63] the team at a glance, what waits and the week, as text and as JSON", async () => {
  await crewdeckJson(home, "developer", "create", "grace");
  const { data: session } = await call("covibe_session", { operation: "start", agent_name: "Ada\u001b[31m" });
  const about = { title, task_type: "feature", session_id: session["session_id"] };
  await call("covibe_task", { operation: "check", ...about });
  const { data: task } = await call("covibe_task", { operation: "start", ...about });
  await call("covibe_note", { kind: "decision", text: "Ids, not offsets.", task_id: task["task_id"] });
  const { data: blocker } = await call("covibe_note", {
    kind: "blocker",
    text: "No access\u001b[2J to the database.",
    task_id: task["task_id"],
  });
  await call("covibe_coordination", { operation: "ask", to: "grace", question: "Which port?" });

  expect((await shown("status")).split("\n").slice(4)).toEqual([
    "Work      1 active, 0 planned, 0 completed in 14 days",
    "Sessions  1 active, 0 stale (no signal for 30 min)",
    "Inbox     1 item for you: crewdeck inbox",
    "",
    expect.stringContaining(title),
    "",
  ]);
  expect((await crewdeckJson(home, "status"))["team"]).toEqual({
    under_way: 1,
    planned: 0,
    completed: 0,
    sessions: 1,
    stale_sessions: 0,
    overlap_warnings: 0,
    inbox: 1,
    work: [
      {
        id: task["task_id"],
        title,
        status: "active",
        developer: await handle(),
        updated_at: expect.stringMatching(/Z$/),
      },
    ],
  });

  expect(await shown("inbox")).toBe(
    "1 item needs you.\n\n1.  Issue: No access[2J to the database. (AGO)\n    crewdeck issue resolve cp_ID\n",
  );
  expect(await shown("inbox", "--everyone")).toBe(
    `2 items need someone.

1.  Question: Which port? (from ${await handle()}, for grace, AGO)
    crewdeck call covibe_coordination --operation reply --ask-id msg_ID --answer TEXT

2.  Issue: No access[2J to the database. (for ${await handle()}, AGO)
    crewdeck issue resolve cp_ID
`,
  );
  expect(await crewdeckJson(home, "inbox")).toEqual({
    items: [
      {
        kind: "issue",
        id: blocker["note_id"],
        title: "No access\u001b[2J to the database.",
        developer: await handle(),
        from: null,
        agent_id: null,
        agent: null,
        action: `crewdeck issue resolve ${blocker["note_id"]}`,
        since: expect.stringMatching(/Z$/),
      },
    ],
  });

  const who = await handle();
  const week = `# Week from DATE to DATE

## Completed work (0)

None.

## Active work (1)

- ${title} (${who})

## Planned work (0)

None.

## Blockers (1)

- No access\\[2J to the database. (${who})

## Decisions (1)

- Ids, not offsets. (${who})

## Overlap warnings (0)

None.

## Parallel audits (0)

None.

## Agent sessions (1)

- Ada\\[31m (${who}, active), last seen DATE
`;
  expect(await shown("summary", "--new")).toBe(week);
  expect(await shown("summary")).toBe(week);
  const { summary } = await crewdeckJson<{ summary: Record<string, unknown> }>(home, "summary", "--last");
  expect(Object.keys(summary)).toEqual(["summary_id", "developer", "since", "until", "sections", "markdown"]);
});

const handle = async (): Promise<string> =>
  (await crewdeckJson<{ developers: { handle: string; role: string }[] }>(home, "developer", "list")).developers.find(
    ({ role }) => role === "owner",
  )?.handle ?? "";

/** Follows a command that goes on by itself; answers what it has said so far. */
function follow(at: TestHome, ...args: string[]): () => string {
  const child = spawn(process.execPath, [programFile, ...args], { env: at.env, stdio: "pipe" });
  onTestFinished(() => endProcess(child.pid ?? 0));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return () => said;
}

test("[CL63] inbox --watch shows what comes", async () => {
  const own = openHome();
  await crewdeckJson(own, "developer", "list");
  const said = follow(own, "inbox", "--watch");
  await until(() => said().includes("Nothing needs you."));
  const handle = (await crewdeckJson<{ developers: { handle: string }[] }>(own, "developer", "list")).developers[0]
    ?.handle;
  const input = JSON.stringify({ operation: "ask", to: handle, question: "Which port?" });
  await crewdeckJson(own, "call", "covibe_coordination", "--input", input);
  await until(() => said().includes("Question: Which port?"));
});

test("[CL63] next --watch and board --watch show what comes", async () => {
  const own = openHome();
  await crewdeckJson(own, "developer", "list");
  const next = follow(own, "next", "--watch", "--json");
  const board = follow(own, "board", "--watch");
  await until(() => next().includes('{"task":null}') && board() !== "");
  const create = ["workflow_create", "--name", "Login", "--source-type", "prompt", "--source-content", "c"];
  const { id } = await crewdeckJson<{ id: string }>(own, "call", ...create);
  const plan = { summary: "s", approach: "a", tasks: [{ name: "Write the form", description: "", sequence: 1 }] };
  await crewdeckJson(own, "call", "workflow_set_plan", "--input", JSON.stringify({ id, plan }));
  await until(() => next().includes("Write the form") && board().includes("Write the form"));
});

test("[CL62, CL63] summary --new --watch writes once and shows what is written later; --watch alone only reads", async () => {
  const own = openHome();
  const reading = follow(own, "summary", "--watch");
  await until(() => reading().includes("No summary yet."));
  const writing = follow(own, "summary", "--new", "--watch", "--json");
  const written = () =>
    writing()
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { summary: { summary_id: string } }).summary.summary_id);
  await until(() => written().length === 1);
  await until(() => reading().includes("## Decisions (0)"));
  await crewdeckJson(own, "call", "covibe_note", "--kind", "decision", "--text", "Ids, not offsets.");
  const { summary } = await crewdeckJson<{ summary: { summary_id: string } }>(own, "summary", "--new");
  await until(() => written().length > 1);
  await until(() => reading().includes("## Decisions (1)"));
  expect(written()).toEqual([expect.stringMatching(/^rep_/), summary.summary_id]);
  const { stdout } = await crewdeck(own, ["log", "--kind", "weekly_summary.generated", "--json"]);
  expect(stdout.trim().split("\n")).toHaveLength(2);
});

test("[CL44] log shows the end of a long ledger, oldest first, however much lies before it", async () => {
  const own = openHome();
  const register = (name: string) => crewdeckJson(own, "call", "agent_register", "--name", name, "--runtime", "codex");
  await register("First");
  await register("Second");
  await register("Third");
  const names = async (...args: string[]) =>
    (await crewdeck(own, ["log", "--json", ...args])).stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { data: { name?: string } }).data.name);
  expect(await names("--limit", "2")).toEqual(["Second", "Third"]);
  expect(await names("--limit", "5000", "--kind", "agent.registered")).toEqual(["First", "Second", "Third"]);
  expect(await names("--limit", "0")).toEqual([]);
});
