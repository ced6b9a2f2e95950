import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { Instance } from "./model.ts";

/** Of two first calls at once only one may make the instance. */
export const guardAdoption = (db: Db, developerId: DeveloperId): Promise<void> => guard(db, `instances:${developerId}`);

export async function insertInstance(db: Db, instance: Instance): Promise<void> {
  await db.run(db.q.insertInto("instance").values(instance));
}

export async function saveInstance(db: Db, read: Instance, changes: Partial<Instance>): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("instance")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}
