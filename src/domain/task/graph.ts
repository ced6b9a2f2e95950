import { type Details, Refusal } from "../../contract/refusal.ts";

export interface PlannedTask {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

interface Node {
  readonly waitingOn: number;
  readonly tail: number;
}

/** Checks a plan's graph and computes what each task waits for (WF9–WF12). Linear in tasks and edges. */
export function layOut(tasks: readonly PlannedTask[]): ReadonlyMap<string, Node> {
  const byName = indexByName(tasks);
  const dependents = new Map<string, string[]>();
  const waiting = new Map<string, number>();
  for (const task of tasks) {
    const dependsOn = new Set(task.dependsOn);
    waiting.set(task.name, dependsOn.size);
    for (const dependency of dependsOn) {
      checkDependency(task.name, dependency, byName);
      const others = dependents.get(dependency);
      if (others) others.push(task.name);
      else dependents.set(dependency, [task.name]);
    }
  }
  const order = sortByDependency(waiting, dependents);
  if (order.length < tasks.length) refuseCycle(byName, new Set(order));
  const tails = new Map<string, number>();
  for (const name of order.reverse()) {
    const longest = Math.max(0, ...(dependents.get(name) ?? []).map((dependent) => tails.get(dependent) ?? 0));
    tails.set(name, longest + 1);
  }
  return new Map(tasks.map(({ name }) => [name, { waitingOn: waiting.get(name) ?? 0, tail: tails.get(name) ?? 1 }]));
}

function checkDependency(task: string, dependency: string, byName: ReadonlyMap<string, PlannedTask>): void {
  const [name, other] = [JSON.stringify(task), JSON.stringify(dependency)];
  if (dependency === task) refuse("SELF_DEPENDENCY", `The task ${name} depends on itself.`, { name: task });
  if (byName.has(dependency)) return;
  refuse("UNKNOWN_DEPENDENCY", `The task ${name} depends on ${other}, which is not in the plan.`, {
    name: dependency,
    task,
  });
}

function indexByName(tasks: readonly PlannedTask[]): ReadonlyMap<string, PlannedTask> {
  const byName = new Map<string, PlannedTask>();
  for (const task of tasks) {
    const { name } = task;
    if (byName.has(name)) refuse("DUPLICATE_TASK_NAME", `Two tasks are called ${JSON.stringify(name)}.`, { name });
    byName.set(name, task);
  }
  return byName;
}

/** Every name that can be reached by finishing what is free, in that order; names on a cycle are missing. */
function sortByDependency(waiting: ReadonlyMap<string, number>, dependents: ReadonlyMap<string, string[]>): string[] {
  const left = new Map(waiting);
  const order = [...left].filter(([, count]) => count === 0).map(([name]) => name);
  for (let at = 0; at < order.length; at += 1) {
    for (const dependent of dependents.get(order[at] ?? "") ?? []) {
      const count = (left.get(dependent) ?? 0) - 1;
      left.set(dependent, count);
      if (count === 0) order.push(dependent);
    }
  }
  return order;
}

/** Walks from a task that could not be reached along what it waits for until a name comes twice. */
function refuseCycle(byName: ReadonlyMap<string, PlannedTask>, reached: ReadonlySet<string>): never {
  const isStuck = (name: string): boolean => !reached.has(name);
  const path: string[] = [];
  const seen = new Map<string, number>();
  let name = [...byName.keys()].find(isStuck) ?? "";
  while (!seen.has(name)) {
    seen.set(name, path.length);
    path.push(name);
    name = byName.get(name)?.dependsOn.find(isStuck) ?? "";
  }
  const cycle = [...path.slice(seen.get(name)), name];
  throw new Refusal(
    "INVALID_INPUT",
    `The tasks depend on each other in a circle: ${inWords(cycle)}.`,
    "Remove one of these dependencies and set the plan again.",
    { cycle },
  );
}

const mostInWords = 10;

/** A long way round is cut in the sentence; the details have all of it. */
function inWords(cycle: readonly string[]): string {
  const names = cycle.map((name) => JSON.stringify(name));
  const shown = names.length > mostInWords ? [...names.slice(0, mostInWords - 2), "…", ...names.slice(-1)] : names;
  return shown.join(" → ");
}

function refuse(
  code: "SELF_DEPENDENCY" | "UNKNOWN_DEPENDENCY" | "DUPLICATE_TASK_NAME",
  message: string,
  details: Details,
): never {
  throw new Refusal(code, message, "Correct the plan and set it again.", details);
}
