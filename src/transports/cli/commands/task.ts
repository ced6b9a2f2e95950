import type { Command } from "commander";
import { exitCodes } from "../../../contract/errors.ts";
import { taskTypes } from "../../../contract/words.ts";
import type { AnswerOf, InputOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, type Context } from "../context.ts";
import { drawDiff } from "../diff.ts";
import { complain } from "../failure.ts";
import { callTask, readTask } from "../names.ts";
import { resolveId } from "../record.ts";
import type { Shell } from "../shell.ts";
import { cleanText } from "../text.ts";

/** What a person does with a single task. */
export function addTasks(shell: Shell): void {
  const group = shell.add({
    name: "task",
    summary: "Add, start and finish tasks; show what a task changed",
    examples: ['task add "Print boarding passes in large type"', "task start 12", "task done 12 TEXT"],
  });
  addAdd(shell, group);
  addStart(shell, group);
  addDone(shell, group);
  addDiff(shell, group);
}

interface AddOptions {
  readonly type: string;
  readonly description?: string;
  readonly repo?: string;
  readonly file?: string[];
  readonly anyway?: string;
}

function addAdd(shell: Shell, group: Command): void {
  const add = shell
    .add(
      {
        name: "add",
        alias: "create",
        summary: "Plan a task for later; possible duplicates are shown first",
        examples: [
          'task add "Print boarding passes in large type"',
          'task add "Fix login" --type bug --file src/auth.ts',
        ],
      },
      group,
    )
    .argument("<title>", "the task's title")
    .option("--type <type>", `type: ${taskTypes.join(", ")}`, "feature")
    .option("--description <text>", "what to do, in a sentence or two")
    .option("--repo <name>", "repository it belongs to")
    .option("--file <path...>", "files it will change")
    .option("--anyway <reason>", "add it although a similar task exists");
  shell.does<AddOptions>(add, async (context, options, [title = ""]) => {
    const api = await openApi(context);
    const planned = await api.call("task_plan", {
      title,
      // What is none of the server's words is the server's to refuse.
      task_type: options.type as InputOf<"task_plan">["task_type"],
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options.repo === undefined ? {} : { repo: options.repo }),
      ...(options.file === undefined ? {} : { target_files: options.file }),
      ...(options.anyway === undefined ? {} : { confirm: true, confirmation_reason: options.anyway }),
    });
    if (planned.requires_confirm) return refuseDuplicate(context, planned);
    const added = await readTask(api, planned.task_id ?? "");
    answer(context, { ...planned, number: added.number ?? null }, () => [
      `Added task ${callTask(added)}. Start it with: crewdeck task start ${added.number ?? added.id}`,
      ...similarLines(planned),
    ]);
    return undefined;
  });
}

const mostSimilar = 3;

type Similar = Pick<AnswerOf<"task_plan">["nearest"][number], "title" | "owner" | "status">;

/** What is like it, else the nearest there is: other words for the same work are known by whoever reads them. */
function similarLines({ matches, nearest }: { matches: readonly Similar[]; nearest: readonly Similar[] }): string[] {
  const say = (label: string, { title, owner, status }: Similar): string =>
    `${label}: ${cleanText(title)} (${cleanText(owner)}, ${status})`;
  const lines = matches.map((one) => say("Similar", one));
  return (lines.length > 0 ? lines : nearest.map((one) => say("Compare with", one))).slice(0, mostSimilar);
}

function refuseDuplicate(context: Context, planned: AnswerOf<"task_plan">): number {
  answer(context, planned, () => []);
  if (!context.isJson) {
    const similar = planned.candidates.map(({ title, owner }) => `${cleanText(title)} (${cleanText(owner)})`);
    complain("A similar task exists. Nothing was added.", ...similar, "Add it anyway with: --anyway REASON");
  }
  return exitCodes.refused;
}

function addStart(shell: Shell, group: Command): void {
  const start = shell
    .add(
      {
        name: "start <id>",
        summary: "Check a planned task of yours for duplicates and start it",
        examples: ["task start 12", 'task start "Fix login"'],
      },
      group,
    )
    .option("--anyway <reason>", "start it although similar work is in progress");
  shell.does<{ anyway?: string }>(start, async (context, { anyway }, [given = ""]) => {
    const api = await openApi(context);
    const task_id = await resolveId(api, "task", given);
    const task = await readTask(api, task_id);
    const checked = await api.call("covibe_task", {
      operation: "check",
      title: task.name,
      task_type: "feature",
      planned_task_id: task_id,
    });
    const check_id = textAt(checked.data, "check_id");
    if (anyway !== undefined && check_id !== undefined && checked.status !== "ok") {
      await api.call("check_confirm", { check_id, reason: anyway });
    }
    const ask = { operation: "start_planned", task_id, ...(check_id === undefined ? {} : { check_id }) } as const;
    return tell(
      context,
      await api.call("covibe_task", ask),
      [`Started ${sayTask(task)}.`, ...similarLines(listsOf(checked.data))],
      "Start it with: --anyway REASON",
    );
  });
}

function addDone(shell: Shell, group: Command): void {
  const done = shell.add(
    {
      name: "done <id> <outcome...>",
      summary: "Complete a task with its outcome",
      examples: ['task done 12 "Passes print in 24 points."', 'task done "Fix login" "Sessions renew again."'],
    },
    group,
  );
  shell.does(done, async (context, _options, [given = "", ...words]) => {
    const api = await openApi(context);
    const task_id = await resolveId(api, "task", given);
    const result_summary = words.join(" ");
    const told = await api.call("covibe_task", { operation: "complete", task_id, result_summary });
    const lines = [`Completed ${sayTask(await readTask(api, task_id))}.`];
    return tell(context, told, lines, "See it with: crewdeck board");
  });
}

type TeamAnswer = AnswerOf<"covibe_task">;

/** A team tool says "no" in its answer, not by failing. */
function tell(context: Context, told: TeamAnswer, success: readonly string[], next: string): number {
  const isDone = told.status === "ok" || told.status === "warning";
  answer(context, told, () => (isDone ? success : []));
  if (!isDone && !context.isJson) complain(told.message, next);
  return isDone ? exitCodes.done : exitCodes.refused;
}

const sayTask = ({ name, number }: { readonly name: string; readonly number: number | undefined }): string =>
  `"${cleanText(name)}"${number === undefined ? "" : ` (#${number})`}`;

/** What a check has found; its answer says no more of its form than that it is an object. */
function listsOf(data: unknown): { matches: Similar[]; nearest: Similar[] } {
  const { matches = [], nearest = [] } = (data ?? {}) as { matches?: Similar[]; nearest?: Similar[] };
  return { matches, nearest };
}

function textAt(data: unknown, key: string): string | undefined {
  const value = (data as Record<string, unknown> | null)?.[key];
  return typeof value === "string" ? value : undefined;
}

function addDiff(shell: Shell, group: Command): void {
  const diff = shell
    .add(
      {
        name: "diff <id>",
        summary: "Show what a finished task changed, line by line",
        examples: ["task diff 12", "task diff 12 --path src/index.ts", 'task diff "Fix login" --json'],
      },
      group,
    )
    .option("--path <file>", "only this file, with more lines")
    .option("--after <file>", "only files that sort after this one");
  shell.does<{ path?: string; after?: string }>(diff, async (context, { path, after }, [given = ""]) => {
    const api = await openApi(context);
    const task_id = await resolveId(api, "task", given);
    const found = await api.call("task_diff", { task_id, path, after });
    answer(context, found, () => drawDiff(found, context.screen));
    return undefined;
  });
}
