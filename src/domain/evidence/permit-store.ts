import type { Db } from "../../storage/db.ts";
import type { Permit } from "./permit-model.ts";

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
