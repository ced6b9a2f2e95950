import { z } from "zod";
import { type SymbolClash, symbolClashReasons } from "../../../contract/symbol-clash.ts";
import type { Occupant } from "../../../domain/context/collision-model.ts";
import type { Collision } from "../../../domain/forecast/model.ts";
import type { Meeting, Outlook, OutlookWorktree } from "../../../domain/forecast/port.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { timeOf } from "../../time.ts";

const WorktreeRecord = z.object({
  path: z.string(),
  branch: z.string().nullable(),
  who: z
    .object({
      agent_id: z.string(),
      agent: z.string(),
      developer: z.string(),
      task_id: z.string().nullable(),
    })
    .nullable()
    .describe("The agent that works there; null where none does."),
  changed: z.number().int().describe("Files that differ from where the work left its base."),
  dirty: z.number().int().describe("Files that are not committed."),
  skipped: z.number().int().describe("Untracked files over 1 MiB, which aren't looked at."),
  left_out: z
    .enum(["unsettled", "too-large", "unreadable"])
    .nullable()
    .describe("Why it was not tried: a merge or rebase is under way, it changes too much, or it can't be read."),
  behind: z
    .object({
      commits: z.number().int(),
      concerning: z
        .number()
        .int()
        .describe("Those that touch a file it changes or a name it counts on; each counts once."),
      functions: z.number().int().describe("Of these, those that change a function it changes too."),
      symbols: z.number().int().describe("Of these, those that change a name it uses, or use one it changes."),
      newest: z
        .array(
          z.object({
            commit: z.string(),
            author: z.string(),
            subject: z.string(),
            path: z.string(),
            why: z.enum(["symbol", "function", "file"]),
            name: z.string().nullable().describe("The name, or the function."),
          }),
        )
        .describe("Five of these at most: names first, then functions, then files, the newest of each first."),
      conflicts: z.array(z.string()).describe("Files that conflict with the base as it is now."),
    })
    .nullable()
    .describe("How far it is behind its base; null where there is none."),
  taken: z
    .enum(["rebased", "squashed", "alike", "moot"])
    .nullable()
    .describe(
      "How the base has its work already: commit by commit, as one commit, or, as a question, most of its lines or half of its changes in one commit.",
    ),
  done_by: z
    .object({ commit: z.string(), subject: z.string(), paths: z.array(z.string()) })
    .nullable()
    .describe("The commit of the base that is asked about."),
});

export const SymbolRecord = z
  .object({
    name: z.string(),
    why: z.enum(symbolClashReasons).describe("Removed or renamed; other parameters; added by both; the file is gone."),
    defined_in: z.string(),
  })
  .nullable()
  .describe("The name that one uses at `path` and the other removes, changes or also adds.");

interface Place {
  readonly path: string;
  readonly heading: string | null;
  readonly symbol?: SymbolClash | undefined;
}

/** A place as the wire has it. */
export const placeRecord = ({ path, heading, symbol }: Place) => ({
  path,
  heading,
  symbol: symbol === undefined ? null : { name: symbol.name, why: symbol.why, defined_in: symbol.definedIn },
});

const CollisionRecord = z.object({
  between: z.array(z.string()).describe("The paths of the two worktrees."),
  verdict: z
    .enum(["conflict", "unknown", "symbol", "near", "same-file"])
    .describe(
      "Git can't merge them; not tried; merged, but one uses what the other removes or changes, or both add it; merged, but in the same function or within ten lines; the same files.",
    ),
  places: z.array(
    z.object({
      path: z.string(),
      heading: z.string().nullable(),
      symbol: SymbolRecord,
    }),
  ),
  id: z.string().nullable().describe("Null until the server has noticed it by itself."),
  since: z.string().nullable().describe("When the server noticed it."),
});

export const OutlookRecord = z.object({
  repository: z.string(),
  base: z.string().nullable().describe("The branch that work is merged into."),
  base_ref: z
    .string()
    .nullable()
    .describe("What to rebase onto: the branch, or the remote's as it was last fetched, such as `origin/main`."),
  worktrees: z.array(WorktreeRecord),
  collisions: z.array(CollisionRecord).describe("Worst first."),
  left_out: z.number().int().describe("Worktrees beyond the first hundred."),
});

const worstFirst = ["conflict", "unknown", "symbol", "near", "same-file"] as const;

interface Ask {
  readonly viewer: Viewer;
  /** Who works in each folder. */
  readonly occupants: ReadonlyMap<string, Occupant>;
  /** What was noticed before. */
  readonly collisions: readonly Collision[];
  readonly all: boolean;
}

/** A repository's outlook as one viewer may see it: of somebody private only that there is someone. */
export function outlookRecord(outlook: Outlook, ask: Ask): z.input<typeof OutlookRecord> {
  const { viewer, occupants } = ask;
  const isShown = ({ path }: OutlookWorktree): boolean => {
    const occupant = occupants.get(path);
    return occupant === undefined || viewer.knows(occupant);
  };
  const nameOf = (path: string): string => {
    const occupant = occupants.get(path);
    return occupant === undefined ? path : viewer.of(occupant).title(path);
  };
  const isTold = ({ verdict }: Meeting): boolean => ask.all || verdict !== "same-file";
  const sightAt = ({ between }: Meeting) => viewer.between(between.map((path) => occupants.get(path) ?? null));
  return {
    repository: outlook.repositoryPath,
    base: outlook.base?.branch ?? null,
    base_ref: outlook.base?.ref ?? null,
    worktrees: outlook.worktrees
      .filter(isShown)
      .map((worktree) => worktreeRecord(worktree, occupants.get(worktree.path), viewer)),
    collisions: outlook.meetings
      .filter((meeting) => isTold(meeting) && sightAt(meeting) !== "nothing")
      .toSorted((one, other) => worstFirst.indexOf(one.verdict) - worstFirst.indexOf(other.verdict))
      .map((meeting) => {
        const { between, verdict } = meeting;
        const places = sightAt(meeting) === "all" ? meeting.places : [];
        const [one, other] = between.toSorted();
        const known = ask.collisions.find((seen) => seen.one === one && seen.other === other);
        return {
          between: between.map(nameOf),
          verdict,
          places: places.map(placeRecord),
          id: known?.id ?? null,
          since: known?.verdict === verdict ? timeOf(known.since) : null,
        };
      }),
    left_out: outlook.leftOut,
  };
}

function worktreeRecord(
  { path, branch, changed, dirty, skipped = 0, leftOutFor, behind, taken = null, doneBy = null }: OutlookWorktree,
  occupant: Occupant | undefined,
  viewer: Viewer,
): z.input<typeof WorktreeRecord> {
  return {
    path,
    branch,
    who:
      occupant === undefined
        ? null
        : {
            agent_id: occupant.agentId,
            agent: occupant.name,
            developer: viewer.nameOf(occupant.developerId),
            task_id: occupant.taskId,
          },
    changed,
    dirty,
    skipped,
    left_out: leftOutFor,
    taken,
    done_by: doneBy && { ...doneBy, paths: [...doneBy.paths] },
    behind: behind && { ...behind, newest: [...behind.newest], conflicts: [...behind.conflicts] },
  };
}
