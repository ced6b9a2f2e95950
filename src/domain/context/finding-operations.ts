import type { FindingId, TaskId } from "../../contract/ids.ts";
import type { Finding } from "../finding/model.ts";
import { getFindingToPlan, linkTask } from "../finding/task-operations.ts";
import type { Aim } from "../intent/model.ts";
import { type LikeWork, type PersonPlan, planAsPerson } from "../overlap/work-operations.ts";
import type { Work } from "../work.ts";

interface PlanAsk {
  readonly id: FindingId;
  readonly isConfirmed: boolean;
  readonly reason: string | undefined;
}

/** Plans the task that fixes a finding. Where the same work is known, nothing happens until it is confirmed (TG8). */
export async function planFinding(work: Work, ask: PlanAsk, like: LikeWork): Promise<PersonPlan> {
  const finding = await getFindingToPlan(work, ask.id);
  const { isConfirmed, reason } = ask;
  const outcome = await planAsPerson(work, { aim: aimOf(finding), isConfirmed, reason }, like);
  const taskId: TaskId | undefined = outcome.kind === "task" ? outcome.planned.task.id : undefined;
  if (taskId !== undefined) await linkTask(work, finding, taskId);
  return outcome;
}

/** What fixing a finding means, as work. */
export function aimOf(finding: Finding): Aim {
  const { record, packageName, vulnId, manifestPath } = finding;
  const what = vulnId ?? finding.title;
  const fixed = record.package.fixedVersion;
  return {
    kind: "task",
    title: (packageName === null ? `Fix ${what}` : `Fix ${what} in ${packageName}`).slice(0, 200),
    description: [
      `${finding.severity} finding ${finding.id}: ${finding.title}`,
      ...(fixed === null ? [] : [`Fixed in version ${fixed}.`]),
    ].join("\n"),
    scope: null,
    action: "fix",
    component: null,
    repo: finding.repositoryPath,
    branch: null,
    sessionId: null,
    priority: finding.severity === "critical" || finding.severity === "high" ? "high" : "normal",
    taskType: "bug",
    files: manifestPath === null || manifestPath.startsWith("/") ? [] : [manifestPath],
  };
}
