import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import type { Member } from "../../data/crew.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export type Session = NonNullable<Member["session"]>;
export type Snapshot = NonNullable<Session["snapshot"]>;
export type Claim = AnswerOf<"session_list">["claims"][number];
type Status = Member["status"];

/** Code that is held without a session. */
export const looseClaimsReading: Reading<readonly Claim[]> = {
  key: "loose claims",
  load: async (signal) => (await read("/api/sessions", { limit: 1 }, signal)).claims,
  applyEvent: (claims, { kind }) => (kind.startsWith("claim.") || kind === "developer.updated" ? readAgain : claims),
};

/** The last lines of programs that we started. No event says that one has put something out: it is asked again and again. */
export const tailsReading: Reading<ReadonlyMap<string, readonly string[]>> = {
  key: "instance tails",
  load: async (signal) =>
    new Map((await read("/api/instance-tails", { lines: 3 }, signal)).tails.map(({ id, lines }) => [id, lines])),
};

/** A session silent for longer than this is stale. */
const staleAfterMs = 30 * 60_000;

/** Told by the clock: no event says that nothing happens. */
export function statusAt({ status, session, last_seen_at }: Member, now: number): Status {
  const isOpen = session !== null && session.ended_at === null;
  return isOpen && status !== "offline" && now - Date.parse(last_seen_at) > staleAfterMs ? "stale" : status;
}

const order: readonly Status[] = ["working", "idle", "stale", "offline"];

/** Who is working first, then who is idle, then who is silent or offline; the last heard of first. */
export function chooseAgents(agents: readonly Member[], text: string, now: number): Member[] {
  const words = text.trim().toLowerCase();
  return agents
    .filter((agent) => textOf(agent).includes(words))
    .sort(
      (one, other) =>
        order.indexOf(statusAt(one, now)) - order.indexOf(statusAt(other, now)) ||
        other.last_seen_at.localeCompare(one.last_seen_at),
    );
}

const textOf = ({ name, client, developer, folder, branch, tasks, session }: Member): string =>
  [name, client, developer, folder, branch, session?.repo, session?.model, ...tasks.map((task) => task.name)]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();

/** The repository or folder it works in, without the long way to it, and its branch. */
export const sayPlace = ({ folder, branch, session }: Member): string =>
  [session?.repo ?? folder?.split(/[\\/]/).filter(Boolean).at(-1), branch].filter(Boolean).join(" · ");

/** What it has changed and nobody else has yet. */
export function sayChanges({ session }: Member): string {
  if (!session?.snapshot) return "";
  const { dirty_total: dirty, unpushed_total: unpushed } = session.snapshot;
  if (dirty + unpushed === 0) return "clean";
  return [dirty > 0 ? `${dirty} dirty` : "", unpushed > 0 ? `${unpushed} unpushed` : ""].filter(Boolean).join(" · ");
}

/** What is held, in a line. */
export const sayHeld = ({ paths, symbols }: Pick<Claim, "paths" | "symbols">): string =>
  [...paths, ...symbols].join(", ");
