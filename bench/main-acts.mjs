import { openBareStore } from "./bare/store.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { openBenchHouse, registration } from "./kit/house.mjs";
import { timeCalls } from "./kit/measure.mjs";
import { row } from "./kit/rows.mjs";
import { makeWishes } from "./kit/wishes.mjs";

export const title = "What agents do all day, with little and with much work around, against one commit for each write";

/** How much planned work is there already; `CREWDECK_BENCH_TASKS=200,5000,100000` tries others. */
const sizes = (process.env.CREWDECK_BENCH_TASKS ?? "200,5000").split(",").map(Number);
const rounds = 200;
const aims = { cpu: { atMost: 1_500 }, kilobytes: { atMost: 2.5 } };

export async function run() {
  const results = [];
  for (const size of sizes) results.push({ size, ...(await measureAmong(size)) });
  const [first] = results;
  return [
    ...results.flatMap(({ size, acts, bare, kilobytes }) => [
      ...Object.entries(acts).map(([act, cpu]) =>
        row({
          what: `${act}, ${size.toLocaleString("en")} tasks`,
          value: cpu,
          unit: "µs of processor time",
          peer: "a commit each",
          peerValue: bare,
          aim: aims.cpu,
        }),
      ),
      row({
        what: `one planned task, ${size.toLocaleString("en")} tasks`,
        value: kilobytes,
        unit: "KB",
        aim: aims.kilobytes,
      }),
    ]),
    ...results.slice(1).flatMap(({ size, acts }) =>
      Object.entries(acts).map(([act, cpu]) =>
        row({
          what: `${act}, grown to ${size.toLocaleString("en")} tasks`,
          value: cpu,
          unit: "µs of processor time",
          peer: `with ${first.size.toLocaleString("en")}`,
          peerValue: first.acts[act],
        }),
      ),
    ),
  ];
}

async function measureAmong(size) {
  const { house, call } = await openBenchHouse();
  const wish = makeWishes(size + rounds * 4);
  const session_id = await startSession(call);
  const task = (operation, more) => call("covibe_task", { operation, session_id, ...more });
  const empty = await sizeOf(house);
  for (let count = 0; count < size; count += 1) await task("plan", wish());
  const kilobytes = ((await sizeOf(house)) - empty) / 1024 / size;
  const acts = await measureActs({ call, task, wish, session_id });
  const bare = openBareStore(makeFolder());
  const { cpu } = await timeCalls(async () => bare.write(), rounds);
  bare.close();
  await house.close();
  return { acts, bare: cpu, kilobytes };
}

async function sizeOf({ store }) {
  const pages = "select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()";
  const [{ bytes }] = await store.read((db) => db.sql(pages));
  return bytes;
}

/** Each act as an agent would do it, one after the other. */
async function measureActs({ call, task, wish, session_id }) {
  const acts = {};
  const measure = async (act, does) => {
    acts[act] = (await timeCalls(does, rounds)).cpu;
  };
  const each = (list, does) => {
    const left = list.values();
    return () => does(left.next().value);
  };
  await measure("session start", () => startSession(call));
  await measure("plan", () => task("plan", wish()));
  const wishes = Array.from({ length: rounds }, wish);
  const checks = [];
  await measure(
    "check",
    each(wishes, async (about) => checks.push({ about, ...(await task("check", about)).data })),
  );
  const started = [];
  await measure(
    "start",
    each(checks, async (check) => started.push(await task("start", startOf(check)))),
  );
  await measure("claim and release", () => claimOnce(call, session_id));
  const ids = started.map(({ data }) => data.task_id);
  await measure(
    "complete",
    each(ids, (task_id) => task("complete", { task_id, result_summary: "Done, with a test." })),
  );
  const { agent, peer, planned } = await startWorkflow(call);
  const letter = { sender_id: agent, recipient_id: peer, subject: "Prices", body: "Which cache do you mean?" };
  await measure("message", () => call("message_send", { ...letter, message_type: "query" }));
  const progress = { task_id: planned, type: "progress", summary: "The cache answers; its tests are next." };
  await measure("checkpoint", () => call("checkpoint_add", progress));
  await measure("load context", () => call("task_load_context", { task_id: planned }));
  return acts;
}

async function startSession(call) {
  const about = { operation: "start", agent_type: "claude-code", repo: "acme/shop", branch: "main" };
  return (await call("covibe_session", about)).data.session_id;
}

async function claimOnce(call, session_id) {
  const coordinate = (operation, more) => call("covibe_coordination", { operation, session_id, ...more });
  const { data } = await coordinate("claim", { repo: "acme/shop", paths: ["src/prices/**"] });
  await coordinate("release", { claim_id: data.claim_id });
}

/** With a decision where the check asks for one. */
function startOf({ about, check_id, requires_verdict, candidates }) {
  const judge = ({ id }) => ({ candidate_id: id, verdict: "different_scope", reason: "Other words, other files." });
  return { ...about, check_id, ...(requires_verdict ? { scope_verdict: candidates.map(judge) } : {}) };
}

async function startWorkflow(call) {
  const { id: agent } = await call("agent_register", registration);
  const { id: peer } = await call("agent_register", { ...registration, name: "peer" });
  const { id } = await call("workflow_create", { name: "Prices", source_type: "prompt", source_content: "Faster." });
  const tasks = [1, 2, 3].map((sequence) => ({ name: `step ${sequence}`, description: "Do it.", sequence }));
  await call("workflow_set_plan", { id, plan: { summary: "Faster", approach: "Step by step", tasks } });
  const workflow = await call("workflow_get", { id, include_tasks: true });
  const [{ id: planned }] = workflow.tasks;
  await call("task_claim", { task_id: planned, agent_id: agent });
  return { agent, peer, planned };
}
