import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { Repository } from "./model.ts";

export async function insertRepository(db: Db, repository: Repository): Promise<void> {
  await db.run(db.q.insertInto("repository").values(repository));
}

export async function saveRepository(
  db: Db,
  read: Repository,
  changes: Pick<Repository, "name" | "developerId" | "updatedAt">,
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("repository")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}
