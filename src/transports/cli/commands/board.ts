import type { BoardColumn } from "../../../contract/board.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import type { Shell } from "../shell.ts";
import { cleanText, durationText, shorten, table, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type BoardTask = AnswerOf<"task_list">["tasks"][number];

/** What a person at a terminal wants to see first; what was given up is not shown. */
const columns = ["active", "blocked", "planned", "failed", "done"] as const satisfies readonly BoardColumn[];
const mostInColumn = 20;

export function addBoard(shell: Shell): void {
  const command = shell
    .add({
      name: "board",
      summary: "Show every workflow's tasks: active, blocked, planned, failed, done",
      examples: ["board", "board --watch", "board --json"],
    })
    .option("--watch", "show it again whenever it changes, until Ctrl-C");
  shell.does<{ watch?: true }>(command, async (context, { watch }) => {
    const api = await openApi(context);
    await showOrWatch(context, watch ?? false, async () => {
      const board = await readBoard(api);
      return context.isJson ? [toJson(board)] : boardLines(board);
    });
    return undefined;
  });
}

type Board = Record<string, readonly BoardTask[]>;

async function readBoard(api: Api): Promise<Board> {
  const read = async (column: BoardColumn): Promise<[string, readonly BoardTask[]]> => {
    const { tasks } = await api.call("task_list", { column, limit: mostInColumn });
    return [column, tasks];
  };
  return Object.fromEntries(await Promise.all(columns.map(read)));
}

function boardLines(board: Board): string[] {
  const filled = columns.filter((column) => (board[column]?.length ?? 0) > 0);
  if (filled.length === 0) {
    return ["The board is empty. Plan something: crewdeck call workflow_create --help"];
  }
  return filled.flatMap((column) => {
    const tasks = board[column] ?? [];
    const more = tasks.length === mostInColumn ? ` (the latest ${mostInColumn})` : "";
    return [`${column.toUpperCase()}${more}`, ...table(tasks.map(rowOf)).map((line) => `  ${line}`), ""];
  });
}

const rowOf = (task: BoardTask): string[] => [
  shorten(cleanText(task.name), 50),
  shorten(cleanText(task.workflow ?? ""), 30),
  task.holder === null ? `for ${task.developer}` : `${shorten(cleanText(task.holder), 24)} for ${task.developer}`,
  `${durationText(Date.now() - Date.parse(task.updated_at))} ago`,
  task.id,
];
