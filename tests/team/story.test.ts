import { beforeAll, expect, test } from "vitest";
import { BridgeProcess } from "../bridge/bridge-process.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, type TestHome } from "../cli/program.ts";
import type { Answer } from "./coordination-scene.ts";

beforeAll(ensureBuilt);

type Args = Record<string, unknown>;

const repo = "acme/shop";
const planned = "Retry failed webhook deliveries with exponential backoff";
const reworded = "Webhook deliveries that failed are retried, with exponential backoff";

/** A developer's agent in a process of its own, speaking MCP over stdio with that developer's token. */
class Client {
  readonly bridge: BridgeProcess;
  sessionId = "";

  constructor(home: TestHome, token: string) {
    this.bridge = new BridgeProcess({ ...home, env: { ...home.env, COVIBE_MCP_TOKEN: token } });
  }

  async begin(agent_name: string): Promise<this> {
    await this.bridge.initialize();
    const { data } = await this.call("covibe_session", { operation: "start", agent_name, repo, branch: "main" });
    this.sessionId = String(data["session_id"]);
    return this;
  }

  /** Goes on with a session that an earlier process of the same developer began. */
  async resume(sessionId: string): Promise<this> {
    await this.bridge.initialize();
    this.sessionId = sessionId;
    return this;
  }

  async call(tool: string, args: Args): Promise<Answer> {
    const named = this.sessionId === "" ? args : { session_id: this.sessionId, ...args };
    const { result } = (await this.bridge.call(tool, named)) as { result?: { structuredContent?: Answer } };
    if (!result?.structuredContent) throw new Error(`${tool}: ${JSON.stringify(result)}`);
    return result.structuredContent;
  }

  task(operation: string, args: Args): Promise<Answer> {
    return this.call("covibe_task", { operation, ...args });
  }

  agree(operation: string, args: Args = {}): Promise<Answer> {
    return this.call("covibe_coordination", { operation, ...args });
  }
}

/** The same verdict about everything a check or a blocked start has named. */
const judge = ({ data }: Answer, verdict: string, reason: string): Args => ({
  check_id: data["check_id"],
  scope_verdict: (data["candidates"] as { id: string }[]).map(({ id }) => ({ candidate_id: id, verdict, reason })),
});

async function openTeam(home: TestHome): Promise<Record<"ada" | "bob" | "cy", string>> {
  const tokens: Record<string, string> = {};
  for (const handle of ["ada", "bob", "cy"]) {
    await crewdeckJson(home, "developer", "create", handle);
    tokens[handle] = (
      await crewdeckJson<{ token: string }>(home, "token", "create", "--developer", handle, "--agent-type", "codex")
    ).token;
  }
  return tokens as Record<"ada" | "bob" | "cy", string>;
}

test("[CR18] three developers plan, meet, judge, claim, ask, hand over and lose a process; the week tells it all", async () => {
  const home = openHome();
  const tokens = await openTeam(home);
  const [ada, bob, cy] = await Promise.all([
    new Client(home, tokens.ada).begin("Ada's agent"),
    new Client(home, tokens.bob).begin("Bob's agent"),
    new Client(home, tokens.cy).begin("Cy's agent"),
  ]);

  // Ada plans; what Bob wants, in other words, is the same until he has judged it.
  const plan = await ada.task("plan", {
    title: planned,
    task_type: "feature",
    scope: "The delivery worker",
    target_files: ["src/webhooks/retry.ts"],
  });
  expect(plan.status).toBe("ok");
  const task_id = String(plan.data["task_id"]);
  const wish = { title: reworded, task_type: "feature" };
  const check = await bob.task("check", wish);
  expect(check).toMatchObject({
    status: "warning",
    data: { requires_verdict: true, candidates: [{ id: task_id, owner: "ada", status: "planned" }] },
  });
  const blocked = await bob.task("start", { ...wish, check_id: check.data["check_id"] });
  expect(blocked).toMatchObject({ status: "blocked", data: { code: "VERDICT_REQUIRED" } });
  const differently = judge(check, "different_scope", "Mine is about the mail gateway, not the worker.");
  const his = await bob.task("start", { ...wish, ...differently });
  expect(his.status).toBe("ok");

  // Ada begins what she planned: by now Bob's work is in her way, and she judges it too.
  const hers = await ada.task("check", { title: planned, task_type: "feature", planned_task_id: task_id });
  expect(hers).toMatchObject({ data: { requires_verdict: true, candidates: [{ title: reworded, owner: "bob" }] } });
  const shared = judge(hers, "partial", "His is the gateway; we share the delay table.");
  const start = await ada.task("start_planned", { task_id, ...shared });
  expect(start.status).toBe("ok");

  // Both want the same file. Bob is told by whom it is held, Ada that he wants it.
  const claim = await ada.agree("claim", { repo, paths: ["src/webhooks/**"], task_id });
  expect(claim).toMatchObject({ status: "ok", data: { fence: 1 } });
  expect(await bob.agree("claim", { repo, paths: ["src/*/retry.ts"] })).toMatchObject({
    status: "blocked",
    data: { code: "CLAIM_CONFLICT", conflicts: [{ holder: "ada", claim_id: claim.data["claim_id"] }] },
  });
  expect((await ada.agree("summary")).data["conflicts"]).toMatchObject([{ wanted_by: "bob" }]);

  // A question and its answer.
  const { data: question } = await bob.agree("ask", { to: "ada", question: "Who owns the delay table?", task_id });
  expect((await ada.agree("summary")).data["asks_to_me"]).toMatchObject([{ from: "bob", ask_id: question["ask_id"] }]);
  await ada.agree("reply", { ask_id: question["ask_id"], answer: "I do, until tonight." });
  expect((await bob.agree("summary")).data["answers"]).toMatchObject([{ from: "ada", answer: "I do, until tonight." }]);
  await ada.call("covibe_note", { kind: "decision", text: "The delay doubles from one second.", task_id });

  // Ada hands over to Cy, with everything.
  await bob.agree("ask", { to: "ada", question: "Is the table frozen?", task_id });
  await ada.call("covibe_session", {
    operation: "publish_context",
    title: "Webhook retries",
    summary: "The table is there, the worker does not read it yet.",
    next_actions: ["Read the table in the worker."],
  });
  await ada.agree("handoff", { to: "cy", summary: "The worker is missing.", task_id });
  const [offer] = (await cy.agree("summary")).data["handoffs_to_me"] as { handoff_id: string }[];
  const accepted = await cy.agree("accept", { handoff_id: offer?.handoff_id });
  expect(accepted).toMatchObject({
    status: "ok",
    data: {
      from: "ada",
      task: { task_id, status: "active" },
      claims: [{ claim_id: claim.data["claim_id"], holder: "cy", fence: 2 }],
      context: { title: "Webhook retries", next_actions: ["Read the table in the worker."] },
      messages_moved: 2,
    },
  });
  await ada.call("covibe_session", { operation: "end", summary: "Handed over." });

  // Cy's client dies in the middle. Nothing it held is lost, and its next process goes on.
  const dead = cy.bridge.ask("tools/call", { name: "covibe_team", arguments: { operation: "state" } });
  dead.catch(() => undefined);
  cy.bridge.child.kill("SIGKILL");
  await cy.bridge.ended;
  expect(await bob.agree("claim", { repo, paths: ["src/webhooks/retry.ts"] })).toMatchObject({
    status: "blocked",
    data: { conflicts: [{ holder: "cy" }] },
  });
  const cyAgain = await new Client(home, tokens.cy).resume(cy.sessionId);
  const [asked] = (await cyAgain.agree("summary")).data["asks_to_me"] as { ask_id: string; question: string }[];
  expect(asked?.question).toBe("Is the table frozen?");
  await cyAgain.agree("reply", { ask_id: asked?.ask_id, answer: "It is." });
  const done = await cyAgain.task("complete", {
    task_id,
    result_summary: "Deliveries are tried again up to ten times.",
  });
  expect(done.status).toBe("ok");

  // With the task its claim has ended, so Bob gets what he wanted and finishes.
  expect(await bob.agree("claim", { repo, paths: ["src/webhooks/retry.ts"] })).toMatchObject({
    status: "ok",
    data: { fence: 3 },
  });
  await bob.agree("announce", { message: "The gateway retries too.", repo });
  await bob.task("complete", { task_id: his.data["task_id"], result_summary: "The gateway reads the same table." });

  const week = await bob.call("covibe_team", { operation: "generate_weekly_summary" });
  expect(week.status).toBe("ok");
  const told = String(week.data["markdown"]);
  for (const line of [
    `${planned} (cy): Deliveries are tried again up to ten times.`,
    "The gateway reads the same table.",
    "The delay doubles from one second. (ada)",
    "## Completed work (",
    "## Overlap warnings (",
    "Ada's agent (ada, ended)",
    "Bob's agent (bob, active)",
    "Cy's agent (cy, active)",
  ]) {
    expect(told).toContain(line);
  }
  await expectLedger(home);
});

/** The ledger has it all, in order, under the names the team knows. */
async function expectLedger(home: TestHome): Promise<void> {
  const { stdout } = await crewdeck(home, ["log", "--limit", "1000", "--json"]);
  const names = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { event: string }).event);
  const wanted = [
    "task.planned",
    "task.checked",
    "scope.judged",
    "task.started",
    "claim.taken",
    "coordination.conflict",
    "coordination.asked",
    "coordination.replied",
    "coordination.handoff",
    "task.handed_over",
    "claim.moved",
    "coordination.accepted",
    "task.completed",
    "weekly_summary.generated",
  ];
  let at = -1;
  for (const name of wanted) {
    at = names.indexOf(name, at + 1);
    expect(at, `${name} is told, and in its place`).toBeGreaterThan(-1);
  }
}
