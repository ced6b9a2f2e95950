import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Workflow } from "./model.ts";
import { workflowOf } from "./store.ts";

/** A developer's workstreams that take tasks, last changed first. */
export async function listOpenStreams(db: Db, developerId: DeveloperId, limit: number): Promise<Workflow[]> {
  const rows = await db.all(
    db.q
      .selectFrom("workflow")
      .selectAll()
      .where("kind", "=", "workstream")
      .where("status", "in", ["active", "blocked"])
      .where("developerId", "=", developerId)
      .orderBy("updatedAt", "desc")
      .orderBy("id")
      .limit(limit),
  );
  return rows.map(workflowOf);
}
