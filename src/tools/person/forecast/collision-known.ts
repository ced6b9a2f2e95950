import { z } from "zod";
import { CollisionId } from "../../../contract/ids.ts";
import { lookAtPair, readKnownCollisions } from "../../../domain/context/collision-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { KnownCollisionRecord, knownRecord, PairRecord, pairRecord } from "../voice/known-collision.ts";

export default defineTool({
  name: "collision_known",
  family: "person",
  title: "Show known collisions",
  summary: "See what the server has noticed to collide in all repositories, and since when, without looking again.",
  effect: "read",
  callers: ["person"],
  input: z.object({ id: CollisionId.optional().describe("One of them, with what conflicts in it as it is now.") }),
  output: z.object({
    repositories: z.array(z.string()).describe("Those with collisions, and those that are registered."),
    collisions: z.array(KnownCollisionRecord).describe("Longest first."),
    pair: PairRecord.nullable().describe("Both sides of each place, where one collision was asked for."),
  }),
  refusals: ["NOT_FOUND"],
  examples: [{ title: "everything that collides", input: {} }],
  observe: async ({ id }, look) => (id === undefined ? undefined : lookAtPair(look, id)),
  async handle(_input, work, pair) {
    const viewer = await readViewer(work);
    if (pair) {
      const { repositoryPath } = pair.known.collision;
      return { repositories: [repositoryPath], collisions: [knownRecord(pair.known, viewer)], pair: pairRecord(pair) };
    }
    const { repositories, collisions } = await readKnownCollisions(work, viewer);
    return { repositories, collisions: collisions.map((one) => knownRecord(one, viewer)), pair: null };
  },
});
