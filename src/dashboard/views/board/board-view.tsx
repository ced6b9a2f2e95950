import { useCallback, useMemo, useState } from "react";
import { type BoardLane, laneNames } from "../../../contract/board.ts";
import { agentsReading } from "../../data/agents.ts";
import { collisionsReading } from "../../data/collisions.ts";
import { deck } from "../../data/deck.ts";
import { doubtsReading } from "../../data/doubts.ts";
import { type Move, movesOf, moveTask } from "../../data/moves.ts";
import { privateName } from "../../data/names.ts";
import type { BoardTask } from "../../data/task.ts";
import { reportReading } from "../../data/usage.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { openOverlay } from "../../page/overlay.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { FirstMinute } from "../../parts/first-minute.tsx";
import { Menu } from "../../parts/menu.tsx";
import { MoveDialog } from "../../parts/move-dialog.tsx";
import { NoMatch } from "../../parts/no-match.tsx";
import { Page } from "../../parts/page.tsx";
import { SavedViews } from "../../parts/saved-views.tsx";
import { Search } from "../../parts/search.tsx";
import { Select } from "../../parts/select.tsx";
import { Show } from "../../parts/states.tsx";
import { attempt } from "../../parts/toast.tsx";
import { BoardColumn } from "./board-column.tsx";
import { BoardList } from "./board-list.tsx";
import {
  type Board,
  boardReading,
  developersOf,
  fits,
  repositoriesOf,
  sayCount,
  sortBoard,
  wantMore,
} from "./board-model.ts";
import "./board.css";

/** Everything that is planned, under way, stuck and done, over all repositories. */
export function BoardView() {
  const { query } = usePlace();
  const shown = useReading(boardReading);
  const filter = {
    text: query.get("q") ?? "",
    repository: query.get("repository") ?? "",
    developer: query.get("developer") ?? "",
  };
  const isList = query.get("as") === "list";
  const tasks = shown.value?.tasks ?? [];
  return (
    <Page
      title="Board"
      fills
      note={shown.value && sayCount(shown.value, filter)}
      actions={
        <>
          <Menu
            label="Plan"
            items={[
              { label: "Task", letter: "t", choose: () => openOverlay("plan-task") },
              { label: "Workstream", letter: "w", choose: () => openOverlay("plan-workstream") },
            ]}
          >
            Plan…
          </Menu>
          <SavedViews path="/board" />
          <button type="button" aria-pressed={isList} onClick={() => changeQuery({ as: isList ? undefined : "list" })}>
            List
          </button>
        </>
      }
    >
      <div className="filters">
        <Search label="Find tasks" value={filter.text} onChange={(q) => changeQuery({ q })} />
        <Select
          label="Repository"
          all="All repositories"
          value={filter.repository}
          choices={repositoriesOf(tasks)}
          onChange={(repository) => changeQuery({ repository })}
        />
        <Select
          label="Owner"
          all="All owners"
          value={filter.developer}
          choices={developersOf(tasks)}
          onChange={(developer) => changeQuery({ developer })}
        />
      </div>
      <Show shown={shown} what="tasks" isEmpty={(board) => board.tasks.length === 0} empty={<NoTasks />}>
        {(board) =>
          board.tasks.some((task) => fits(task, filter)) ? (
            <Tasks board={board} filter={filter} isList={isList} />
          ) : (
            <div className="state">
              <NoMatch
                what="tasks"
                onClear={() => changeQuery({ q: undefined, repository: undefined, developer: undefined })}
              />
            </div>
          )
        }
      </Show>
    </Page>
  );
}

interface TasksProps {
  readonly board: Board;
  readonly filter: { text: string; repository: string; developer: string };
  readonly isList: boolean;
}

function Tasks({ board, filter, isList }: TasksProps) {
  const { text, repository, developer } = filter;
  const sorted = useMemo(
    () => sortBoard(board.tasks, { text, repository, developer }),
    [board.tasks, text, repository, developer],
  );
  const costs = useCosts();
  const doubts = useDoubts();
  const collisions = useCollisions();
  const [current, setCurrent] = useState<{ column: BoardLane; place: number }>({ column: "active", place: 0 });
  const [asked, setAsked] = useState<{ task: BoardTask; move: Move }>();
  const chosen = sorted[current.column][current.place];
  const step = (places: number): void => {
    const last = sorted[current.column].length - 1;
    setCurrent({ ...current, place: Math.max(0, Math.min(last, current.place + places)) });
  };
  const stepAside = (by: number): void => {
    const column = laneNames[laneNames.indexOf(current.column) + by];
    if (column) setCurrent({ column, place: Math.min(current.place, Math.max(0, sorted[column].length - 1)) });
  };
  useKeys([
    { keys: "j", label: "Next", act: () => step(1) },
    { keys: "k", label: "Previous", act: () => step(-1) },
    { keys: "h", label: "Column to the left", act: () => stepAside(-1) },
    { keys: "l", label: "Column to the right", act: () => stepAside(1) },
    { keys: "Enter", label: "Open the task", act: () => openTask(chosen) },
    { keys: "m", label: "Move the task", act: () => openMoves(chosen) },
  ]);
  const move = useCallback((task: BoardTask, chosenMove: Move) => {
    if (chosenMove.asks) setAsked({ task, move: chosenMove });
    else void attempt(() => moveTask(task, chosenMove, ""));
  }, []);
  const more = (column: BoardLane): void => {
    if (wantMore(board, column)) void deck.store.reload(boardReading.key);
  };
  const shared = { sorted, current: chosen?.id, onMove: move };
  return (
    <>
      {isList ? (
        <BoardList {...shared} />
      ) : (
        <div className="board">
          {laneNames.map((column) => (
            <BoardColumn
              key={column}
              column={column}
              tasks={sorted[column]}
              all={board.tasks}
              isUnfinished={board.unfinished.has(column)}
              current={current.column === column ? current.place : undefined}
              costs={costs}
              doubts={doubts}
              collisions={collisions}
              onMove={move}
              onNearEnd={() => more(column)}
            />
          ))}
        </div>
      )}
      {asked && <MoveDialog {...asNow(asked, board.tasks)} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const costReading = reportReading({ by: "task", range: "quarter", provenance: undefined });

/** What each task cost; a board without it is still a board. */
function useCosts(): ReadonlyMap<string, number> {
  const { value } = useReading(costReading);
  return useMemo(() => {
    const groups = value?.groups ?? [];
    return new Map(groups.flatMap(({ key, cost_usd: cost }) => (key === null || cost === 0 ? [] : [[key, cost]])));
  }, [value]);
}

/** Where each task that may be done twice is held against what it is like. */
function useDoubts(): ReadonlyMap<string, string> {
  const { value } = useReading(doubtsReading("everyone"));
  return useMemo(
    () => new Map((value ?? []).flatMap((doubt) => doubt.work_ids.map((id) => [id, `/overlap/${doubt.id}`]))),
    [value],
  );
}

/** Where each task whose work conflicts with other work is shown beside it. */
function useCollisions(): ReadonlyMap<string, string> {
  const { value } = useReading(collisionsReading);
  return useMemo(() => {
    const conflicts = (value?.collisions ?? []).filter(({ verdict }) => verdict === "conflict" || verdict === "symbol");
    return new Map(
      conflicts.flatMap(({ id, ends }) =>
        ends.flatMap(({ task_id: task }) => (task === null ? [] : [[task, `/collisions?pair=${id}`]])),
      ),
    );
  }, [value]);
}

/** The same move from where the task is by now: it may have gone on while the words were typed. */
function asNow(asked: { task: BoardTask; move: Move }, tasks: readonly BoardTask[]): { task: BoardTask; move: Move } {
  const task = tasks.find(({ id }) => id === asked.task.id) ?? asked.task;
  return { task, move: movesOf(task).find(({ label }) => label === asked.move.label) ?? asked.move };
}

/** What is a private person's has no page for others. */
function openTask(task: BoardTask | undefined): void {
  if (task && task.name !== privateName) go(`/tasks/${task.id}`);
}

/** The menu of the card; the same one a click opens. */
function openMoves(task: BoardTask | undefined): void {
  if (task) document.querySelector<HTMLElement>(`[data-moves="${CSS.escape(task.id)}"] button`)?.click();
}

function NoTasks() {
  const agents = useReading(agentsReading).value ?? [];
  const first = agents.find(({ status }) => status !== "offline");
  if (agents.length === 0) return <FirstMinute />;
  return (
    <>
      <p className="strong">No tasks yet{first && `. ${first.name} is connected`}.</p>
      <p>Ask an agent to plan its work with Crewdeck, or create a workflow from a template:</p>
      <Command text={'crewdeck call template_apply --template_id builtin:feature --workflow_name "First feature"'} />
    </>
  );
}
