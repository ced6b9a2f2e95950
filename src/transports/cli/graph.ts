import type { AnswerOf } from "../../tools/calls.ts";
import { plainScreen, type Screen, styleOf } from "./screen.ts";
import { table } from "./table.ts";
import { cleanText, shorten } from "./text.ts";

export type GraphTask = Pick<
  NonNullable<AnswerOf<"workflow_get">["tasks"]>[number],
  "name" | "status" | "claimed_by" | "depends_on"
> & { readonly number?: number | undefined };

const marks: Readonly<Record<GraphTask["status"], string>> = {
  completed: "[x]",
  skipped: "[~]",
  in_progress: "[>]",
  planning: "[>]",
  paused: "[=]",
  blocked: "[-]",
  failed: "[!]",
  pending: "[ ]",
};

/**
 * A graph as lines: tasks in layers, each layer a step further from the start, with what each comes after. A task
 * stands one layer below the last of what it depends on, so every arrow points up.
 */
export function drawGraph(
  tasks: readonly (Omit<GraphTask, "claimed_by"> & { claimed_by: string | null })[],
  screen: Screen = plainScreen,
): string[] {
  const layers = layersOf(tasks);
  const isNumbered = tasks.some(({ number }) => number !== undefined);
  const rows = layers.flatMap((layer, depth) =>
    layer.map((task, at) => [
      at === 0 ? String(depth + 1) : "",
      marks[task.status],
      ...(isNumbered ? [{ text: `#${task.number ?? ""}`, style: "dim" as const }] : []),
      task.name,
      { text: task.status, style: styleOf(task.status) },
      task.claimed_by ?? "",
      task.depends_on.length === 0
        ? ""
        : `after ${task.depends_on.map((name) => shorten(cleanText(name), 30)).join(", ")}`,
    ]),
  );
  const first = isNumbered ? 3 : 2;
  return table(rows, { screen, flexible: [first + 3, first + 2, first], optional: [first + 1] });
}

function layersOf(tasks: readonly GraphTask[]): GraphTask[][] {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const depths = new Map<string, number>();
  // Iterative on purpose: a chain of ten thousand tasks would exhaust the stack.
  for (const start of tasks) {
    const path = [start];
    for (let task = path.at(-1); task; task = path.at(-1)) {
      const open = task.depends_on.map((name) => byName.get(name)).find((other) => other && !depths.has(other.name));
      if (open) {
        path.push(open);
        continue;
      }
      const before = task.depends_on.map((name) => depths.get(name) ?? -1);
      depths.set(task.name, Math.max(-1, ...before) + 1);
      path.pop();
    }
  }
  const layers: GraphTask[][] = [];
  for (const task of tasks) {
    const depth = depths.get(task.name) ?? 0;
    const layer = layers[depth];
    if (layer) layer.push(task);
    else layers[depth] = [task];
  }
  return layers;
}
