import { setImmediate as nextTurn } from "node:timers/promises";
import type { Verification } from "../contract/plain-routes.ts";
import { verifyStore, whatIsDamaged } from "../domain/ledger/operations.ts";
import type { Db } from "../storage/db.ts";
import { readStoreFile } from "../storage/store-file.ts";
import type { House } from "./house.ts";

/**
 * Whether the store and its ledger are whole; one that is not takes no changes any more. The walk takes a while; on its
 * own connection it holds up nobody's reads.
 */
export async function verifyHouse({ store, usage }: Pick<House, "store" | "usage">): Promise<Verification> {
  await usage.flush();
  const verify = (db: Db) => verifyStore(db, () => nextTurn());
  const found = await (store.dialect === "sqlite" ? readStoreFile(store.location, verify) : store.read(verify));
  if (!found.isIntact) await store.distrust(whatIsDamaged(found));
  return { ...found, readOnlyReason: store.readOnlyReason };
}
