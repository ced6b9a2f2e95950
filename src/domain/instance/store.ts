import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { Instance, InstanceRun } from "./model.ts";

/** Of two first calls at once only one may make the instance. */
export const guardAdoption = (db: Db, developerId: DeveloperId): Promise<void> => guard(db, `instances:${developerId}`);

export async function insertInstance(db: Db, instance: Instance): Promise<void> {
  await db.run(db.q.insertInto("instance").values({ ...instance, run: textOf(instance.run) }));
}

export async function saveInstance(db: Db, read: Instance, changes: Partial<Instance>): Promise<void> {
  const { run, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("instance")
      .set({
        ...plain,
        ...(run === undefined ? {} : { run: textOf(run) }),
        version: read.version + 1,
      })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const textOf = (run: InstanceRun | null): string | null => (run === null ? null : JSON.stringify(run));
