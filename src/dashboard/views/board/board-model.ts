import { type BoardLane, boardLanes, columnOf, laneNames, laneOf } from "../../../contract/board.ts";
import { type Lifecycle, lifecycle } from "../../../contract/lifecycle.ts";
import { read } from "../../data/api.ts";
import { type LiveEvent, textIn, wordIn } from "../../data/event.ts";
import { identityOf, learnName, nameOf, sayIdentity } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { type BoardTask, repositoryName } from "../../data/task.ts";

export interface Board {
  readonly tasks: readonly BoardTask[];
  /** Lanes of which there is more than was read. */
  readonly unfinished: ReadonlySet<BoardLane>;
}

const pageSize = 200;
const largestPage = 500;

/** How far down each lane somebody has looked; a board that is read again goes as far. */
const wanted: Record<BoardLane, number> = { planned: pageSize, active: pageSize, blocked: pageSize, done: pageSize };

export const boardReading: Reading<Board> = {
  key: "board",
  async load(signal) {
    const read = await Promise.all(laneNames.map((lane) => readLane(lane, signal)));
    const tasks = onlyNewest(read.flatMap((one) => one.tasks));
    for (const task of tasks) learnName(task.id, task.name);
    return { tasks, unfinished: new Set(laneNames.filter((_lane, place) => read[place]?.isUnfinished)) };
  },
  applyEvent: applyToBoard,
  goesFurther: (event) =>
    [
      "task.created",
      "task.started",
      "task.completed",
      "task.replanned",
      "workflow.planSet",
      "worktree.registered",
    ].includes(event.kind) ||
    event.kind.startsWith("receipt.") ||
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

/** Looks further down a lane; answers whether there was anything to look for. */
export function wantMore(board: Board, lane: BoardLane): boolean {
  if (!board.unfinished.has(lane)) return false;
  wanted[lane] += pageSize;
  return true;
}

async function readLane(lane: BoardLane, signal: AbortSignal): Promise<{ tasks: BoardTask[]; isUnfinished: boolean }> {
  const tasks: BoardTask[] = [];
  let isUnfinished = false;
  for (const column of boardLanes[lane]) {
    for (let offset = 0; offset < wanted[lane]; offset += largestPage) {
      const limit = Math.min(largestPage, wanted[lane] - offset);
      const page = await read("/api/tasks", { column, limit, offset }, signal);
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
  if (event.kind.startsWith("receipt.")) return readAgain;
  if (!event.kind.startsWith("task.")) return board;
  const known = board.tasks.find((task) => task.id === event.subject);
  if (!known) return event.kind === "task.created" ? addTask(board, event) : readAgain;
  const { data, ts } = event;
  switch (event.kind) {
    case "task.statusChanged":
    case "task.replanned":
    case "task.planSet": {
      const status = wordIn(data, "to", lifecycle) ?? wordIn(data, "status", lifecycle);
      // What a finished task can show for itself only the server knows.
      if (status === undefined || status === "done") return readAgain;
      return replaceTask(board, { ...known, status, column: columnAfter(known, status), updated_at: ts });
    }
    case "task.claimed": {
      const holder = textIn(data, "agent_id") ?? null;
      const who = holder === null ? undefined : identityOf(holder);
      if (who === undefined) return readAgain;
      const held = { holder: who.name, holder_developer: who.owner, runtime: who.client, holder_status: "busy" };
      return replaceTask(board, { ...known, ...held, claimed_by: holder, updated_at: ts });
    }
    case "task.released": {
      const status = wordIn(data, "status", lifecycle) ?? known.status;
      const nobody = { claimed_by: null, holder: null, holder_developer: null, runtime: null, holder_status: null };
      return replaceTask(board, { ...known, ...nobody, status, column: columnAfter(known, status), updated_at: ts });
    }
    default:
      return board;
  }
}

/** A task that waits for others stays where it is while it is planned: only the server knows for whom it waits. */
const columnAfter = (known: BoardTask, status: Lifecycle): string =>
  status === "planned" && known.status === "planned" ? known.column : columnOf(status, false);

function addTask(board: Board, { subject, data, ts }: LiveEvent): Board | typeof readAgain {
  const name = textIn(data, "name");
  const status = wordIn(data, "status", lifecycle);
  if (name === undefined || status === undefined) return readAgain;
  const workflow = textIn(data, "workflow_id") ?? null;
  const task: BoardTask = {
    id: subject,
    name,
    column: columnOf(status, false),
    status,
    workflow_id: workflow,
    workflow: workflow === null ? null : (nameOf(workflow) ?? null),
    claimed_by: null,
    holder: null,
    holder_developer: null,
    runtime: null,
    holder_status: null,
    developer: "",
    repository: null,
    branch: null,
    result: null,
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

/** What a card says: waiting for other tasks is no trouble, having failed is. */
export const statusOf = (task: BoardTask): string =>
  task.status === "planned" && laneOf(task.column) === "blocked" ? "waits" : task.status;

/** Who the holder is, after its name: its client and its owner. */
export const sayHolder = ({ holder, runtime, holder_developer, developer }: BoardTask): string =>
  sayIdentity({ name: holder ?? "", client: runtime, owner: holder_developer ?? developer });

/** Number, repository and workflow. A workflow that was created for this task alone has its name and says nothing more. */
export const sayPlace = ({ name, number, repository, workflow }: BoardTask): string =>
  [number !== undefined && `#${number}`, repository && repositoryName(repository), workflow !== name && workflow]
    .filter(Boolean)
    .join(" · ");

interface BoardFilter {
  readonly text: string;
  readonly repository: string;
  readonly developer: string;
}

/** The tasks that fit, by lane, trouble first, then last changed first. */
export function sortBoard(tasks: readonly BoardTask[], filter: BoardFilter): Record<BoardLane, BoardTask[]> {
  const sorted: Record<BoardLane, BoardTask[]> = { planned: [], active: [], blocked: [], done: [] };
  for (const task of tasks) if (fits(task, filter)) sorted[laneOf(task.column)].push(task);
  const isTrouble = (task: BoardTask): number => (task.status === "failed" || task.status === "blocked" ? 1 : 0);
  for (const lane of laneNames) {
    sorted[lane].sort(
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

export function fits(task: BoardTask, { text, repository, developer }: BoardFilter): boolean {
  if (repository !== "" && task.repository !== repository) return false;
  if (developer !== "" && task.developer !== developer) return false;
  if (text === "") return true;
  const all = [
    task.name,
    task.number === undefined ? "" : `#${task.number}`,
    task.workflow,
    task.holder,
    task.runtime,
    task.holder_developer,
    task.developer,
    task.branch,
    task.repository,
  ].join(" ");
  return all.toLowerCase().includes(text.toLowerCase());
}

interface Choice {
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
