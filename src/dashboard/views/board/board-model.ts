import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName, nameOf } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { type BoardTask, repositoryName } from "../../data/task.ts";

export const columns = ["planned", "active", "blocked", "done"] as const;
export type Column = (typeof columns)[number];

/** What the server tells apart and the board shows together: what failed waits for somebody like what is blocked. */
const parts = { planned: ["planned"], active: ["active"], blocked: ["blocked", "failed"], done: ["done", "cancelled"] };

export interface Board {
  readonly tasks: readonly BoardTask[];
  /** Columns of which there is more than was read. */
  readonly unfinished: ReadonlySet<Column>;
}

const pageSize = 200;
const largestPage = 500;

/** How far down each column somebody has looked; a board that is read again goes as far. */
const wanted: Record<Column, number> = { planned: pageSize, active: pageSize, blocked: pageSize, done: pageSize };

export const boardReading: Reading<Board> = {
  key: "board",
  async load(signal) {
    const read = await Promise.all(columns.map((column) => readColumn(column, signal)));
    const tasks = onlyNewest(read.flatMap((one) => one.tasks));
    for (const task of tasks) learnName(task.id, task.name);
    return { tasks, unfinished: new Set(columns.filter((_column, place) => read[place]?.isUnfinished)) };
  },
  applyEvent: applyToBoard,
  goesFurther: (event) =>
    ["task.created", "task.replanned", "workflow.planSet", "worktree.registered"].includes(event.kind) ||
    (event.kind === "task.statusChanged" && ["done", "cancelled", "planned"].includes(textIn(event.data, "to") ?? "")),
};

/** A task that moves while the columns are read may be found in two of them. */
export function onlyNewest(tasks: readonly BoardTask[]): BoardTask[] {
  const byId = new Map<string, BoardTask>();
  for (const task of tasks) {
    const known = byId.get(task.id);
    if (!known || known.updated_at <= task.updated_at) byId.set(task.id, task);
  }
  return [...byId.values()];
}

/** Looks further down a column; answers whether there was anything to look for. */
export function wantMore(board: Board, column: Column): boolean {
  if (!board.unfinished.has(column)) return false;
  wanted[column] += pageSize;
  return true;
}

async function readColumn(column: Column, signal: AbortSignal): Promise<{ tasks: BoardTask[]; isUnfinished: boolean }> {
  const tasks: BoardTask[] = [];
  let isUnfinished = false;
  for (const part of parts[column]) {
    for (let offset = 0; offset < wanted[column]; offset += largestPage) {
      const limit = Math.min(largestPage, wanted[column] - offset);
      const page = await read<{ tasks: BoardTask[] }>("/api/tasks", { column: part, limit, offset }, signal);
      tasks.push(...page.tasks);
      isUnfinished = page.tasks.length === limit;
      if (!isUnfinished) break;
    }
  }
  return { tasks, isUnfinished };
}

/** Status and holder are told by the event; what follows from them for other tasks is read. */
export function applyToBoard(board: Board, event: LiveEvent): Board | typeof readAgain {
  if (event.kind.startsWith("agent.")) return applyToHolders(board, event);
  if (!event.kind.startsWith("task.")) return board;
  const known = board.tasks.find((task) => task.id === event.subject);
  if (!known) return event.kind === "task.created" ? addTask(board, event) : readAgain;
  const { data, ts } = event;
  switch (event.kind) {
    case "task.statusChanged":
    case "task.replanned":
    case "task.planSet": {
      const status = textIn(data, "to") ?? textIn(data, "status");
      if (status === undefined) return readAgain;
      return replaceTask(board, { ...known, status, column: columnAfter(known, status), updated_at: ts });
    }
    case "task.claimed": {
      const holder = textIn(data, "agent_id") ?? null;
      const name = holder === null ? null : (nameOf(holder) ?? null);
      return replaceTask(board, { ...known, claimed_by: holder, holder: name, holder_status: "busy", updated_at: ts });
    }
    case "task.released": {
      const status = textIn(data, "status") ?? known.status;
      const nobody = { claimed_by: null, holder: null, runtime: null, holder_status: null };
      return replaceTask(board, { ...known, ...nobody, status, column: columnAfter(known, status), updated_at: ts });
    }
    default:
      return board;
  }
}

/** A task that waits for others stays where it is while it is planned: only the server knows for whom it waits. */
function columnAfter(known: BoardTask, status: string): string {
  if (status === "planned") return known.status === "planned" ? known.column : "planned";
  return status === "preparing" || status === "paused" ? "active" : status;
}

function addTask(board: Board, { subject, data, ts }: LiveEvent): Board | typeof readAgain {
  const name = textIn(data, "name");
  const status = textIn(data, "status");
  if (name === undefined || status === undefined) return readAgain;
  const workflow = textIn(data, "workflow_id") ?? null;
  const task: BoardTask = {
    id: subject,
    name,
    column: columnAfter({ status: "", column: "" } as BoardTask, status),
    status,
    workflow_id: workflow,
    workflow: workflow === null ? null : (nameOf(workflow) ?? null),
    claimed_by: null,
    holder: null,
    runtime: null,
    holder_status: null,
    developer: "",
    repository: null,
    branch: null,
    created_at: ts,
    updated_at: ts,
  };
  return { ...board, tasks: [task, ...board.tasks] };
}

function applyToHolders(board: Board, { subject, data }: LiveEvent): Board {
  const status = textIn(data, "status");
  const isHolder = (task: BoardTask): boolean => task.claimed_by === subject && task.holder_status !== status;
  if (status === undefined || !board.tasks.some(isHolder)) return board;
  return { ...board, tasks: board.tasks.map((task) => (isHolder(task) ? { ...task, holder_status: status } : task)) };
}

const replaceTask = (board: Board, changed: BoardTask): Board => ({
  ...board,
  tasks: board.tasks.map((task) => (task.id === changed.id ? changed : task)),
});

export const columnOf = (task: Pick<BoardTask, "column">): Column =>
  columns.find((column) => parts[column].includes(task.column)) ?? "planned";

/** What a card says: waiting for other tasks is no trouble, having failed is. */
export const statusOf = (task: BoardTask): string =>
  task.status === "planned" && columnOf(task) === "blocked" ? "waits" : task.status;

export interface BoardFilter {
  readonly text: string;
  readonly repository: string;
  readonly developer: string;
}

/** The tasks that fit, by column, trouble first, then last changed first. */
export function sortBoard(tasks: readonly BoardTask[], filter: BoardFilter): Record<Column, BoardTask[]> {
  const sorted: Record<Column, BoardTask[]> = { planned: [], active: [], blocked: [], done: [] };
  for (const task of tasks) if (fits(task, filter)) sorted[columnOf(task)].push(task);
  const isTrouble = (task: BoardTask): number => (task.status === "failed" || task.status === "blocked" ? 1 : 0);
  for (const column of columns) {
    sorted[column].sort(
      (one, other) => isTrouble(other) - isTrouble(one) || other.updated_at.localeCompare(one.updated_at),
    );
  }
  return sorted;
}

/** How many there are, and how many of them are shown. */
export function sayCount({ tasks, unfinished }: Board, filter: BoardFilter): string {
  const shown = tasks.filter((task) => fits(task, filter)).length;
  const all = `${tasks.length}${unfinished.size > 0 ? "+" : ""} ${tasks.length === 1 && unfinished.size === 0 ? "task" : "tasks"}`;
  return shown === tasks.length ? all : `${shown} of ${all}`;
}

function fits(task: BoardTask, { text, repository, developer }: BoardFilter): boolean {
  if (repository !== "" && task.repository !== repository) return false;
  if (developer !== "" && task.developer !== developer) return false;
  if (text === "") return true;
  const all = [task.name, task.workflow, task.holder, task.developer, task.branch, task.repository].join(" ");
  return all.toLowerCase().includes(text.toLowerCase());
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What there is to filter by. */
export const repositoriesOf = (tasks: readonly BoardTask[]): Choice[] =>
  distinct(tasks.map((task) => task.repository)).map((value) => ({ value, label: repositoryName(value) }));

export const developersOf = (tasks: readonly BoardTask[]): Choice[] =>
  distinct(tasks.map((task) => task.developer)).map((value) => ({ value, label: value }));

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null && value !== ""))].sort() as string[];
