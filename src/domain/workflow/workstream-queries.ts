import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { Workflow } from "./model.ts";
import { workflowOf } from "./queries.ts";

/**
 * A developer's workstreams that take tasks, last changed first, without those that the server made to hold a task and
 * closes by itself.
 */
export async function listOpenWorkstreams(db: Db, developerId: DeveloperId, limit: number): Promise<Workflow[]> {
  return (await db.all(openOf(db.q, developerId, limit))).map(workflowOf);
}

const openOf = prepare((q, developerId: DeveloperId, limit: number) =>
  q
    .selectFrom("workflow")
    .selectAll()
    .where("kind", "=", "workstream")
    .where("status", "in", ["active", "blocked"])
    .where("developerId", "=", developerId)
    .where("endsWithTasks", "=", 0)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(limit),
);
