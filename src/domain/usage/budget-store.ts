import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Budget } from "./budget-model.ts";

export async function findBudget(db: Db, subjectId: Budget["subjectId"]): Promise<Budget | undefined> {
  return db.first(byId(db.q, subjectId));
}

const byId = prepare((q, id: Budget["subjectId"]) => q.selectFrom("budget").selectAll().where("subjectId", "=", id));

export async function insertBudget(db: Db, budget: Budget): Promise<void> {
  await db.run(db.q.insertInto("budget").values(budget));
}

export async function saveBudget(
  db: Db,
  read: Budget,
  changes: Partial<Omit<Budget, "subjectId" | "kind" | "version">>,
): Promise<Budget> {
  await saveVersioned(
    db,
    db.q
      .updateTable("budget")
      .set({ ...changes, version: read.version + 1 })
      .where("subjectId", "=", read.subjectId)
      .where("version", "=", read.version),
  );
  return { ...read, ...changes, version: read.version + 1 };
}

/** Limits that this developer's use has passed and of which they have not heard yet. */
export async function listUntold(db: Db, developerId: DeveloperId): Promise<Budget[]> {
  return db.all(untoldOf(db.q, developerId));
}

const untoldOf = prepare((q, developerId: DeveloperId) =>
  q
    .selectFrom("budget")
    .selectAll()
    .where("passedBy", "=", developerId)
    .where("warnedAt", "is", null)
    .orderBy("subjectId")
    .limit(5),
);

/** Every budget that has a limit, oldest first. */
export async function listLimited(db: Db, limit: number): Promise<Budget[]> {
  return db.all(
    db.q.selectFrom("budget").selectAll().where("limitNanos", "is not", null).orderBy("createdAt").limit(limit),
  );
}
