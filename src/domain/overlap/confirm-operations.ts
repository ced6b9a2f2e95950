import type { ScopeCheckId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { leaveNotice } from "../message/notice-operations.ts";
import type { PeerMessage } from "../message/peer-model.ts";
import { askDeveloper } from "../message/peer-operations.ts";
import type { Work } from "../work.ts";
import { scopeEvent } from "./events.ts";
import { findProblem } from "./gate-rules.ts";
import type { Candidate, Confirmation, Judgement, ScopeCheck } from "./model.ts";
import { consumeScopeCheck, findLatestScopeCheck, findScopeCheck, saveConfirmation } from "./scope-check-store.ts";

interface ConfirmAsk {
  readonly id: ScopeCheckId;
  /** About every candidate, or none where the reason says it all. */
  readonly verdicts: readonly Pick<Judgement, "candidateId" | "verdict">[];
  readonly reason: string;
}

/**
 * A person's word that the work of a check is to begin all the same, given by the one whose check it is. The next start
 * with the check passes with it; where the check has run out meanwhile, the next check of the same work knows of it.
 */
export async function confirmScopeCheck(
  work: Work,
  ask: ConfirmAsk,
): Promise<ScopeCheck & { confirmation: Confirmation }> {
  const check = await getDoubt(work, ask.id);
  const verdicts = ask.verdicts.map((verdict) => ({ ...verdict, reason: ask.reason }));
  if (verdicts.length > 0 && findProblem(check, check.candidates, verdicts) !== undefined) {
    throw new Refusal(
      "INVALID_INPUT",
      "The verdicts do not cover the candidates of the check exactly.",
      "Judge each candidate once, or leave the verdicts out.",
    );
  }
  const confirmation: Confirmation = { reason: ask.reason, verdicts, at: work.now };
  await saveConfirmation(work.db, check, confirmation);
  work.record(
    scopeEvent.confirmed(
      check.id,
      {
        title: check.sought?.title ?? check.title,
        reason: ask.reason,
        verdicts: verdicts.map(({ candidateId, verdict }) => ({ candidate_id: candidateId, verdict })),
      },
      channelsOf(check),
    ),
  );
  await tellAgent(work, check, "confirmed the start you asked about", ask.reason);
  return { ...check, confirmation };
}

/** A person's word that the work of a check is not to begin. The check is used up; the agent is told why. */
export async function refuseScopeCheck(work: Work, ask: { id: ScopeCheckId; reason: string }): Promise<ScopeCheck> {
  const check = await getDoubt(work, ask.id);
  await consumeScopeCheck(work.db, check, work.now);
  work.record(scopeEvent.refused(check.id, { title: titleOf(check), reason: ask.reason }, channelsOf(check)));
  await tellAgent(work, check, `refused the start of "${titleOf(check)}"`, ask.reason);
  return check;
}

interface Joining {
  readonly check: ScopeCheck;
  readonly candidate: Candidate;
  /** The question to whose work it is; null where that is the caller's own. */
  readonly ask: PeerMessage | null;
}

/**
 * A person's word that the work of a check is to be done together with what exists. Whose that is, is asked to hand some
 * of it over; the agent is told with what to go on.
 */
export async function joinScopeCheck(
  work: Work,
  ask: { id: ScopeCheckId; candidateId: string; reason: string | null },
): Promise<Joining> {
  const check = await getDoubt(work, ask.id);
  const candidate = check.candidates.find(({ id }) => id === ask.candidateId);
  if (!candidate) {
    throw new Refusal("NOT_FOUND", "The check has no candidate of that id.", "Name one of its candidates.");
  }
  await consumeScopeCheck(work.db, check, work.now);
  const isOwn = candidate.developerId === work.caller.developerId;
  const question = `My agent was about to start "${titleOf(check)}", which looks like your "${candidate.title}". Can you hand part of it over, or say how to help?${ask.reason === null ? "" : ` ${ask.reason}`}`;
  const asked = isOwn
    ? null
    : await askDeveloper(work, { sessionId: check.sessionId, to: candidate.developerId, question });
  const data = { title: titleOf(check), candidate_id: candidate.id, reason: ask.reason };
  work.record(scopeEvent.joined(check.id, data, channelsOf(check)));
  const whose = isOwn ? "your own" : "a teammate's";
  await tellAgent(
    work,
    check,
    `asks you not to start "${titleOf(check)}" but to work with ${whose} ${candidate.id} instead`,
    ask.reason,
  );
  return { check, candidate, ask: asked };
}

const titleOf = (check: ScopeCheck): string => check.sought?.title ?? check.title;

/** Its agent's own channel, so that whoever waits there is woken. */
const channelsOf = ({ sessionId }: ScopeCheck): string[] => (sessionId === null ? [] : [`agent:${sessionId}`]);

const tellAgent = (work: Work, check: ScopeCheck, did: string, words: string | null): Promise<void> =>
  leaveNotice(work, { developerId: check.developerId, agentId: check.sessionId, about: check.id, did, words });

/** A check of the caller's own that waits for a person. */
async function getDoubt(work: Work, id: ScopeCheckId): Promise<ScopeCheck> {
  const check = await findScopeCheck(work.db, id);
  if (!check) throw new Refusal("NOT_FOUND", "No check has that id.", nextStep("listDoubts"));
  if (check.developerId !== work.caller.developerId) {
    throw new Refusal("FORBIDDEN", "The check is another developer's.", "Only they can decide it: ask them.");
  }
  await checkConfirmable(work, check);
  return check;
}

async function checkConfirmable(work: Work, check: ScopeCheck): Promise<void> {
  if (!check.requiresVerdict) {
    throw new Refusal("INVALID_STATE", "The check asks nobody about anything.", "Its work can simply be started.");
  }
  if (check.consumedAt !== null) {
    throw new Refusal("INVALID_STATE", "The work of this check has already started.", "Nothing is left to confirm.");
  }
  if (check.expiresAt > work.now) return;
  const latest = await findLatestScopeCheck(work.db, check);
  if (latest?.id === check.id) return;
  throw new Refusal(
    "INVALID_STATE",
    "The check has run out, and the work was checked again since.",
    `Confirm its newest check instead: ${latest?.id}.`,
  );
}
