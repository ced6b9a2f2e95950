import { z } from "zod";
import { FindingId, NoteId, TaskId } from "../../../contract/ids.ts";
import { findingSources, findingStates, severities } from "../../../contract/words.ts";
import { type Finding, isExpired, stateAt } from "../../../domain/finding/model.ts";
import type { Note } from "../../../domain/note/model.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { Time, timeOf } from "../../time.ts";

export const FindingEntry = z.object({
  id: FindingId,
  source: z.enum(findingSources),
  severity: z.enum(severities),
  state: z.enum(findingStates),
  expires: Time.nullable().describe("When its decision expires; from then on it's open again."),
  expired_state: z.enum(findingStates).nullable().describe("What was decided, if that has expired."),
  title: z.string(),
  vuln_id: z.string().nullable(),
  package: z.string().nullable(),
  installed_version: z.string().nullable(),
  fixed_version: z.string().nullable(),
  manifest_path: z.string().nullable(),
  service: z.string().nullable(),
  env: z.string().nullable(),
  repository: z.string(),
  task_id: TaskId.nullable().describe("The task that fixes it."),
  task_is_open: z.boolean().describe("Whether that task is still open; once it isn't, another can be planned."),
  developer: z.string().describe("Who imported it."),
  created_at: Time,
  updated_at: Time,
});

interface FindingSight {
  readonly viewer: Viewer;
  /** The tasks that are not over, among those that fix findings. */
  readonly openFixes: ReadonlySet<TaskId>;
  readonly now: number;
}

/** Only of what its viewer may know: findings of private people are theirs alone. */
export const findingEntry = (
  finding: Finding,
  { viewer, openFixes, now }: FindingSight,
): z.input<typeof FindingEntry> => ({
  id: finding.id,
  source: finding.source,
  severity: finding.severity,
  state: stateAt(finding, now),
  expires: finding.expiresAt === null ? null : timeOf(finding.expiresAt),
  expired_state: isExpired(finding, now) ? finding.state : null,
  title: finding.title,
  vuln_id: finding.vulnId,
  package: finding.packageName,
  installed_version: finding.record.package.installedVersion,
  fixed_version: finding.record.package.fixedVersion,
  manifest_path: finding.manifestPath,
  service: finding.service,
  env: finding.env,
  repository: finding.repositoryPath,
  task_id: finding.taskId,
  task_is_open: finding.taskId !== null && openFixes.has(finding.taskId),
  developer: viewer.of(finding).owner,
  created_at: timeOf(finding.createdAt),
  updated_at: timeOf(finding.updatedAt),
});

export const DecisionEntry = z.object({
  id: NoteId,
  status: z.string(),
  justification: z.string().nullable(),
  reviewer: z.string().nullable(),
  expires: Time.nullable().describe("When it needs another look."),
  codes: z.array(z.string()),
  evidence: z.array(z.string()),
  developer: z.string(),
  created_at: Time,
});

export function decisionEntry(note: Note, viewer: Viewer): z.input<typeof DecisionEntry> {
  const sight = viewer.of(note);
  const { status, justification, reviewer, expires, codes, evidence } = (note.detail?.["decision"] ?? {}) as {
    status?: string;
    justification?: string | null;
    reviewer?: string | null;
    expires?: number | null;
    codes?: readonly string[];
    evidence?: readonly string[];
  };
  return {
    id: note.id,
    status: status ?? "",
    justification: sight.value(justification ?? null),
    reviewer: sight.value(reviewer ?? null),
    expires: typeof expires === "number" ? sight.value(timeOf(expires)) : null,
    codes: sight.list(codes ?? []),
    evidence: sight.list(evidence ?? []),
    developer: sight.owner,
    created_at: timeOf(note.createdAt),
  };
}
