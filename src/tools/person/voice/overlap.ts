import { z } from "zod";
import { teamStatus, teamStatuses } from "../../../domain/intent/model.ts";
import type { KeptVerdict, ScopeCheck } from "../../../domain/overlap/model.ts";
import type { Comparison, Doubt, OtherSide, Side } from "../../../domain/overlap/read-operations.ts";
import { isSameOwner, type Viewer } from "../../../domain/person/viewer-model.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";

/**
 * How work that may be done twice is shown to people. Of a private developer's nothing but how like it is, and to the
 * one who checked which of their own files it is at (GA14).
 */

const doubtStates = ["waits", "confirmed", "expired", "noted", "settled"] as const;
type State = (typeof doubtStates)[number];

const State = z
  .enum(doubtStates)
  .describe(
    "waits: for a verdict. confirmed: for the agent's next start. expired: for a new check. noted: for nobody.",
  );

interface View {
  readonly viewer: Viewer;
  readonly now: number;
}

export const DoubtRecord = z.object({
  id: z.string().describe("The check, or the warning where there is none."),
  check_id: z.string().nullable(),
  warning_id: z.string().nullable(),
  type: z.enum(["task", "workstream"]),
  title: z.string(),
  developer: z.string(),
  mine: z.boolean(),
  state: State,
  warning_status: z.string().nullable(),
  candidates: z.number().int().describe("How many similar pieces of work were found or need a decision."),
  score: z.number().nullable().describe("Of the closest match, 0 to 1."),
  like: z.string().nullable().describe("Title of the closest match."),
  work_ids: z.array(z.string()).describe("All the work it is about, on either side."),
  created_at: Time,
  expires_at: Time.nullable(),
});

export function doubtRecord(doubt: Doubt, { viewer, now }: View): z.input<typeof DoubtRecord> {
  const { check, warning } = doubt;
  const found = check !== undefined && check.candidates.length > 0 ? check.candidates : (warning?.matches ?? []);
  const [first] = [...found].sort((one, other) => other.score - one.score);
  return {
    id: check?.id ?? warning?.id ?? "",
    check_id: check?.id ?? null,
    warning_id: warning?.id ?? check?.warningId ?? null,
    type: doubt.kind,
    title: check?.sought?.title ?? warning?.title ?? check?.title ?? "",
    developer: viewer.of(doubt).owner,
    mine: viewer.of(doubt).isOwn,
    state: stateOf(doubt, now),
    warning_status: warning?.status ?? null,
    candidates: found.length,
    score: first ? rounded(first.score) : null,
    like: first ? viewer.of(first).title(first.title) : null,
    work_ids: [...new Set([...subjectsOf(doubt), ...found.map(({ id }) => id)])],
    created_at: timeOf(check?.createdAt ?? warning?.createdAt ?? now),
    expires_at: timeOrNull(check?.expiresAt ?? null),
  };
}

const subjectsOf = ({ check, warning }: Doubt): string[] =>
  [check?.plannedId, warning?.subjectId].filter((id) => id !== null && id !== undefined);

function stateOf({ check, warning }: Doubt, now: number): State {
  if (check === undefined)
    return warning?.status === "open" ? "waits" : warning?.status === "noted" ? "noted" : "settled";
  if (check.consumedAt !== null) return "settled";
  if (!check.requiresVerdict) return "noted";
  if (check.confirmation !== null) return "confirmed";
  return check.expiresAt > now ? "waits" : "expired";
}

const hideable = z.string().nullable();

const SideRecord = z.object({
  id: z.string().nullable().describe("Null while the work is neither planned nor started."),
  type: z.enum(["task", "workstream"]),
  title: z.string(),
  owner: z.string(),
  agent_id: hideable.describe("The agent that has it; null while nobody does."),
  status: z.enum([...teamStatuses, "checked"]).describe("checked: compared with other work, not started yet."),
  scope: hideable,
  description: hideable,
  action: hideable,
  component: hideable,
  repo: hideable,
  branch: hideable,
  target_files: z.array(z.string()),
});

const OtherRecord = SideRecord.extend({
  score: z.number().describe("How likely it is the same work, 0 to 1."),
  reasons: z.array(z.string()),
  suppressed_by: z.string().nullable().describe("Why it is only shown and not asked about."),
  needs_verdict: z.boolean(),
  shared_files: z.array(z.string()),
  same_developer: z.boolean(),
});

const VerdictRecord = z.object({
  candidate_id: z.string(),
  check_id: z.string(),
  developer: z.string(),
  verdict: z.string(),
  reason: z.string(),
  judged_at: Time,
});

export const ComparisonRecord = DoubtRecord.extend({
  warning_reason: hideable,
  confirmation: z.object({ reason: z.string(), confirmed_at: Time }).nullable(),
  work: SideRecord,
  others: z.array(OtherRecord),
  verdicts: z.array(VerdictRecord).describe("What was said about the others so far, newest first."),
});

export function comparisonRecord(comparison: Comparison, view: View): z.input<typeof ComparisonRecord> {
  const { doubt, others, verdicts } = comparison;
  const confirmation = doubt.check?.confirmation ?? null;
  return {
    ...doubtRecord(doubt, view),
    warning_reason: doubt.warning?.reason ?? null,
    confirmation: confirmation === null ? null : { reason: confirmation.reason, confirmed_at: timeOf(confirmation.at) },
    work: workSide(comparison, view),
    others: others.map((other) => otherSide(other, doubt, view)),
    verdicts: verdicts.map((verdict) => verdictRecord(verdict, view)),
  };
}

/** The work that was checked, in the words it was checked with; else as it was planned. */
function workSide({ doubt, subject }: Comparison, { viewer }: View): z.input<typeof SideRecord> {
  const { check, warning } = doubt;
  const described = check?.sought ?? (subject && { ...describe(subject), files: subject.doc.files });
  return {
    id: subject?.doc.id ?? null,
    type: doubt.kind,
    title: check?.sought?.title ?? subject?.doc.title ?? warning?.title ?? "",
    owner: viewer.of(doubt).owner,
    agent_id: viewer.of(doubt).value(subject?.doc.sessionId ?? check?.sessionId ?? null),
    status: subject ? teamStatus(subject.doc.lifecycle) : "checked",
    scope: described?.scope ?? null,
    description: described?.description ?? null,
    action: described?.action ?? null,
    component: described?.component ?? null,
    repo: described?.repo ?? null,
    branch: described?.branch ?? null,
    target_files: [...(described?.files ?? [])],
  };
}

function otherSide({ found, now, needsVerdict }: OtherSide, doubt: Doubt, view: View): z.input<typeof OtherRecord> {
  const doc = now?.doc ?? found;
  // Whoever had it when it was found may be private, or whoever has it by now.
  const sight = view.viewer.of(doc, found);
  const about = sight.isHidden || now === undefined ? nothing : describe(now);
  return {
    id: found.id,
    type: found.kind,
    title: sight.title(doc.title),
    owner: sight.owner,
    agent_id: sight.value(now?.doc.sessionId ?? null),
    status: teamStatus(now?.doc.lifecycle ?? "cancelled"),
    ...about,
    target_files: sight.list(now?.doc.files ?? []),
    score: rounded(found.score),
    // Reasons quote words of both sides.
    reasons: sight.isHidden ? ["Much in common with private work"] : [...found.reasons],
    suppressed_by: found.suppressedBy ?? null,
    needs_verdict: needsVerdict,
    shared_files: sight.isHidden && !view.viewer.of(doubt).isOwn ? [] : [...(found.sharedFiles ?? [])],
    same_developer: isSameOwner(doc, doubt),
  };
}

const nothing = { scope: null, description: null, action: null, component: null, repo: null, branch: null };

const describe = ({ doc, branch }: Side) => ({
  scope: doc.scope,
  description: doc.description,
  action: doc.action,
  component: doc.component,
  repo: doc.repo,
  branch,
});

const verdictRecord = (verdict: KeptVerdict, { viewer }: View): z.input<typeof VerdictRecord> => ({
  candidate_id: verdict.candidateId,
  check_id: verdict.checkId,
  developer: viewer.of(verdict).owner,
  verdict: verdict.verdict,
  reason: viewer.of(verdict).title(verdict.reason),
  judged_at: timeOf(verdict.createdAt),
});

const rounded = (score: ScopeCheck["candidates"][number]["score"]): number => Math.round(score * 100) / 100;
