import { askConflicts } from "../hook/ask-conflicts.ts";
import { type Conflict, foreignClaim } from "../hook/claims.ts";
import { findRepository } from "../repository.ts";
import { callTool, type Target } from "../server.ts";
import type { ClientSession } from "../sessions.ts";
import type { Survey } from "./survey.ts";
import { hashOf, type Told } from "./told.ts";

const limitMs = 10_000;

/**
 * Edits that no hook has seen, of files that somebody else has claimed: told once for each claim and state of a file. What
 * was told is noted after the server has answered; one that is killed in between tells it again under the same key.
 */
export async function tellViolations(
  survey: Survey,
  session: ClientSession,
  { target, told }: { target: Target; told: Told },
): Promise<number> {
  const repository = findRepository(survey.root);
  if (survey.dirty.length === 0 || repository === undefined) return 0;
  const { session_id } = session;
  const ask = { branch: survey.branch, paths: survey.dirty.slice(0, 100), session_id };
  const { conflicts } = await askConflicts(target, repository, ask, { signal: AbortSignal.timeout(limitMs) });
  let count = 0;
  for (const conflict of conflicts) {
    const claim = foreignClaim([conflict], session);
    if (claim === undefined) continue;
    const files = [...claim.your_paths].filter((file) => !told.hasViolation(keyOf(survey, file, claim))).sort();
    if (files.length === 0) continue;
    const keys = files.map((file) => keyOf(survey, file, claim));
    const what = files.length === 1 ? files[0] : `${files.length} files`;
    const summary = `Changed ${what}, claimed by ${claim.holder} until ${claim.expires_at}.`.slice(0, 280);
    const args = { operation: "activity", session_id, kind: "note", summary, files: files.slice(0, 50) };
    const key = `violation-${hashOf(JSON.stringify([args, keys]))}`;
    await callTool(target, "covibe_session", args, { signal: AbortSignal.timeout(limitMs), key });
    told.addViolations(keys);
    count += files.length;
  }
  return count;
}

const keyOf = ({ root, hashes }: Survey, file: string, claim: Conflict): string =>
  JSON.stringify([root, file, hashes[file] ?? null, claim.claim_id]);
