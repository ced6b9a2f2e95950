import type { ClientSession } from "../sessions.ts";

/** A claim that an edit meets, as the server lists it. */
export interface Conflict {
  readonly claim_id: string | null;
  readonly holder: string;
  readonly exclusive: boolean;
  readonly session_id: string | null;
  readonly same_developer: boolean;
  readonly expires_at: string;
  readonly your_paths: readonly string[];
}

/**
 * The claim that forbids an edit. Of the same developer's only those of another session: where nobody knows whose session
 * it is, or the claim names none, it may well be the agent's own.
 */
export const foreignClaim = (
  conflicts: readonly Conflict[],
  session: Pick<ClientSession, "session_id" | "own"> | undefined,
): Conflict | undefined =>
  conflicts.find(({ exclusive, same_developer, session_id }) => {
    if (!exclusive) return false;
    if (!same_developer) return true;
    if (session === undefined || session_id === null) return false;
    return session_id !== session.session_id && !session.own.includes(session_id);
  });

export function whyDenied(claim: Conflict, files: readonly string[], now: Date): string {
  const file = claim.your_paths[0] ?? files[0] ?? "This file";
  const minutes = Math.max(1, Math.ceil((Date.parse(claim.expires_at) - now.getTime()) / 60_000));
  const holder = claim.same_developer ? `another session of ${claim.holder}` : claim.holder;
  const id = claim.claim_id === null ? "" : ` (claim ${claim.claim_id})`;
  return (
    `${file} is claimed by ${holder} for another ${minutes} min, until ${claim.expires_at}${id}. ` +
    "Don't edit it by other means. Ask the holder with covibe_coordination, operation ask, or work on something else until it's released."
  );
}
