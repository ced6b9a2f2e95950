import { Refusal } from "../../contract/refusal.ts";
import type { Work } from "../work.ts";
import { permitEvent } from "./events.ts";
import { findPermit } from "./permit-queries.ts";
import { deletePermit, savePermit } from "./permit-store.ts";
import type { ConfiguredChecks } from "./port.ts";

export const isAllowed = async (work: Pick<Work, "db" | "place">, configured: ConfiguredChecks): Promise<boolean> =>
  (await findPermit(work.db, work.place, configured.repository))?.configHash === configured.configHash;

/** A person has read these checks and allows them; any change of their wording has to be allowed again. */
export async function allowChecks(work: Work, configured: ConfiguredChecks, readHash: string): Promise<void> {
  if (configured.problem !== null) {
    throw new Refusal("INVALID_STATE", "The checks cannot be used as they are.", "Correct .crewdeck/checks.json.");
  }
  if (configured.configHash !== readHash) {
    throw new Refusal("CONFLICT", "The checks are not the ones that were read.", "Read them again, then allow them.");
  }
  const { repository, configHash } = configured;
  const { db, place, now, caller } = work;
  await savePermit(db, { place, repository, configHash, developerId: caller.developerId, allowedAt: now });
  work.record(permitEvent.allowed(repository, { config_hash: configHash }));
}

/** Doing it twice changes nothing. */
export async function forbidChecks(work: Work, repository: string): Promise<void> {
  if (!(await findPermit(work.db, work.place, repository))) return;
  await deletePermit(work.db, work.place, repository);
  work.record(permitEvent.forbidden(repository, {}));
}
