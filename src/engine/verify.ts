import { type Verification, verifyLedger } from "../domain/ledger/operations.ts";
import type { House } from "./house.ts";

/** Whether the ledger is whole. */
export async function verifyHouse(house: Pick<House, "store" | "usage">): Promise<Verification> {
  await house.usage.flush();
  return house.store.read(verifyLedger);
}
