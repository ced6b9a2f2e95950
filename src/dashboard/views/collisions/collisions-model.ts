import { saySymbolClash } from "../../../contract/symbol-clash.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { type Collision, isAboutCollisions } from "../../data/collisions.ts";
import { ensureMe, mailReading } from "../../data/mail.ts";
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

interface Row {
  readonly key: string;
  readonly name: string;
}

interface Matrix {
  readonly rows: readonly Row[];
  /** By row and then by column; the same on both sides of the diagonal. */
  at(row: number, column: number): Collision | undefined;
}

/** Who collides with whom: every worktree that collides with another is a row and a column. */
export function matrixOf(collisions: readonly Collision[]): Matrix {
  const pairs = collisions.filter(({ ends }) => ends.length === 2);
  // Private worktrees can't be told from each other, so each pair has its own.
  const keysOf = ({ id, ends }: Collision): string[] => ends.map(({ path }, at) => path ?? `${id} ${at}`);
  const names = new Map(pairs.flatMap((pair) => keysOf(pair).map((key, at) => [key, nameOf(pair.ends[at] ?? nobody)])));
  const isTaken = (name: string): boolean => [...names.values()].filter((one) => one === name).length > 1;
  const rows = [...names]
    .map(([key, name]) => ({ key, name: isTaken(name) && key.includes("/") ? lastTwo(key) : name }))
    .sort((one, other) => (`${one.name} ${one.key}` < `${other.name} ${other.key}` ? -1 : 1));
  const found = new Map(
    pairs.flatMap((pair) => {
      const [one = "", other = ""] = keysOf(pair);
      return [
        [`${one}\n${other}`, pair],
        [`${other}\n${one}`, pair],
      ] as const;
    }),
  );
  return { rows, at: (row, column) => found.get(`${rows[row]?.key}\n${rows[column]?.key}`) };
}

const nobody: End = { path: null, agent_id: null, agent: null, developer: null, task_id: null };

const lastTwo = (path: string): string => path.split(/[\\/]/).slice(-2).join("/");

/**
 * The way out of a conflict for who goes second, to be pasted into a terminal: in the reader's worktree or in one where
 * nobody works, never in somebody else's. Undefined where there is none, or a folder is not known.
 */
export function rebaseCommand(
  { ends, base }: Pick<Collision, "ends" | "base">,
  self: string | undefined,
): string | undefined {
  const mine = ends.find(({ developer }) => developer !== null && developer === self);
  const own = mine ?? ends.find(({ developer }) => developer === null);
  if (!own?.path) return undefined;
  if (base !== null) return `git -C ${quote(own.path)} rebase ${quote(base)}`;
  const other = ends.find((end) => end !== own);
  if (!other?.path) return undefined;
  return `git -C ${quote(own.path)} rebase "$(git -C ${quote(other.path)} rev-parse HEAD)"`;
}

/** The commit that may have made work moot, to be looked at; undefined where the folder is not known. */
export function commitCommand({ ends, places }: Pick<Collision, "ends" | "places">): string | undefined {
  const [commit] = /^[0-9a-f]{7,}/.exec(places[0]?.heading ?? "") ?? [];
  const path = ends[0]?.path;
  return path && commit ? `git -C ${quote(path)} show ${commit}` : undefined;
}

/** Names of folders and branches are anything; in single quotes a shell takes them as they are. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Somebody at an end whom the reader can turn to: a teammate, or one of the reader's own agents. */
export interface Contact {
  readonly name: string;
  readonly handle: string;
  /** Of the reader's own agents. */
  readonly agentId: string | null;
  /** The reader's task at the other end, which can be handed over. */
  readonly taskId: string | null;
}

/** Teammates at the ends; where all are the reader's own, the agents. */
export function contactsOf({ ends }: Pick<Collision, "ends">, self: string | undefined): Contact[] {
  const all = ends.flatMap((end): Contact[] => {
    const { developer, agent, agent_id } = end;
    if (!developer || !agent_id) return [];
    const giver = ends.find((other) => other !== end && other.developer === self);
    const isOwn = developer === self;
    return [
      {
        name: isOwn ? (agent ?? nameOf(end)) : developer,
        handle: developer,
        agentId: isOwn ? agent_id : null,
        taskId: giver?.task_id ?? null,
      },
    ];
  });
  const others = all.filter(({ agentId }) => agentId === null);
  if (others.length > 0) return others.slice(0, 1);
  return all.length > 1 ? all : [];
}

/** A teammate's agents share an inbox; one of the reader's own is written to. */
export async function ask({ handle, agentId }: Contact, question: string): Promise<void> {
  if (agentId === null) {
    await callTool("covibe_coordination", { operation: "ask", to: handle, question });
    return;
  }
  const sender_id = await ensureMe(await mailReading.load(new AbortController().signal));
  await callTool("message_send", { sender_id, recipient_id: agentId, message_type: "query", body: question });
}

export const handOver = ({ handle, taskId }: Contact, summary: string): Promise<unknown> =>
  callTool("covibe_coordination", {
    operation: "handoff",
    to: handle,
    summary,
    ...(taskId === null ? {} : { task_id: taskId }),
  });
