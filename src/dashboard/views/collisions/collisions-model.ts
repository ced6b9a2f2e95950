import { saySymbolClash } from "../../../contract/symbol-clash.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { type Collision, isAboutCollisions } from "../../data/collisions.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type Known = AnswerOf<"collision_known">;
/** A collision with both sides of each place. */
export type Pair = Collision & NonNullable<Known["pair"]>;
type End = Collision["ends"][number];

export const pairReading = (id: string): Reading<Pair> => ({
  key: `collision ${id}`,
  load: async () => pairIn(await callTool("collision_known", { id })),
  applyEvent: (value, event) => (isAboutCollisions(event) && event.subject === id ? readAgain : value),
});

function pairIn({ collisions: [collision], pair }: Known): Pair {
  if (!collision || !pair) throw new Error("The server answered without the collision.");
  return { ...collision, ...pair };
}

/** The last part of a path, which is what people call a worktree. */
const nameOfPath = (path: string): string => path.split(/[\\/]/).at(-1) || path;

/** How a worktree is called: by its folder, or as somebody's whose work is private. */
export const nameOf = ({ path, developer }: End): string => (path === null ? (developer ?? "—") : nameOfPath(path));

export const sayRepository = (path: string): string => nameOfPath(path);

export const sayVerdict = (verdict: Collision["verdict"]): string => verdicts[verdict];

const verdicts: Readonly<Record<Collision["verdict"], string>> = {
  conflict: "Conflict",
  symbol: "Breaks when merged",
  near: "Close",
  moot: "Still needed?",
};

/** Colour is for what somebody has to do something about. */
export const toneOf = (verdict: Collision["verdict"]): string =>
  verdict === "near" || verdict === "moot" ? "stale" : "blocked";

/** What is in the way at one place: a heading, or a name and what happens to it. */
export const sayPlace = ({ path, heading, symbol }: Collision["places"][number]): string => {
  if (symbol !== null) return `${path}: ${saySymbolClash({ ...symbol, definedIn: symbol.defined_in })}`;
  return heading === null ? path : `${path}: ${heading}`;
};

export const sayPair = ({ ends, base }: Pick<Collision, "ends" | "base">): string =>
  [...ends.map(nameOf), ...(base === null ? [] : [base])].join(" and ");

interface Matrix {
  readonly names: readonly string[];
  /** By row and then by column; the same on both sides of the diagonal. */
  at(row: number, column: number): Collision | undefined;
}

/** Who collides with whom: every worktree that collides with another is a row and a column. */
export function matrixOf(collisions: readonly Collision[]): Matrix {
  const pairs = collisions.filter(({ ends }) => ends.length === 2);
  const names = [...new Set(pairs.flatMap(({ ends }) => ends.map(nameOf)))].sort();
  const found = new Map(
    pairs.flatMap((pair) => {
      const [one = "", other = ""] = pair.ends.map(nameOf);
      return [
        [`${one}\n${other}`, pair],
        [`${other}\n${one}`, pair],
      ] as const;
    }),
  );
  return { names, at: (row, column) => found.get(`${names[row]}\n${names[column]}`) };
}

/** The way out of a conflict for who goes second, to be pasted into a terminal; undefined where a folder is not known. */
export function rebaseCommand({ ends, base }: Pick<Collision, "ends" | "base">): string | undefined {
  const [one, other] = ends;
  if (!one?.path) return undefined;
  if (base !== null) return `git -C ${quote(one.path)} rebase ${quote(base)}`;
  if (!other?.path) return undefined;
  return `git -C ${quote(one.path)} rebase "$(git -C ${quote(other.path)} rev-parse HEAD)"`;
}

/** The commit that may have made work moot, to be looked at; undefined where the folder is not known. */
export function commitCommand({ ends, places }: Pick<Collision, "ends" | "places">): string | undefined {
  const [commit] = /^[0-9a-f]{7,}/.exec(places[0]?.heading ?? "") ?? [];
  const path = ends[0]?.path;
  return path && commit ? `git -C ${quote(path)} show ${commit}` : undefined;
}

/** Names of folders and branches are anything; in single quotes a shell takes them as they are. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whom the reader can ask: the people at the ends, by name. */
export const peopleOf = ({ ends }: Pick<Collision, "ends">, self: string | undefined): string[] => [
  ...new Set(
    ends.flatMap(({ developer, agent_id }) => (developer && agent_id && developer !== self ? [developer] : [])),
  ),
];

export const ask = (to: string, question: string): Promise<unknown> =>
  callTool("covibe_coordination", { operation: "ask", to, question });

export const handOver = (to: string, summary: string, taskId: string | undefined): Promise<unknown> =>
  callTool("covibe_coordination", {
    operation: "handoff",
    to,
    summary,
    ...(taskId === undefined ? {} : { task_id: taskId }),
  });
