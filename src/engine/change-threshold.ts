import type { Caller } from "../contract/caller.ts";
import type { ThresholdChange } from "../contract/threshold.ts";
import { noteThreshold } from "../domain/person/operations.ts";
import type { House } from "./house.ts";
import { newId } from "./sources.ts";
import { transactAsSystem } from "./system-work.ts";
import type { AskedThresholds } from "./thresholds.ts";

/** Goes by what the owner has set, from the next call on, and tells the ledger who set it. */
export async function changeThreshold(
  { store, sources, thresholds }: Pick<House, "store" | "sources" | "thresholds">,
  { developerId }: Caller,
  { change: { key }, asked }: { readonly change: ThresholdChange; readonly asked: AskedThresholds },
): Promise<void> {
  const figure = (): number => thresholds.list().find((one) => one.key === key)?.value ?? 0;
  const before = figure();
  thresholds.apply(asked);
  const cause = { developerId, callId: newId(sources, "call") };
  await transactAsSystem(store, sources, (work) => noteThreshold(work, { key, before, value: figure() }), cause);
}
