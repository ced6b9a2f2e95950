import type { Db } from "../../storage/db.ts";
import type { Permit } from "./permit-model.ts";

export async function findPermit(db: Db, place: string, repository: string): Promise<Permit | undefined> {
  return db.first(
    db.q.selectFrom("checkPermit").selectAll().where("place", "=", place).where("repository", "=", repository),
  );
}

/** Whether exactly these checks of a repository may be run. */
export async function isAllowed(
  { db, place }: { readonly db: Db; readonly place: string },
  { repository, configHash }: Pick<Permit, "repository" | "configHash">,
): Promise<boolean> {
  return (await findPermit(db, place, repository))?.configHash === configHash;
}
