import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** A person's word that a repository's checks may be run on this machine, in exactly this wording. */
export interface Permit {
  readonly place: string;
  readonly repository: string;
  readonly configHash: string;
  readonly developerId: DeveloperId;
  readonly allowedAt: number;
}

export async function findPermit(db: Db, place: string, repository: string): Promise<Permit | undefined> {
  const row = await db.first(
    db.q.selectFrom("checkPermit").selectAll().where("place", "=", place).where("repository", "=", repository),
  );
  return row && { ...row, developerId: row.developerId as DeveloperId };
}

export async function savePermit(db: Db, permit: Permit): Promise<void> {
  const { place: _place, repository: _repository, ...changes } = permit;
  await db.run(
    db.q
      .insertInto("checkPermit")
      .values(permit)
      .onConflict((conflict) => conflict.columns(["place", "repository"]).doUpdateSet(changes)),
  );
}

export async function deletePermit(db: Db, place: string, repository: string): Promise<void> {
  await db.run(db.q.deleteFrom("checkPermit").where("place", "=", place).where("repository", "=", repository));
}
