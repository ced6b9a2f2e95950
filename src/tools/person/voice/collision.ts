import { z } from "zod";
import type { NamedSession } from "../../../domain/agent/session-queries.ts";
import type { Meeting, Outlook, OutlookWorktree } from "../../../domain/forecast/port.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";

const WorktreeRecord = z.object({
  path: z.string(),
  branch: z.string().nullable(),
  who: z
    .object({ agent: z.string(), developer: z.string() })
    .nullable()
    .describe("The session that works there; null where none does."),
  changed: z.number().int().describe("Files that differ from where the work left its base."),
  dirty: z.number().int().describe("Files that are not committed."),
  left_out: z
    .enum(["unsettled", "too-large", "unreadable"])
    .nullable()
    .describe("Why it was not tried: a merge or rebase is under way, it changes too much, or it can't be read."),
  behind: z
    .object({
      commits: z.number().int(),
      concerning: z.number().int().describe("Those that touch a file which the worktree changes."),
      newest: z.array(z.object({ commit: z.string(), author: z.string(), subject: z.string(), path: z.string() })),
      conflicts: z.array(z.string()).describe("Files that conflict with the base as it is now."),
    })
    .nullable()
    .describe("How far it is behind its base; null where there is none."),
});

const CollisionRecord = z.object({
  between: z.array(z.string()).describe("The paths of the two worktrees."),
  verdict: z
    .enum(["conflict", "unknown", "near", "same-file"])
    .describe("Git can't merge them; not tried; merged, but in the same function or within ten lines; the same files."),
  places: z.array(z.object({ path: z.string(), heading: z.string().nullable() })),
});

export const OutlookRecord = z.object({
  repository: z.string(),
  base: z.string().nullable().describe("The branch that work is merged into."),
  worktrees: z.array(WorktreeRecord),
  collisions: z.array(CollisionRecord).describe("Worst first."),
  left_out: z.number().int().describe("Worktrees beyond the first hundred."),
});

const worstFirst = ["conflict", "unknown", "near", "same-file"] as const;

/** A repository's outlook as one viewer may see it: of somebody private only that there is someone. */
export function outlookRecord(
  outlook: Outlook,
  ask: { readonly viewer: Viewer; readonly sessions: readonly NamedSession[]; readonly all: boolean },
): z.input<typeof OutlookRecord> {
  const seats: Seat[] = outlook.worktrees.map((worktree) => ({ worktree, session: sessionAt(worktree, ask.sessions) }));
  const isShown = ({ session }: Seat): boolean => session === undefined || ask.viewer.knows(session);
  const names = new Map(
    seats.map(({ worktree, session }) => [worktree.path, session ? ask.viewer.of(session).title(worktree.path) : null]),
  );
  const isTold = ({ verdict }: Meeting): boolean => ask.all || verdict !== "same-file";
  return {
    repository: outlook.repositoryPath,
    base: outlook.base?.branch ?? null,
    worktrees: seats.filter(isShown).map(({ worktree, session }) => worktreeRecord(worktree, session, ask.viewer)),
    collisions: outlook.meetings
      .filter(isTold)
      .toSorted((one, other) => worstFirst.indexOf(one.verdict) - worstFirst.indexOf(other.verdict))
      .map(({ between, verdict, places }) => ({
        between: between.map((path) => names.get(path) ?? path),
        verdict,
        places: [...places],
      })),
    left_out: outlook.leftOut,
  };
}

interface Seat {
  readonly worktree: OutlookWorktree;
  readonly session: NamedSession | undefined;
}

/** A session says where it works, or at least on which branch. */
const sessionAt = (worktree: OutlookWorktree, sessions: readonly NamedSession[]): NamedSession | undefined =>
  sessions.find((session) => session.worktree === worktree.path) ??
  sessions.find((session) => session.branch !== null && session.branch === worktree.branch);

function worktreeRecord(
  { path, branch, changed, dirty, leftOutFor, behind }: OutlookWorktree,
  session: NamedSession | undefined,
  viewer: Viewer,
): z.input<typeof WorktreeRecord> {
  return {
    path,
    branch,
    who: session === undefined ? null : { agent: session.name, developer: viewer.nameOf(session.developerId) },
    changed,
    dirty,
    left_out: leftOutFor,
    behind: behind && { ...behind, newest: [...behind.newest], conflicts: [...behind.conflicts] },
  };
}
