import { setImmediate as nextTurn } from "node:timers/promises";
import { type StoreVerification, verifyStore } from "../domain/ledger/operations.ts";
import type { Db } from "../storage/db.ts";
import { readStoreFile } from "../storage/store-file.ts";
import type { House } from "./house.ts";

/** Whether the store and its ledger are whole. The walk takes a while; on its own connection it holds up nobody's reads. */
export async function verifyHouse({ store, usage }: Pick<House, "store" | "usage">): Promise<StoreVerification> {
  await usage.flush();
  const verify = (db: Db) => verifyStore(db, () => nextTurn());
  return store.dialect === "sqlite" ? readStoreFile(store.location, verify) : store.read(verify);
}
