import type { BoardColumn } from "../../../contract/board.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { holderOf, nameRecords } from "../names.ts";
import { resolveId } from "../record.ts";
import { paint, type Screen, styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { type Cell, table } from "../table.ts";
import { agoText, none, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type BoardTask = AnswerOf<"task_list">["tasks"][number];

/** What a person at a terminal wants to see first; what was cancelled is not shown. */
const columns = ["active", "blocked", "planned", "failed", "done"] as const satisfies readonly BoardColumn[];
const mostInColumn = 20;

interface Options {
  readonly watch?: true;
  readonly column?: string;
  readonly workflow?: string;
}

export function addBoard(shell: Shell): void {
  const command = shell
    .add({
      name: "board",
      summary: "Show the tasks of every workflow by column",
      examples: ["board", "board --column active", 'board --workflow "Faster checkout"', "board --watch"],
    })
    .option("--column <name>", `only this column: ${columns.join(", ")}`)
    .option("--workflow <id>", "only this workflow (id, beginning of an id, or name)")
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { watch = false, column, workflow }) => {
    const api = await openApi(context);
    const workflow_id = workflow === undefined ? undefined : await resolveId(api, "workflow", workflow);
    // What is none of the server's words is the server's to refuse.
    const wanted = column === undefined ? columns : [column as BoardColumn];
    await showOrWatch(context, watch, async () => {
      const board = await readBoard(api, wanted, workflow_id);
      if (context.isJson) return [toJson(board)];
      const nameOf = await nameRecords(
        api,
        Object.values(board).flatMap((tasks) => tasks.map(({ claimed_by }) => claimed_by)),
      );
      return boardLines(board, context.screen, nameOf);
    });
    return undefined;
  });
}

type Board = Record<string, readonly BoardTask[]>;

async function readBoard(api: Api, wanted: readonly BoardColumn[], workflow_id: string | undefined): Promise<Board> {
  const read = async (column: BoardColumn): Promise<[string, readonly BoardTask[]]> => {
    const ask = { column, limit: mostInColumn, ...(workflow_id === undefined ? {} : { workflow_id }) };
    const { tasks } = await api.call("task_list", ask);
    return [column, tasks];
  };
  return Object.fromEntries(await Promise.all(wanted.map(read)));
}

function boardLines(board: Board, screen: Screen, nameOf: (id: string) => string): string[] {
  const filled = Object.entries(board).filter(([, tasks]) => tasks.length > 0);
  if (filled.length === 0) return ['No tasks. Add one with: crewdeck task add "TITLE"'];
  // Laid out together, so that the columns of all groups stand below each other.
  const all = filled.flatMap(([, tasks]) => tasks.map(rowOf(nameOf)));
  const lines = table(all, { screen, indent: 2, flexible: [2, 0], optional: [1, 3] });
  return filled.flatMap(([column, tasks]) => {
    const more = tasks.length === mostInColumn ? ` (latest ${mostInColumn})` : "";
    const heading = paint(screen, styleOf(column) ?? "bold", `${column.toUpperCase()}${more}`);
    return [heading, ...lines.splice(0, tasks.length), ""];
  });
}

const rowOf =
  (nameOf: (id: string) => string) =>
  (task: BoardTask): Cell[] => [
    task.name,
    // What is a workflow of its own has nothing more to say.
    { text: task.workflow === task.name ? none : (task.workflow ?? none), style: "dim" },
    holderOf(task, nameOf),
    { text: agoText(task.updated_at), style: "dim" },
    { text: `#${task.number}`, style: "dim" },
  ];
