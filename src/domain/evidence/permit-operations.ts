import { Refusal } from "../../contract/refusal.ts";
import type { Look } from "../port.ts";
import { normaliseRepositoryPath } from "../project/operations.ts";
import type { Work } from "../work.ts";
import { permitEvent } from "./events.ts";
import { findPermit } from "./permit-queries.ts";
import { deletePermit, savePermit } from "./permit-store.ts";
import type { ConfiguredChecks } from "./port.ts";

/** What a folder's repository wants to be run, as it stands there now, or a refusal. */
export async function findConfigured(look: Look, path: string): Promise<ConfiguredChecks> {
  const configured = await look.ports.evidence.readChecks(normaliseRepositoryPath(path), look.signal);
  if (configured) return configured;
  throw new Refusal("NOT_FOUND", "That folder configures no checks.", "Write .crewdeck/checks.json there first.");
}

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
