import { type AuditReport, isConflict } from "../../../domain/context/team-model.ts";

/** What an audit has found, in one sentence. */
export function describeAudit({ data }: AuditReport): { message: string; conflicts: number } {
  const conflicts = data.pairs.filter(isConflict).length;
  const found = data.pairs.length + data.omitted;
  const message =
    found === 0
      ? `None of ${data.compared} pieces of work is like another.`
      : `${found} of the pairs among ${data.compared} pieces of work look like the same work; somebody is at ${conflicts} of them now.`;
  return { message, conflicts };
}
