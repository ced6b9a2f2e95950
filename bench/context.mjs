import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import { recordings } from "./data/recordings.mjs";
import { openBenchHouse } from "./kit/house.mjs";
import { row } from "./kit/rows.mjs";

export const title = "What a cleared context gets back: decisions, files and next steps, against a naive cut";

const budgets = [1_000, 2_000, 4_000, 8_000];
const kinds = ["decisions", "files", "next"];

export async function run() {
  const { house, call } = await openBenchHouse();
  const tasks = [];
  for (const recording of recordings) tasks.push({ recording, id: await replay(call, recording) });
  const rows = [];
  for (const budget of budgets) {
    const ours = emptyScore();
    const naive = emptyScore();
    for (const { recording, id } of tasks) {
      const context = JSON.stringify(await call("task_load_context", { task_id: id, max_tokens: budget }));
      addScore(ours, context, recording.keys);
      addScore(naive, await cutNaively(call, id, budget), recording.keys);
    }
    for (const kind of kinds) {
      rows.push(
        row({
          what: `${kind} at ${budget.toLocaleString("en")} tokens`,
          value: share(ours[kind]),
          unit: "%",
          peer: "the record cut at the same budget",
          peerValue: share(naive[kind]),
        }),
      );
    }
  }
  await house.close();
  return rows;
}

/** Does again what was recorded, through the same calls an agent would make. */
async function replay(call, { name, source, before, plan, notes }) {
  const { id } = await call("workflow_create", { name, source_type: "prompt", source_content: source });
  const current = "Do the work";
  const tasks = [
    { name: before.name, description: before.name, sequence: 1 },
    { name: current, description: `${name}: ${plan.approach}`, sequence: 2, depends_on: [before.name] },
  ];
  await call("workflow_set_plan", { id, plan: { summary: name, approach: plan.approach, tasks } });
  const workflow = await call("workflow_get", { id, include_tasks: true });
  const idOf = (wanted) => workflow.tasks.find((task) => task.name === wanted).id;
  await call("task_update_status", { id: idOf(before.name), status: "planning" });
  await call("task_update_status", { id: idOf(before.name), status: "completed", outcome: before.outcome });
  const task = idOf(current);
  await call("task_update_status", { id: task, status: "planning" });
  await call("task_set_plan", { id: task, plan });
  await call("task_update_status", { id: task, status: "in_progress" });
  for (const note of notes) await call("checkpoint_add", { task_id: task, ...note });
  return task;
}

/** The whole record as one text, cut where the budget ends: what a client without help would do. */
async function cutNaively(call, id, budget) {
  const record = await call("task_get", { id, include_checkpoints: true });
  return decode(encode(JSON.stringify(record)).slice(0, budget));
}

const emptyScore = () => Object.fromEntries(kinds.map((kind) => [kind, { found: 0, all: 0 }]));

function addScore(score, text, keys) {
  for (const kind of kinds) {
    score[kind].all += keys[kind].length;
    score[kind].found += keys[kind].filter((key) => text.includes(key)).length;
  }
}

const share = ({ found, all }) => Math.round((found / all) * 1_000) / 10;
