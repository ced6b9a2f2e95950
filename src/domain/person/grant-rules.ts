import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import { type Grant, pollEveryMs } from "./grant-model.ts";

export type PollOutcome = "pending" | "approved" | "denied" | "expired" | "consumed";

/** What a poll is answered with. `approved` is answered once: whoever is told gets the tokens. */
export function decidePoll(grant: Grant, now: number): PollOutcome {
  const waitedMs = grant.lastPollAt === null ? pollEveryMs : now - grant.lastPollAt;
  // A clock that was set back must not keep a machine waiting for hours.
  if (waitedMs >= 0 && waitedMs < pollEveryMs) {
    throw new Refusal("RATE_LIMITED", "The device polls too often.", "Wait as Retry-After says, then poll again.", {
      retryAfterSeconds: Math.ceil((pollEveryMs - waitedMs) / 1_000),
    });
  }
  if (grant.status === "consumed" || grant.status === "denied") return grant.status;
  return now < grant.expiresAt ? grant.status : "expired";
}

export type Verdict = "approved" | "denied";

type VerdictDecision = { readonly kind: "unknown" } | { readonly kind: "decided"; readonly isNew: boolean };

/** A code that nobody waits under any more is as unknown as one that never was. */
export function decideVerdict(
  grant: Grant | undefined,
  ask: { verdict: Verdict; caller: Caller; now: number },
): VerdictDecision {
  if (!grant || ask.now >= grant.expiresAt) return { kind: "unknown" };
  if (grant.status === "pending") return { kind: "decided", isNew: true };
  const isRepeated = grant.status === ask.verdict && grant.developerId === ask.caller.developerId;
  return isRepeated ? { kind: "decided", isNew: false } : { kind: "unknown" };
}

interface Guesses {
  readonly since: number;
  readonly count: number;
}

const guessWindowMs = 600_000;
const mostGuesses = 10;

/** How many wrong codes a person has typed of late; a clock that was set back must not keep anybody out for days. */
export const currentGuesses = (guesses: Guesses | undefined, now: number): Guesses =>
  guesses && Math.abs(now - guesses.since) < guessWindowMs ? guesses : { since: now, count: 0 };

export function checkGuesses({ since, count }: Guesses, now: number): void {
  if (count < mostGuesses) return;
  throw new Refusal("RATE_LIMITED", "Too many wrong codes.", "Wait, then type the code that the machine shows.", {
    retryAfterSeconds: Math.ceil((since + guessWindowMs - now) / 1_000),
  });
}
