import type { ClaimId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { CodeClaimRow } from "../../storage/schema-team.ts";
import { clockSlackMs } from "../clock.ts";
import type { CodeClaim } from "./model.ts";

/** Claims of one repository are decided one after the other. */
export const guardClaims = (db: Db, repo: string): Promise<void> => guard(db, `claims:${repo}`);

export async function insertClaim(db: Db, claim: CodeClaim): Promise<void> {
  const { paths, symbols, isExclusive, ...plain } = claim;
  const json = { paths: JSON.stringify(paths), symbols: JSON.stringify(symbols) };
  await db.run(insertion(db.q, { ...plain, ...json, isExclusive: Number(isExclusive) }));
}

const insertion = prepare((q, row: CodeClaimRow) => q.insertInto("codeClaim").values(row));

type ClaimChanges = Partial<
  Pick<CodeClaim, "developerId" | "sessionId" | "fence" | "expiresAt" | "endedAt" | "endReason">
> & { readonly updatedAt: number };

export async function saveClaim(db: Db, read: CodeClaim, changes: ClaimChanges): Promise<CodeClaim> {
  await saveVersioned(db, update(db.q, { ...changes, version: read.version + 1 }, read.id, read.version));
  return { ...read, ...changes, version: read.version + 1 };
}

const update = prepare((q, changes: Partial<CodeClaimRow>, id: ClaimId, version: number) =>
  q.updateTable("codeClaim").set(changes).where("id", "=", id).where("version", "=", version),
);

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
