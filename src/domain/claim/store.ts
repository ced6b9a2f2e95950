import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import { clockSlackMs } from "../clock.ts";
import type { CodeClaim } from "./model.ts";

/** Claims of one repository are decided one after the other. */
export const guardClaims = (db: Db, repo: string): Promise<void> => guard(db, `claims:${repo}`);

export async function insertClaim(db: Db, claim: CodeClaim): Promise<void> {
  const { paths, symbols, isExclusive, ...plain } = claim;
  await db.run(
    db.q.insertInto("codeClaim").values({
      ...plain,
      paths: JSON.stringify(paths),
      symbols: JSON.stringify(symbols),
      isExclusive: Number(isExclusive),
    }),
  );
}

type ClaimChanges = Partial<
  Pick<CodeClaim, "developerId" | "sessionId" | "fence" | "expiresAt" | "endedAt" | "endReason">
> & { readonly updatedAt: number };

export async function saveClaim(db: Db, read: CodeClaim, changes: ClaimChanges): Promise<CodeClaim> {
  await saveVersioned(
    db,
    db.q
      .updateTable("codeClaim")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
  return { ...read, ...changes, version: read.version + 1 };
}

/** Leases that end later than a new one of their length would: they were given by a clock that was ahead. */
export async function shortenLeases(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("codeClaim")
      .set((of) => ({
        expiresAt: of(of("ttlMinutes", "*", 60_000), "+", now),
        version: of("version", "+", 1),
      }))
      .where("endedAt", "is", null)
      .where((of) => of("expiresAt", ">", of(of("ttlMinutes", "*", 60_000), "+", now + clockSlackMs))),
  );
}
