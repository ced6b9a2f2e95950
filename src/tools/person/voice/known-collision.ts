import { z } from "zod";
import { collisionVerdicts } from "../../../contract/words.ts";
import type { KnownCollision, Occupant } from "../../../domain/context/collision-model.ts";
import type { CollisionPair } from "../../../domain/context/collision-operations.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { timeOf } from "../../time.ts";
import { placeRecord, SymbolRecord } from "./collision.ts";

const EndRecord = z.object({
  path: z.string().nullable().describe("Null for the base, and for a private person's worktree."),
  agent_id: z.string().nullable(),
  agent: z.string().nullable(),
  developer: z.string().nullable(),
  task_id: z.string().nullable(),
});

export const KnownCollisionRecord = z.object({
  id: z.string(),
  repository: z.string(),
  verdict: z.enum(collisionVerdicts),
  base: z.string().nullable().describe("The branch, where the conflict is with the base."),
  ends: z.array(EndRecord),
  places: z.array(z.object({ path: z.string(), heading: z.string().nullable(), symbol: SymbolRecord })),
  since: z.string(),
});

export const PairRecord = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      hunks: z
        .array(z.object({ line: z.number().int(), one: z.array(z.string()), other: z.array(z.string()) }))
        .describe("None where one side deleted the file or made something else of it."),
      truncated: z.boolean(),
    }),
  ),
  timeline: z.array(z.object({ at: z.string(), what: z.enum(["began", "changed", "ended"]), verdict: z.string() })),
});

export const pairRecord = ({ files, timeline }: CollisionPair): z.input<typeof PairRecord> => ({
  files: files.map(({ path, hunks, isCut }) => ({
    path,
    hunks: hunks.map(({ line, one, other }) => ({ line, one: [...one], other: [...other] })),
    truncated: isCut,
  })),
  timeline: timeline.map(({ at, what, verdict }) => ({ at: timeOf(at), what, verdict })),
});

/** A collision as one viewer may see it: of somebody private only that there is someone. */
export function knownRecord({ collision, ends }: KnownCollision, viewer: Viewer): z.input<typeof KnownCollisionRecord> {
  const occupants = ends.map(({ occupant }) => occupant);
  return {
    id: collision.id,
    repository: collision.repositoryPath,
    verdict: collision.verdict,
    base: collision.baseBranch,
    ends: ends.map(({ path, occupant }) => endRecord(path, occupant, viewer)),
    places: viewer.between(occupants) === "all" ? collision.places.map(placeRecord) : [],
    since: timeOf(collision.since),
  };
}

function endRecord(path: string, occupant: Occupant | null, viewer: Viewer): z.input<typeof EndRecord> {
  if (occupant === null) return { path, agent_id: null, agent: null, developer: null, task_id: null };
  const sight = viewer.of(occupant);
  return {
    path: sight.value(path),
    agent_id: sight.value(occupant.agentId),
    agent: sight.value(occupant.name),
    developer: sight.owner,
    task_id: sight.value(occupant.taskId),
  };
}
