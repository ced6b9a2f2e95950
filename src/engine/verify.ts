import { type StoreVerification, verifyStore } from "../domain/ledger/operations.ts";
import type { House } from "./house.ts";

/** Whether the store and its ledger are whole. */
export async function verifyHouse(house: Pick<House, "store" | "usage">): Promise<StoreVerification> {
  await house.usage.flush();
  return house.store.read(verifyStore);
}
