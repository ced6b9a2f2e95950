import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Permit } from "./permit-model.ts";

export async function findPermit(db: Db, place: string, repository: string): Promise<Permit | undefined> {
  const row = await db.first(
    db.q.selectFrom("checkPermit").selectAll().where("place", "=", place).where("repository", "=", repository),
  );
  return row && { ...row, developerId: row.developerId as DeveloperId };
}
