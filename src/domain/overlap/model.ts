import { z } from "zod";
import { AgentId, DeveloperId, ScopeCheckId, WarningId } from "../../contract/ids.ts";
import { verdictWords, warningStatuses, workKinds } from "../../contract/words.ts";

/** What an agent says about one candidate. */
export const Judgement = z.object({
  candidateId: z.string(),
  verdict: z.enum(verdictWords),
  reason: z.string(),
});
export type Judgement = z.infer<typeof Judgement>;

/** A judgement as it was written down, with the check it was given for. */
export interface KeptVerdict extends Judgement {
  readonly id: string;
  readonly checkId: ScopeCheckId;
  readonly developerId: DeveloperId;
  readonly createdAt: number;
}

/** Other work as it was when it was found, kept for whoever audits the decision. */
export const Candidate = z.object({
  id: z.string(),
  kind: z.enum(workKinds),
  title: z.string(),
  developerId: DeveloperId,
  status: z.string(),
  score: z.number(),
  reasons: z.array(z.string()),
  features: z.record(z.string(), z.number()),
  /** Files that both mean to change. */
  sharedFiles: z.array(z.string()).optional(),
  /** Why it is shown and not asked about. */
  suppressedBy: z.string().nullable().optional(),
});
export type Candidate = z.infer<typeof Candidate>;

/** Work as it was described when it was checked; a long description is cut. */
export const Sought = z.object({
  title: z.string(),
  scope: z.string().nullable(),
  description: z.string().nullable(),
  action: z.string().nullable(),
  component: z.string().nullable(),
  repo: z.string().nullable(),
  branch: z.string().nullable(),
  files: z.array(z.string()),
});
export type Sought = z.infer<typeof Sought>;

/** A person's word that the work is to begin all the same; without verdicts about the whole of what was found. */
export const Confirmation = z.object({ reason: z.string(), verdicts: z.array(Judgement), at: z.number() });
export type Confirmation = z.infer<typeof Confirmation>;

/** A look for duplicates before a start. It counts for ten minutes and for one start (GA2, GA5). */
export const ScopeCheck = z.object({
  id: ScopeCheckId,
  developerId: DeveloperId,
  sessionId: AgentId.nullable(),
  kind: z.enum(workKinds),
  /** As it is compared: see `titleKey`. */
  title: z.string(),
  plannedId: z.string().nullable(),
  inputHash: z.string(),
  warningId: WarningId.nullable(),
  requiresVerdict: z.boolean(),
  /** What a verdict is asked about. */
  candidates: z.array(Candidate),
  /** What has escalated too and is not asked about: beyond the limit, or judged in the check before this one. */
  covered: z.array(Candidate.extend({ judgement: Judgement.nullable() })),
  /** Warnings of earlier checks that are settled by the start. */
  earlierWarnings: z.array(WarningId),
  /** Why the candidates of the check before this one were confirmed, where that was done without verdicts. */
  earlierReason: z.string().nullable(),
  sought: Sought.nullable().default(null),
  confirmation: Confirmation.nullable().default(null),
  modelVersion: z.string(),
  /** The threshold that was in force; unknown for checks of older versions. */
  escalatesFrom: z.number().nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
  consumedAt: z.number().nullable(),
  version: z.number(),
});
export type ScopeCheck = z.infer<typeof ScopeCheck>;

export const Warning = z.object({
  id: WarningId,
  checkId: ScopeCheckId.nullable(),
  /** The planned work it is about, if that exists already. */
  subjectId: z.string().nullable(),
  developerId: DeveloperId,
  kind: z.enum(workKinds),
  title: z.string(),
  matches: z.array(Candidate.omit({ features: true })),
  status: z.enum(warningStatuses),
  reason: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Warning = z.infer<typeof Warning>;

export const scopeCheckLivesMs = 10 * 60_000;

/** People take longer than a check lives: what they have confirmed counts for the next check of the same work. */
export const confirmationLivesMs = 24 * 3_600_000;

/**
 * The title as checks and starts are matched by it: whatever its case and spacing (GA4). Through capitals first, since
 * some small letters have none of their own: ß and SS are one.
 */
export const titleKey = (title: string): string =>
  title.trim().replace(/\s+/gu, " ").toUpperCase().toLowerCase().normalize("NFC");
