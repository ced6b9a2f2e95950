import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InputOf } from "../../../tools/calls.ts";
import type { Api } from "../api.ts";
import type { Context } from "../context.ts";
import { playMission } from "./mission-scene.ts";
import { inviteTeammate, type Teammate } from "./teammate.ts";

const repo = "shop";

/** A team in the middle of an ordinary day. Everything is done by the same calls that real agents make. */
export async function playScene(
  api: Api,
  context: Pick<Context, "home" | "env">,
  tell: (line: string) => void,
): Promise<void> {
  const { handle: you } = await api.read("/api/me", {});
  tell("Four developers join, with an agent each.");
  const invite = (handle: string, name: string, isPrivate = false) =>
    inviteTeammate(api, context, { handle, name, private: isPrivate });
  const ada = await invite("ada", "Ada (example)");
  const bob = await invite("bob", "Bob (example)");
  const cleo = await invite("cleo", "Cleo (example)");
  const dana = await invite("dana", "Dana (example)", true);
  await beginSessions({ ada, bob, cleo, dana });
  tell("They plan, claim and work.");
  const { mails } = await playWorkflow(ada, bob);
  const cached = await playTeamWork(ada, bob, cleo, dana);
  await playClaims(ada, bob);
  tell("A mission with proof.");
  const folder = makeFolder(context.home.dir);
  const { asking } = await playMission(cleo, folder);
  tell("Questions, decisions, cost, and the week.");
  await playWords({ ada, bob, cleo, you, cached });
  await playLetters(api, you, { ada, bob });
  await playUsage({ ada, bob, cleo }, { cached, mails, asking });
  await api.call("repository_register", { path: folder, name: repo });
  await api.call("audit_create", {});
  await api.call("summary_create", {});
}

interface Team {
  readonly ada: Teammate;
  readonly bob: Teammate;
  readonly cleo: Teammate;
  readonly dana: Teammate;
}

async function beginSessions({ ada, bob, cleo, dana }: Team): Promise<void> {
  const begin = (who: Teammate, agent_name: string, agent_type: string, model: string, branch: string) =>
    who.beginSession({ agent_name, agent_type, model, repo, branch });
  await begin(ada, "Ada's Claude", "claude-code", "claude-sonnet-4-5", "work/checkout");
  await begin(bob, "Bob's Codex", "codex", "gpt-5-codex", "work/mail");
  await begin(cleo, "Cleo's Cursor", "cursor", "claude-sonnet-4-5", "work/passkeys");
  await begin(dana, "Dana's Claude", "claude-code", "claude-opus-4-1", "work/secret");
}

async function playWorkflow(ada: Teammate, bob: Teammate): Promise<{ readonly mails: string }> {
  const { id } = await ada.call("workflow_create", {
    name: "Faster checkout",
    source_type: "github_issue",
    source_ref: "shop#412",
    source_content: "The checkout takes four seconds. Make it one.",
    max_parallel_tasks: 2,
  });
  const step = (
    name: string,
    sequence: number,
    depends_on: string[],
    description: string,
    parallel_group?: string,
  ) => ({
    name,
    sequence,
    depends_on,
    description,
    ...(parallel_group === undefined ? {} : { parallel_group }),
  });
  await ada.call("workflow_set_plan", {
    id,
    plan: {
      summary: "From four seconds to one, measured before and after.",
      approach: "Find where the time goes, then take away the two largest parts side by side.",
      tasks: [
        step("Measure where the time goes", 1, [], "Profile the three slowest requests."),
        step("Read price rules once", 2, ["Measure where the time goes"], "They are read for every line.", "cut"),
        step("Move e-mails out of the request", 2, ["Measure where the time goes"], "Queue them.", "cut"),
        step("Drop the second stock query", 2, ["Measure where the time goes"], "It asks what is known.", "cut"),
        step(
          "Load test with a thousand carts",
          3,
          ["Read price rules once", "Move e-mails out of the request"],
          "Numbers.",
        ),
        step("Release notes", 4, ["Load test with a thousand carts"], "What got faster, by how much."),
      ],
    },
  });
  await ada.call("workflow_update_status", { id, status: "in_progress" });
  const { tasks = [] } = await ada.call("workflow_get", {
    id,
    include_tasks: true,
  });
  const idOf = (name: string): string => tasks.find((task) => task.name === name)?.id ?? "";
  await work(ada, idOf("Measure where the time goes"), "Price rules take 61% of the time, emails 22%.");
  await work(ada, idOf("Read price rules once"));
  await work(bob, idOf("Move e-mails out of the request"));
  await bob.call("checkpoint_add", {
    task_id: idOf("Move e-mails out of the request"),
    type: "decision",
    summary: "Use the existing queue instead of a new one.",
    files_changed: ["src/mail/send.ts", "src/queue/jobs.ts"],
  });
  return { mails: idOf("Move e-mails out of the request") };
}

/** Takes a task in hand, and finishes it where an outcome is given. */
async function work(who: Teammate, task_id: string, outcome?: string): Promise<void> {
  await who.call("task_claim", { task_id, agent_id: who.sessionId });
  await who.call("task_update_status", { id: task_id, status: "planning" });
  await who.call("task_update_status", { id: task_id, status: "in_progress" });
  if (outcome !== undefined) await who.call("task_update_status", { id: task_id, status: "completed", outcome });
}

async function playTeamWork(ada: Teammate, bob: Teammate, cleo: Teammate, dana: Teammate): Promise<string | undefined> {
  const cached = await ada.start({
    title: "Cache price rules for each request",
    task_type: "refactor",
    scope: "src/checkout/prices.ts",
    description: "Price rules are loaded once for a request and shared by all lines of the cart.",
    action: "modify",
    repo,
    target_files: ["src/checkout/prices.ts", "src/checkout/cart.ts"],
  });
  // The same again in other words: Bob's agent is told, and waits for Bob.
  await bob.start({
    title: "Load price rules only once per request",
    task_type: "refactor",
    scope: "src/checkout/prices.ts",
    description:
      "Price rules are loaded again for each line of the cart; load them once for the request and share them.",
    action: "modify",
    repo,
    target_files: ["src/checkout/prices.ts"],
  });
  await bob.start({
    title: "Resend failed e-mails",
    task_type: "bug",
    scope: "src/mail",
    repo,
    description: "After an hour, three times.",
  });
  const dates = await cleo.start({
    title: "Show delivery dates in the cart",
    task_type: "feature",
    scope: "src/cart",
    repo,
    description: "From the carrier's table.",
  });
  if (dates)
    await cleo.call("covibe_task", {
      operation: "complete",
      task_id: dates,
      result_summary: "The cart shows dates for three carriers.",
    });
  await cleo.call("covibe_task", {
    operation: "plan",
    title: "Gift cards at the checkout",
    task_type: "feature",
    repo,
    description: "Sold and redeemed.",
  });
  await ada.call("covibe_task", {
    operation: "plan",
    title: "Remove the old coupon table",
    task_type: "chore",
    repo,
    description: "Nothing has read it since spring.",
  });
  await dana.start({ title: "Look into the payment provider", task_type: "spike", repo, description: "Fees." });
  return cached;
}

async function playClaims(ada: Teammate, bob: Teammate): Promise<void> {
  await ada.call("covibe_session", {
    operation: "snapshot",
    session_id: ada.sessionId,
    repo,
    branch: "work/checkout",
    head: "4f1c2ab",
    dirty_files: ["src/checkout/prices.ts"],
    unpushed_files: ["src/checkout/cart.ts"],
  });
  await ada.call("covibe_coordination", {
    operation: "claim",
    session_id: ada.sessionId,
    repo,
    paths: ["src/checkout/**"],
  });
  await bob.call("covibe_coordination", {
    operation: "claim",
    session_id: bob.sessionId,
    repo,
    paths: ["src/checkout/prices.ts"],
  });
}

async function playWords({
  ada,
  bob,
  cleo,
  you,
  cached,
}: Omit<Team, "dana"> & { you: string; cached: string | undefined }) {
  await ada.call("covibe_coordination", {
    operation: "ask",
    session_id: ada.sessionId,
    to: you,
    question: "May price rules be up to a minute old?",
  });
  await bob.call("covibe_coordination", {
    operation: "handoff",
    session_id: bob.sessionId,
    to: you,
    summary: "The mail queue is done but for the retry page; I am away until Monday.",
  });
  await cleo.call("covibe_coordination", {
    operation: "announce",
    session_id: cleo.sessionId,
    message: "Sign-in is frozen until the passkeys are in.",
    repo,
  });
  await ada.call("covibe_note", {
    kind: "decision",
    text: "Prices are cached for the request only: shops change them during sales.",
    ...(cached === undefined ? {} : { task_id: cached }),
    session_id: ada.sessionId,
  });
  await ada.call("covibe_session", {
    operation: "publish_context",
    session_id: ada.sessionId,
    title: "Faster checkout",
    summary: "Price rules are read once; the load test is next.",
    repo,
    branch: "work/checkout",
    files_touched: ["src/checkout/prices.ts"],
    next_actions: ["Run the load test with a thousand carts."],
  });
  await bob.call("message_send", {
    sender_id: bob.sessionId,
    recipient_id: ada.sessionId,
    message_type: "query",
    subject: "Queue names",
    body: "Is `mail.out` free, or do you use it for receipts?",
    priority: "high",
  });
}

/** A person writes to the agents as the deck lets them, and one of them answers. */
async function playLetters(api: Api, you: string, { ada, bob }: Pick<Team, "ada" | "bob">): Promise<void> {
  const { id: me } = await api.call("agent_register", {
    name: you,
    runtime: "custom",
    metadata: { person: true },
  });
  const { id: question } = await api.call("message_send", {
    sender_id: me,
    recipient_id: ada.sessionId,
    message_type: "query",
    subject: "Friday's release",
    body: "Can the price rules go out on **Friday**, or does the load test come first?",
  });
  await ada.call("message_send", {
    sender_id: ada.sessionId,
    recipient_id: me,
    message_type: "response",
    reply_to_id: question,
    body: "The load test comes first. It runs tonight; I write here what it says.",
  });
  await bob.call("message_send", {
    sender_id: bob.sessionId,
    recipient_id: me,
    message_type: "status_update",
    subject: "Retry page",
    body: "The page is missing. Everything else of the mail queue is on `work/mail`.",
    priority: "high",
  });
}

type Usage = InputOf<"covibe_ingest_agent_telemetry">;

/** What the agents work on, for the reports of what that cost. */
interface PaidWork {
  readonly cached: string | undefined;
  readonly mails: string;
  readonly asking: string;
}

async function playUsage({ ada, bob, cleo }: Omit<Team, "dana">, work: PaidWork): Promise<void> {
  const report = (who: Teammate, source: Usage["source"], payload: Usage["payload"], more: Partial<Usage> = {}) =>
    who.call("covibe_ingest_agent_telemetry", { source, payload, session_id: who.sessionId, ...more });
  const claude = (id: string, input_tokens: number, output_tokens: number, cache_read_input_tokens: number) => ({
    id,
    model: "claude-sonnet-4-5",
    usage: { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens: 0 },
  });
  await report(ada, "claude", claude("a1", 41_000, 9_200, 310_000), { task_id: work.cached });
  await report(ada, "claude", claude("a2", 18_500, 4_100, 96_000), { task_id: work.cached });
  await report(cleo, "claude", claude("c1", 22_000, 6_400, 120_000), { submitted_cost_usd: 2.5, task_id: work.asking });
  const codex = {
    id: "b1",
    model: "gpt-5-codex",
    usage: { input_tokens: 65_000, output_tokens: 12_000, total_tokens: 77_000 },
  };
  await report(bob, "openai", codex, { task_id: work.mails });
}

/** A folder for the proof of the mission's tasks: a few small files. */
function makeFolder(home: string): string {
  const folder = join(home, "repositories", repo);
  for (const [name, text] of Object.entries({
    "src/checkout/prices.ts": "export const prices = [];\n",
    "src/auth/session.ts": "export const session = null;\n",
    "README.md": "An example repository; remove it with `crewdeck demo --remove`.\n",
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
