import { z } from "zod";
import { lookForParallelWork, writeAudit } from "../../../domain/context/team-audit-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { describeAudit } from "../voice/audit.ts";
import { auditRecord } from "../voice/records.ts";
import { SessionId } from "../voice/words.ts";

export default defineTool({
  name: "audit_parallel_work",
  family: "team",
  title: "Look for duplicate work",
  summary: "Compare what is under way or was finished lately, and keep what looks like the same work.",
  keywords: "duplicates find audit",
  effect: "create",
  callers: ["agent"],
  input: z.object({ session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["FORBIDDEN", "SESSION_NOT_FOUND", "INVALID_STATE"],
  examples: [{ title: "of everything that goes on", input: {} }],
  observe: (_input, look) => lookForParallelWork(look),
  async handle({ session_id }, work, facts) {
    const report = await writeAudit(work, facts, session_id);
    const { id, ...audit } = auditRecord(report, await readViewer(work));
    const { message, conflicts } = describeAudit(report);
    const data = { audit_id: id, ...audit };
    return conflicts === 0 ? tell({ message, data }) : warn(report.id, { message, data, next: advice });
  },
});

const advice =
  "Agree with the developers of each conflict who goes on: ask them with covibe_coordination ask, then covibe_task cancel what is not needed.";
