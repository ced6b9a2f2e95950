import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Workflow } from "./model.ts";
import { workflowOf } from "./queries.ts";

/** A developer's workstreams that take tasks, last changed first. */
export async function listOpenWorkstreams(db: Db, developerId: DeveloperId, limit: number): Promise<Workflow[]> {
  return (await db.all(openWorkstreams(db, developerId).limit(limit))).map(workflowOf);
}

/** The same without those that the server made to hold a task, and closes by itself. */
export async function listNamedOpenWorkstreams(db: Db, developerId: DeveloperId, limit: number): Promise<Workflow[]> {
  const named = openWorkstreams(db, developerId).where("endsWithTasks", "=", 0);
  return (await db.all(named.limit(limit))).map(workflowOf);
}

const openWorkstreams = (db: Db, developerId: DeveloperId) =>
  db.q
    .selectFrom("workflow")
    .selectAll()
    .where("kind", "=", "workstream")
    .where("status", "in", ["active", "blocked"])
    .where("developerId", "=", developerId)
    .orderBy("updatedAt", "desc")
    .orderBy("id");
