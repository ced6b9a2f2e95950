import { setImmediate as nextTurn } from "node:timers/promises";
import type { Verification } from "../contract/plain-routes.ts";
import { type StoreVerification, verifyStore, whatIsDamaged } from "../domain/ledger/operations.ts";
import type { Db } from "../storage/db.ts";
import { readStoreFile } from "../storage/store-file.ts";
import type { House } from "./house.ts";

/** How a store's file is checked: in a process of its own where there is a program to start. */
export type VerifyFile = (file: string) => Promise<StoreVerification>;

/** Whether the store and its ledger are whole; one that is not takes no changes any more. */
export async function verifyHouse(
  { store, usage }: Pick<House, "store" | "usage">,
  verifyFile: VerifyFile = verifyHere,
): Promise<Verification> {
  await usage.flush();
  const found = await (store.dialect === "sqlite" ? verifyFile(store.location) : store.read(verify));
  if (!found.isIntact) await store.distrust(whatIsDamaged(found));
  return { ...found, readOnlyReason: store.readOnlyReason };
}

const verifyHere: VerifyFile = (file) => readStoreFile(file, verify);

const verify = (db: Db): Promise<StoreVerification> => verifyStore(db, () => nextTurn());
