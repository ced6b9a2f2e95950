import { saySymbolClash } from "../../contract/symbol-clash.ts";
import { type Collision, isToTell, wasTold } from "../forecast/model.ts";
import { isRepositoryNamed } from "../project/model.ts";
import type { Occupant, Turn } from "./collision-model.ts";

/** A folder of a repository, as a forecast names it. */
interface Ground {
  readonly repositoryPath: string;
  readonly path: string;
  readonly branch: string | null;
}

/** Who works in a folder: an agent says where, or at least on which branch of which repository. */
export const findOccupant = (ground: Ground, occupants: readonly Occupant[]): Occupant | undefined =>
  occupants.find(({ folder }) => folder === ground.path) ??
  occupants.find(
    ({ folder, branch, repo }) =>
      folder === null && branch !== null && branch === ground.branch && isRepositoryNamed(ground.repositoryPath, repo),
  );

/** Who is at the other end, as far as the reader may know. */
export type OtherEnd =
  | { readonly kind: "agent"; readonly owner: string; readonly name: string }
  | { readonly kind: "own"; readonly name: string }
  | { readonly kind: "someone" | "nobody" | "base" };

/** One line for an agent: with whom, where, since when, and what to do (FC14). */
export function sayCollision(
  { verdict, places, since, baseBranch }: Pick<Collision, "verdict" | "places" | "since" | "baseBranch">,
  other: OtherEnd,
): string {
  const at = `${sayPlaces(places)} since ${new Date(since).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (verdict === "moot")
    return `${plain(baseBranch ?? "The base")} may already do what you are doing in ${at}. Look at that commit: is your work still needed?`;
  if (other.kind === "base") {
    const next = baseBranch === null ? "Rebase now." : `Rebase now: git rebase ${plain(baseBranch)}`;
    return `Your changes conflict with ${plain(baseBranch ?? "the base")} in ${at}. ${next}`;
  }
  const how = verdict === "symbol" ? "merge with but break" : "conflict with";
  return `Your changes ${how} ${sayOther(other)} in ${at}. ${nexts[other.kind]}`;
}

const nexts = {
  agent: "Agree with them on who goes first.",
  own: "Agree with it on who goes first.",
  someone: "Commit and merge in small steps.",
  nobody: "Commit and merge in small steps.",
} as const;

function sayOther(other: Exclude<OtherEnd, { kind: "base" }>): string {
  if (other.kind === "agent") return `${plain(other.owner)}'s (${plain(other.name)})`;
  if (other.kind === "own") return `those of your developer's agent ${plain(other.name)}`;
  return other.kind === "someone" ? "someone's" : "another worktree's";
}

/** Whether an agent is to hear of this now: once, and again when the verdict is another. */
export const isDue = (collision: Collision, reader: Occupant, there: Occupant | undefined): boolean =>
  isToTell(collision) && !wasTold(collision, reader.agentId) && reader.agentId !== there?.agentId;

function sayPlaces(places: Collision["places"]): string {
  const files = [...new Set(places.map(({ path }) => path))];
  const place = places.find(({ path }) => path === files[0]);
  const detail = place?.symbol === undefined ? (place?.heading ?? null) : saySymbolClash(place.symbol);
  const first = plain(files[0] ?? "some files");
  const more = files.length > 1 ? ` and ${files.length - 1} more ${files.length === 2 ? "file" : "files"}` : "";
  return `${first}${detail === null ? "" : ` (${plain(detail)})`}${more}`;
}

const longestName = 120;

/** Names come from repositories: on one line, and of a length that leaves room for the rest. */
const plain = (name: string): string => {
  const line = name.replaceAll(/\p{Cc}+/gu, " ").trim();
  return line.length <= longestName ? line : `${line.slice(0, longestName - 1)}…`;
};

/** How a collision went, as the ledger tells it. */
export const timelineOf = (
  entries: readonly { readonly kind: string; readonly at: number; readonly data: Record<string, unknown> }[],
): Turn[] =>
  entries.flatMap(({ kind, at, data }): Turn[] => {
    const what = kind.replace("collision.", "");
    const isTurn = what === "began" || what === "changed" || what === "ended";
    return isTurn ? [{ at, what, verdict: String(data["verdict"]) }] : [];
  });
